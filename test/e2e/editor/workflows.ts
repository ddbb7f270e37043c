import {
	connectInOrder,
	importWorkflow,
	type SavedWorkflow,
	type WorkflowNode,
} from '../../n8n/workflows';
import { CREDENTIAL_TYPE, NODE_TYPE, TRIGGER_TYPE, type World } from '../world';

/** Our node, as the editor saves it. */
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

/** Our trigger, as the editor saves it. */
export function trigger(name: string, parameters: object): WorkflowNode {
	return { ...enrollment(name, parameters), type: TRIGGER_TYPE };
}

/** A node that outputs the given items. */
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

/** A node that outputs its input. */
export function passOn(name: string): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
}

/** Saves a workflow with a manual trigger and the given nodes in order. */
export async function saveChain(
	world: World,
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
	return await saveWorkflow(world, name, [start, ...steps]);
}

/** Saves a workflow with the given nodes in order. */
export async function saveWorkflow(
	{ session, credential }: World,
	name: string,
	nodes: WorkflowNode[],
): Promise<SavedWorkflow> {
	return await importWorkflow(
		session,
		{ name, ...connectInOrder(nodes) },
		{ [CREDENTIAL_TYPE]: credential },
	);
}
