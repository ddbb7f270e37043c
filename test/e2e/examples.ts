import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findDataTable, insertRows, type Row } from '../n8n/dataTables';
import {
	listExecutions,
	runWorkflow,
	waitForLastExecution,
	type Execution,
} from '../n8n/executions';
import { get, patch, type Session } from '../n8n/session';
import {
	importWorkflow,
	publishWorkflow,
	unpublishWorkflow,
	type CredentialReference,
	type SavedWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../n8n/workflows';
import { eventually } from '../n8n/waiting';
import { CREDENTIAL_TYPE, NODE_TYPE, TRIGGER_TYPE, type World } from './world';

/** The credential type with which the examples use a node. */
const CREDENTIAL_TYPES: Record<string, string> = {
	[NODE_TYPE]: CREDENTIAL_TYPE,
	[`${NODE_TYPE}Tool`]: CREDENTIAL_TYPE,
	[TRIGGER_TYPE]: CREDENTIAL_TYPE,
	'n8n-nodes-base.webhook': 'httpHeaderAuth',
	'n8n-nodes-base.crypto': 'crypto',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

const FOLDER = join(__dirname, '../../examples');

export const EXAMPLES = readdirSync(FOLDER).flatMap((file) => /(.+)\.json$/.exec(file)?.[1] ?? []);

/** What a user selects or changes after importing an example. */
export interface Choices {
	/** By credential type. n8n selects the credential for the service, because there is only one. */
	credentials?: Record<string, CredentialReference>;
	/** Parameters by the name of the node. */
	parameters?: Record<string, object>;
}

/** Reads an example from its file. */
export function readExample(name: string): Workflow {
	return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Workflow;
}

/** Imports an example with the choices that it leaves to the user. */
export async function importExample(
	{ session, credential }: World,
	example: string | Workflow,
	choices: Choices = {},
): Promise<SavedWorkflow> {
	const read = typeof example === 'string' ? readExample(example) : example;
	const workflow = withParameters(read, choices.parameters ?? {});
	const chosen: Record<string, CredentialReference> = {
		[CREDENTIAL_TYPE]: credential,
		...choices.credentials,
	};
	const nodes = workflow.nodes.map((node) => {
		const type = CREDENTIAL_TYPES[node.type];
		return type && chosen[type] ? { ...node, credentials: { [type]: chosen[type] } } : node;
	});
	return await importWorkflow(session, { ...workflow, nodes });
}

/** Sets up Class access as a user does, and enters these products with their classes and months. */
export async function createTables(world: World, products: Row[] = []) {
	const { session } = world;
	const workflow = await importExample(world, 'class-access');
	const { error } = await runWorkflow(session, workflow, 'Every Hour');
	if (error) throw new Error(`The data tables could not be created: ${error.message}`);
	const productTable = await findDataTable(session, 'class_products');
	if (products.length > 0) await insertRows(session, productTable, products);
	const classAccess = await publishWorkflow(session, workflow);
	const access = await findDataTable(session, 'class_sales');
	const students = await findDataTable(session, 'class_students');
	const buyers = await findDataTable(session, 'class_buyers');
	return { classAccess, products: productTable, access, students, buyers };
}

/** Publishes Class access until its schedule has run it once, and returns that execution. */
export const runHour = async (session: Session, workflow: SavedWorkflow): Promise<Execution> =>
	await runSchedule(session, workflow, 'Every Hour');

/** Publishes a workflow until its schedule has run it once, and returns that execution. */
export async function runSchedule(
	session: Session,
	workflow: SavedWorkflow,
	trigger: string,
): Promise<Execution> {
	const count = async () => (await listExecutions(session, workflow.id)).length;
	const before = await count();
	// Soon, and then not for a minute.
	const second = (new Date().getSeconds() + 3) % 60;
	const interval = [{ field: 'cronExpression', expression: `${second} * * * * *` }];
	const saved = await saveParameters(session, workflow, { [trigger]: { rule: { interval } } });
	await publishWorkflow(session, saved);
	await eventually(async () => expect(await count()).toBeGreaterThan(before));
	await unpublishWorkflow(session, saved);
	return await waitForLastExecution(session, workflow.id);
}

/** Copies a workflow with other parameters, by the name of the node. */
function withParameters<Given extends { nodes: WorkflowNode[] }>(
	workflow: Given,
	parameters: Record<string, object>,
): Given {
	const missing = Object.keys(parameters).filter(
		(name) => !workflow.nodes.some((node) => node.name === name),
	);
	if (missing.length > 0) throw new Error(`The workflow has no node ${missing.join(', ')}.`);
	const nodes = workflow.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, ...parameters[node.name] },
	}));
	return { ...workflow, nodes };
}

/** Changes parameters of a saved workflow, as a user does in the editor. What is published stays as it was. */
export async function saveParameters(
	session: Session,
	{ id }: SavedWorkflow,
	parameters: Record<string, object>,
): Promise<SavedWorkflow> {
	const workflow = await get<SavedWorkflow>(session, `/workflows/${id}`);
	const { versionId, connections } = workflow;
	const { nodes } = withParameters(workflow, parameters);
	return await patch(session, `/workflows/${id}`, { versionId, nodes, connections });
}
