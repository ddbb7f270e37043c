import type { Workflow, WorkflowNode } from '../n8n/workflows';

/** One way to do a job in n8n. */
export interface Way {
	key: string;
	title: string;
	/** The nodes that make it up, in their order; what is before them is the same in all ways. */
	nodes: WorkflowNode[];
}

export const CREDENTIAL_TYPE = 'classEnrollmentApi';
export const GENERIC_CREDENTIAL_TYPE = 'httpBearerAuth';
export const STUDENTS_NODE = 'Students';

type NodeSpec = Pick<WorkflowNode, 'name' | 'type' | 'typeVersion' | 'parameters'> &
	Partial<WorkflowNode>;

/** A node of a workflow; its place is set when the workflow is made. */
export const node = (spec: NodeSpec): WorkflowNode => ({ position: [0, 0], ...spec });

/** The node under test. */
export const classEnrollment = (name: string, parameters: object): WorkflowNode =>
	node({
		name,
		type: 'n8n-nodes-class-enrollment.classEnrollment',
		typeVersion: 1,
		parameters,
		credentials: { [CREDENTIAL_TYPE]: { id: null, name: '' } },
	});

/** n8n's own node, with the generic bearer credential, which costs it less than the predefined one. */
export const httpRequest = (parameters: object): WorkflowNode =>
	node({
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: GENERIC_CREDENTIAL_TYPE,
			...parameters,
		},
		credentials: { [GENERIC_CREDENTIAL_TYPE]: { id: null, name: '' } },
	});

export const splitOut = (name: string, fieldToSplitOut: string): WorkflowNode =>
	node({
		name,
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut, options: {} },
	});

/**
 * A workflow as it runs in production: a webhook that brings the students, and answers when all is done.
 * Its executions are saved, as n8n does unless told otherwise: they hold the time that each node took.
 */
export function toWorkflow({ key, title, nodes }: Way): Workflow {
	const webhook = node({
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: {
			httpMethod: 'POST',
			path: key,
			responseMode: 'lastNode',
			responseData: 'noData',
			options: {},
		},
		webhookId: key,
	});
	const chain = [webhook, splitOut(STUDENTS_NODE, 'body.students'), ...nodes];
	const links = chain
		.slice(1)
		.map(({ name }, index) => [
			chain[index]?.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	return {
		name: title,
		nodes: chain.map((each, index) => ({ ...each, position: [index * 220, 0] })),
		connections: Object.fromEntries(links) as object,
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
	};
}
