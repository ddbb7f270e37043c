import type { Workflow, WorkflowNode } from '../../test/n8n/workflows';
import { isNote, isYellow, noteOf, WHITE } from './rules';

/** Between the notes and the nodes, and between the two workflows. */
const GAP = 60;
const YELLOW = { width: 640, height: 660 };
const SECTION = { width: 640, height: 150 };

const bottomOf = (nodes: WorkflowNode[]) =>
	Math.max(...nodes.map((node) => node.position[1] + (isNote(node) ? noteOf(node).height : 150)));
const topOf = (nodes: WorkflowNode[]) => Math.min(...nodes.map(({ position }) => position[1]));
const leftOf = (nodes: WorkflowNode[]) => Math.min(...nodes.map(({ position }) => position[0]));

const movedBy = (x: number, y: number) => (node: WorkflowNode) => ({
	...node,
	position: [node.position[0] + x, node.position[1] + y] as [number, number],
});

/**
 * Puts the workflow of a shop and Class access into one, as a template can be only one. The shop's part then calls the
 * workflow itself, which starts in the part of Class access.
 * @param content the yellow note, in place of theirs
 */
export function withClassAccess(shop: Workflow, classAccess: Workflow, content: string): Workflow {
	const upper = shop.nodes.filter((node) => !isYellow(node)).map(callItself);
	const lower = classAccess.nodes.filter((node) => !isYellow(node));
	const names = [...upper, ...lower].map(({ name }) => name);
	const twice = names.find((name, index) => names.indexOf(name) < index);
	if (twice) throw new Error(`Both workflows have "${twice}".`);

	const left = leftOf([...upper, ...lower]);
	const section = {
		...noteAt('Class Access', [left, bottomOf(upper) + GAP]),
		parameters: {
			...SECTION,
			color: WHITE,
			content:
				'## Class access\nThe part above calls this workflow itself, which then starts here.',
		},
	};
	const below = movedBy(0, bottomOf([section]) + GAP - topOf(lower));
	const yellow = {
		...noteAt('About This Workflow', [left - YELLOW.width - GAP, topOf(upper)]),
		parameters: { ...YELLOW, content },
	};
	return {
		...shop,
		nodes: [yellow, ...upper, section, ...lower.map(below)],
		connections: { ...shop.connections, ...classAccess.connections },
		settings: { ...classAccess.settings, ...shop.settings },
	};
}

function callItself(node: WorkflowNode): WorkflowNode {
	if (node.type !== 'n8n-nodes-base.executeWorkflow') return node;
	const workflowId = { __rl: true, mode: 'id', value: '={{ $workflow.id }}' };
	return { ...node, parameters: { ...node.parameters, workflowId } };
}

const noteAt = (name: string, position: [number, number]) => ({
	name,
	type: 'n8n-nodes-base.stickyNote',
	typeVersion: 1,
	position,
});
