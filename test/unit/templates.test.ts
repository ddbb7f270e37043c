import { CANDIDATES, templateOf } from '../../examples/templates/candidates';
import { isNote, isYellow, noteOf, TITLE, violationsOf } from '../../examples/templates/rules';
import { EXAMPLES, readExample } from '../e2e/examples';
import type { WorkflowNode } from '../n8n/workflows';

test.each(EXAMPLES)("%s complies with the rules of n8n's template library", (name) => {
	expect(violationsOf(readExample(name))).toEqual([]);
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
