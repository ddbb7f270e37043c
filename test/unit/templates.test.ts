import { CLASS_ACCESS } from '../../examples/classAccess/workflow';
import { CANDIDATES, templateOf } from '../../examples/templates/candidates';
import { isNote, isYellow, noteOf, TITLE, violationsOf } from '../../examples/templates/rules';
import { EXAMPLES, readExample } from '../e2e/examples';
import type { Workflow, WorkflowNode } from '../n8n/workflows';

const nodesOf = ({ nodes }: Workflow) =>
	nodes.filter((node) => !isNote(node)).map(({ name }) => name);
const ALL_NODES = EXAMPLES.flatMap((name) => nodesOf(readExample(name)));

/** The nodes of other workflows, besides Class access, which is also a workflow, that the notes of this one name. */
function foreignNodes(workflow: Workflow): string[] {
	const own = nodesOf(workflow);
	const texts = workflow.nodes.filter(isNote).map((node) => noteOf(node).content);
	const named = texts.flatMap((text) => [...text.matchAll(/\*+(.+?)\*/g)].map(([, name]) => name!));
	return named.filter(
		(name) => ALL_NODES.includes(name) && !own.includes(name) && name !== CLASS_ACCESS,
	);
}

test.each(EXAMPLES)("%s complies with the rules of n8n's template library", (name) => {
	expect(violationsOf(readExample(name))).toEqual([]);
});

test.each([
	...EXAMPLES.map((name) => [name, readExample(name)] as const),
	...CANDIDATES.map((candidate) => [candidate.title, templateOf(candidate)] as const),
])('the notes of %s name its own nodes', (_, workflow) => {
	expect(foreignNodes(workflow)).toEqual([]);
});

// Their notes are those of the examples, unless a candidate has its own.
test.each(CANDIDATES)('$name, as it is submitted, does so, too', (candidate) => {
	expect(candidate.title).toMatch(TITLE);
	expect(violationsOf(templateOf(candidate))).toEqual([]);
});

const leftUnlessYellow = (node: WorkflowNode): Partial<WorkflowNode> =>
	isYellow(node) ? {} : { position: [node.position[0] - 10_000, node.position[1]] };

const shortIfYellow = (node: WorkflowNode): Partial<WorkflowNode> =>
	isYellow(node) ? { parameters: { ...noteOf(node), content: 'It sends a link.' } } : {};

test.each<[string, change: (node: WorkflowNode) => Partial<WorkflowNode>, violation: string]>([
	[
		'a default name',
		(node) => ({ name: isNote(node) ? node.name : 'Send Email 1' }),
		'default name',
	],
	['nodes in one place', () => ({ position: [0, 0] }), 'overlap'],
	['a node to the left of the yellow note', leftUnlessYellow, 'top left'],
	['a yellow note of a sentence', shortIfYellow, 'words'],
])('%s is found', (_, change, violation) => {
	const { nodes, ...workflow } = readExample('lost-link');
	const changed = nodes.map((node) => ({ ...node, ...change(node) }));
	expect(violationsOf({ ...workflow, nodes: changed }).join('\n')).toContain(violation);
});
