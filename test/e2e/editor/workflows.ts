import { importWorkflow, type SavedWorkflow, type WorkflowNode } from '../../n8n/workflows';
import { CREDENTIAL_TYPE, NODE_TYPE, type World } from '../world';

const DISTANCE = 220;

/** A node of ours, as the editor saves it. */
export function enrollment(name: string, parameters: object): WorkflowNode {
	return {
		name,
		type: NODE_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [CREDENTIAL_TYPE]: { id: null, name } },
	};
}

/** A node that puts out the given items. */
export function source(name: string, items: object[]): WorkflowNode {
	const jsCode = `return ${JSON.stringify(items)}.map((json) => ({ json }));`;
	return {
		name,
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		position: [0, 0],
		parameters: { jsCode },
	};
}

/** A node that passes on what it gets. */
export function passOn(name: string): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
}

/** Saves a workflow that starts by hand and runs the nodes one after the other. */
export async function saveChain(
	{ session, credential }: World,
	name: string,
	steps: WorkflowNode[],
): Promise<SavedWorkflow> {
	const start: WorkflowNode = {
		name: 'When Clicking Execute',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const nodes = [start, ...steps].map((node, index): WorkflowNode => {
		return { ...node, position: [index * DISTANCE, 0] };
	});
	const connections = Object.fromEntries(
		nodes.slice(1).map((node, index) => {
			const before = nodes[index] ?? start;
			return [before.name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }];
		}),
	);
	return await importWorkflow(
		session,
		{ name, nodes, connections },
		{ [CREDENTIAL_TYPE]: credential },
	);
}
