import { WorkflowExecute } from 'n8n-core';
import { type IDataObject, type INodeType, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import {
	additionalDataOf,
	dataAtStart,
	loadPackage,
	nodeOf,
	nodeTypesOf,
	nodeWith,
	type RunOptions,
	testNode,
} from './engine';

const AGENT_TYPE = 'test.agent';

interface Tool {
	invoke: (args: IDataObject) => Promise<string>;
}

/**
 * Calls the node as a tool, in the way in which n8n's older agents and MCP do.
 * @param calls the arguments of each call
 * @returns for each the `result`, or the message of its `error`
 */
export async function callTool(
	{ parameters, credential, maxTries, onError }: RunOptions,
	calls: IDataObject[],
	when: 'at the same moment' | 'in turn' = 'at the same moment',
): Promise<object[]> {
	const loader = await loadPackage();
	let results: object[] = [];
	const agent = testNode(
		async function () {
			const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as [Tool];
			const invoke = async (args: IDataObject) => {
				try {
					return { result: JSON.parse(await tool.invoke(args)) as unknown };
				} catch (error) {
					return { error: (error as Error).message };
				}
			};
			if (when === 'at the same moment') results = await Promise.all(calls.map(invoke));
			else for (const call of calls) results.push(await invoke(call));
			return [[{ json: {} }]];
		},
		[NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
	);
	const agentNode = nodeWith('Agent', AGENT_TYPE);
	const node = nodeOf({ parameters, maxTries, onError });
	const known = nodeTypesOf(loader, 'routing');
	const byName = (name: string) =>
		name === AGENT_TYPE ? agent : asTool(known.getByNameAndVersion(name));
	const workflow = new Workflow({
		id: 'test',
		active: false,
		nodes: [agentNode, node],
		connections: {
			[node.name]: { ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
		},
		nodeTypes: { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) },
		settings: { executionOrder: 'v1' },
	});
	const run = await new WorkflowExecute(
		additionalDataOf(loader, credential),
		'trigger',
		dataAtStart(agentNode, [{ json: {} }, { json: {} }]),
	).processRunExecutionData(workflow);
	if (run.data.resultData.error) throw run.data.resultData.error;
	return results;
}

function asTool(type: INodeType): INodeType {
	const description = { ...type.description, inputs: [], outputs: [NodeConnectionTypes.AiTool] };
	return Object.create(type, { description: { value: description } }) as INodeType;
}
