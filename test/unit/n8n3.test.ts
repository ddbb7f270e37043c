import type { WorkflowNode } from '../n8n/workflows';
import { EXAMPLES, readExample } from '../e2e/examples';

const SEVERAL_OUTPUTS = /\.(if|switch|splitInBatches|textClassifier|compareDatasets)$/;

const isOfType = ({ type }: WorkflowNode, name: string) => type.endsWith(`.${name}`);
const parameter = ({ parameters }: WorkflowNode, name: string) =>
	(parameters as Record<string, unknown>)[name];
const contains = ({ parameters }: WorkflowNode, text: string) =>
	JSON.stringify(parameters).includes(text);

/** What n8n 3 removes or changes. A real n8n knows more: see e2e/migrationReport. */
const GONE: Array<[what: string, isUsed: (node: WorkflowNode) => boolean]> = [
	[
		"Execute Sub-workflow's Run once for each item",
		(node) => isOfType(node, 'executeWorkflow') && parameter(node, 'mode') === 'each',
	],
	[
		'sub-workflows from a URL or a file',
		(node) => ['url', 'localFile'].includes(String(parameter(node, 'source'))),
	],
	['$getPairedItem', (node) => contains(node, '$getPairedItem')],
	['$evaluateExpression in a Code node', (node) => contains(node, '$evaluateExpression')],
	[
		'Always Output Data on a node with several outputs',
		(node) =>
			node.alwaysOutputData === true &&
			(SEVERAL_OUTPUTS.test(node.type) || node.onError === 'continueErrorOutput'),
	],
	['version 1 of the AI Agent', (node) => isOfType(node, 'agent') && node.typeVersion < 2],
	// A Code node may take a minute, not five.
	['waiting in a Code node', (node) => isOfType(node, 'code') && contains(node, 'setTimeout')],
];

test.each(EXAMPLES)('%s uses nothing that n8n 3 removes or changes', (name) => {
	const used = readExample(name).nodes.flatMap((node) =>
		GONE.filter(([, isUsed]) => isUsed(node)).map(([what]) => `${node.name}: ${what}`),
	);
	expect(used).toEqual([]);
});
