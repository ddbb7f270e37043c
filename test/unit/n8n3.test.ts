import { node, type WorkflowNode } from '../n8n/workflows';
import { EXAMPLES, readExample } from '../e2e/examples';

const SEVERAL_OUTPUTS = /\.(if|switch|splitInBatches|textClassifier|compareDatasets)$/;

const isOfType = ({ type }: WorkflowNode, name: string) => type.endsWith(`.${name}`);
const parameter = ({ parameters }: WorkflowNode, name: string) =>
	(parameters as Record<string, unknown>)[name];
const contains = ({ parameters }: WorkflowNode, text: string) =>
	JSON.stringify(parameters).includes(text);

interface Gone {
	what: string;
	isUsed: (node: WorkflowNode) => boolean;
	/** A node that uses it. */
	user: WorkflowNode;
}

/** What n8n 3 removes or changes. A real n8n knows more: see e2e/migrationReport. */
const GONE: Gone[] = [
	{
		what: "Execute Sub-workflow's Run once for each item",
		isUsed: (node) => isOfType(node, 'executeWorkflow') && parameter(node, 'mode') === 'each',
		user: node('Each', 'executeWorkflow', 1.2, { mode: 'each' }),
	},
	{
		what: 'sub-workflows from a URL or a file',
		isUsed: (node) => ['url', 'localFile'].includes(String(parameter(node, 'source'))),
		user: node('File', 'executeWorkflow', 1.2, { source: 'localFile' }),
	},
	{
		what: '$getPairedItem',
		isUsed: (node) => contains(node, '$getPairedItem'),
		user: node('Pair', 'set', 3.4, { value: '={{ $getPairedItem("Each") }}' }),
	},
	{
		what: '$evaluateExpression in a Code node',
		isUsed: (node) => contains(node, '$evaluateExpression'),
		user: node('Evaluate', 'code', 2, { jsCode: 'return $evaluateExpression("1")' }),
	},
	{
		what: 'Always Output Data on a node with several outputs',
		isUsed: (node) =>
			node.alwaysOutputData === true &&
			(SEVERAL_OUTPUTS.test(node.type) || node.onError === 'continueErrorOutput'),
		user: { ...node('Divide', 'if', 2.2, {}), alwaysOutputData: true },
	},
	{
		what: 'version 1 of the AI Agent',
		isUsed: (node) => isOfType(node, 'agent') && node.typeVersion < 2,
		user: { ...node('Agent', 'agent', 1.9, {}), type: '@n8n/n8n-nodes-langchain.agent' },
	},
	{
		// A Code node may take a minute, not five.
		what: 'waiting in a Code node',
		isUsed: (node) => isOfType(node, 'code') && contains(node, 'setTimeout'),
		user: node('Wait', 'code', 2, { jsCode: 'setTimeout(() => {}, 90_000)' }),
	},
];

const goneIn = (node: WorkflowNode) =>
	GONE.filter(({ isUsed }) => isUsed(node)).map(({ what }) => what);

test.each(EXAMPLES)('%s uses nothing that n8n 3 removes or changes', (name) => {
	const used = readExample(name).nodes.flatMap((node) =>
		goneIn(node).map((what) => `${node.name}: ${what}`),
	);
	expect(used).toEqual([]);
});

test.each(GONE)('$what would be found', ({ what, user }) => expect(goneIn(user)).toEqual([what]));
