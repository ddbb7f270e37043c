import { runWorkflow } from '../n8n/executions';
import {
	connectInOrder,
	importWorkflow,
	node,
	type SavedWorkflow,
	type WorkflowNode,
} from '../n8n/workflows';
import { CREDENTIAL_TYPE, NODE_TYPE, TRIGGER_TYPE, type World } from './world';

/** The name of our node, as the editor adds it. */
export const NODE = 'Class Enrollment';
/** The manual trigger of a chain. */
export const START = 'When Clicking Execute';

/** Our node, as the editor saves it, with settings such as On Error. */
export function enrollment(name: string, parameters: object, settings: object = {}): WorkflowNode {
	return {
		name,
		type: NODE_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [CREDENTIAL_TYPE]: { id: null, name } },
		...settings,
	};
}

/** Our node with an operation on students. */
export function student(operation: string, parameters: object, settings?: object): WorkflowNode {
	return enrollment(NODE, { resource: 'student', operation, ...parameters }, settings);
}

/** Our trigger, as the editor saves it. */
export function trigger(name: string, parameters: object): WorkflowNode {
	return enrollment(name, parameters, { type: TRIGGER_TYPE });
}

/** A node that outputs the given items. */
export function source(name: string, items: object[]): WorkflowNode {
	const jsCode = `return ${JSON.stringify(items)}.map((json) => ({ json }));`;
	return node(name, 'code', 2, { jsCode });
}

/** A node that outputs its input. */
export const passOn = (name: string) => node(name, 'noOp', 1);

type Target = Pick<World, 'session' | 'credential'>;

/** Saves a workflow with a manual trigger and the given nodes in order. */
export async function saveChain(
	target: Target,
	name: string,
	steps: WorkflowNode[],
	settings?: object,
): Promise<SavedWorkflow> {
	return await saveWorkflow(target, name, [node(START, 'manualTrigger', 1), ...steps], settings);
}

/** Saves a workflow with the given nodes in order. */
export async function saveWorkflow(
	{ session, credential }: Target,
	name: string,
	nodes: WorkflowNode[],
	settings?: object,
): Promise<SavedWorkflow> {
	const workflow = { name, ...connectInOrder(nodes), settings };
	return await importWorkflow(session, workflow, { [CREDENTIAL_TYPE]: credential });
}

/** Saves and runs a workflow with a manual trigger and the given nodes in order. */
export async function runChain(target: Target, steps: WorkflowNode[], settings?: object) {
	const workflow = await saveChain(target, 'Run', steps, settings);
	return await runWorkflow(target.session, workflow, START);
}
