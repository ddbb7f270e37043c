import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findDataTable, type DataTable } from '../n8n/dataTables';
import { runWorkflow } from '../n8n/executions';
import {
	createCredential,
	importWorkflow,
	type CredentialReference,
	type SavedWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../n8n/workflows';
import { SECRET } from './shop';
import { CREDENTIAL_TYPE, NODE_TYPE, TRIGGER_TYPE, type World } from './world';

/** The credential type with which the examples use a node. */
const CREDENTIAL_TYPES: Record<string, string> = {
	[NODE_TYPE]: CREDENTIAL_TYPE,
	[`${NODE_TYPE}Tool`]: CREDENTIAL_TYPE,
	[TRIGGER_TYPE]: CREDENTIAL_TYPE,
	'n8n-nodes-base.webhook': 'httpHeaderAuth',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

const FOLDER = join(__dirname, '../../examples');

export type ExampleName =
	| 'agent'
	| 'agent-with-approval'
	| 'bulk-import'
	| 'class-is-full'
	| 'class-report'
	| 'nightly-removal'
	| 'payment-to-sign-in-link'
	| 'refund';

/** What a user selects or changes after importing an example. */
export interface Choices {
	/** By credential type. n8n selects the credential for the service, because there is only one. */
	credentials?: Record<string, CredentialReference>;
	/** Parameters by the name of the node. */
	parameters?: Record<string, object>;
}

/** Reads an example from its file. */
export function readExample(name: ExampleName): Workflow {
	return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Workflow;
}

/** Imports an example with the choices that it leaves to the user. */
export async function importExample(
	{ session, credential }: World,
	example: ExampleName | Workflow,
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

/** Imports the payment example and creates its data table, as a user does. */
export async function setUpPayments(
	world: World,
): Promise<{ workflow: SavedWorkflow; table: DataTable; secret: CredentialReference }> {
	const { session } = world;
	const httpHeaderAuth = await createCredential(
		session,
		'httpHeaderAuth',
		'Secret of the shop',
		SECRET,
	);
	const workflow = await importExample(world, 'payment-to-sign-in-link', {
		credentials: { httpHeaderAuth },
	});
	const { error } = await runWorkflow(session, workflow, 'Set Up Once');
	if (error) throw new Error(`The data table could not be created: ${error.message}`);
	return {
		workflow,
		table: await findDataTable(session, 'class_access'),
		secret: httpHeaderAuth,
	};
}

/** Copies a workflow with other parameters, by the name of the node. */
export function withParameters<Given extends { nodes: WorkflowNode[] }>(
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
