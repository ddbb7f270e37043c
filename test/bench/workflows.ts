import { student } from '../e2e/workflows';
import { connectInOrder, node, type Workflow, type WorkflowNode } from '../n8n/workflows';

/** One approach to a job in n8n. */
export interface Approach {
	title: string;
	/** The nodes that are measured, in order. The nodes before them are the same for every approach. */
	nodes: WorkflowNode[];
}

export const STUDENTS_PER_REQUEST = 100;
export const GENERIC_CREDENTIAL_TYPE = 'httpBearerAuth';

const CLASS_ID = 'class-1';

/** With the generic bearer credential, which makes this node faster than a predefined credential. */
const httpRequest = (parameters: object): WorkflowNode => ({
	...node('HTTP Request', 'httpRequest', 4.5, {
		authentication: 'genericCredentialType',
		genericAuthType: GENERIC_CREDENTIAL_TYPE,
		...parameters,
	}),
	credentials: { [GENERIC_CREDENTIAL_TYPE]: { id: null, name: '' } },
});

const splitOut = (name: string, fieldToSplitOut: string): WorkflowNode =>
	node(name, 'splitOut', 1, { fieldToSplitOut, options: {} });

const addMany: Approach = {
	title: 'Add Many to Class',
	nodes: [
		student('addManyToClass', {
			classId: { __rl: true, mode: 'id', value: CLASS_ID },
			studentsFrom: 'inputItems',
			accessExpiration: 'field',
			options: { batchSize: STUDENTS_PER_REQUEST },
		}),
	],
};

const addToClass: Approach = {
	title: 'Add to Class',
	nodes: [
		student('addToClass', {
			classId: { __rl: true, mode: 'id', value: CLASS_ID },
			email: '={{ $json.email }}',
			name: '={{ $json.name }}',
			accessExpiration: 'date',
			expirationDate: '={{ $json.expirationDate }}',
		}),
	],
};

const httpEach = (baseUrl: string): Approach => ({
	title: 'HTTP Request, one per student',
	nodes: [
		httpRequest({
			method: 'POST',
			url: `${baseUrl}/classe/${CLASS_ID}/add-student`,
			sendBody: true,
			bodyParameters: {
				parameters: ['name', 'email', 'expirationDate'].map((name) => ({
					name,
					value: `={{ $json.${name} }}`,
				})),
			},
			options: {},
		}),
	],
});

const httpBatch = (baseUrl: string): WorkflowNode =>
	httpRequest({
		method: 'POST',
		url: `${baseUrl}/classe/${CLASS_ID}/add-students`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ $json.body }}',
		options: {},
	});

// Strings leave the expression engine faster than objects.
const BATCHES_BY_EXPRESSION = `={{ $input.all().map(({ json }) => json).chunk(${STUDENTS_PER_REQUEST}).map((students) => JSON.stringify({ students })) }}`;

/** The fastest way found with n8n's own nodes. */
const httpExpressionBatch = (baseUrl: string): Approach => ({
	title: 'HTTP Request, batches by one expression',
	nodes: [
		{
			...node('Batches', 'set', 3.4, {
				assignments: {
					assignments: [{ id: 'body', name: 'body', type: 'array', value: BATCHES_BY_EXPRESSION }],
				},
				options: {},
			}),
			executeOnce: true,
		},
		splitOut('Each Batch', 'body'),
		httpBatch(baseUrl),
	],
});

/** All approaches to enroll students: in batches, then one by one. */
export const enrollmentApproaches = (baseUrl: string): Approach[] => [
	addMany,
	httpExpressionBatch(baseUrl),
	addToClass,
	httpEach(baseUrl),
];

/**
 * A workflow as in production: a webhook brings the items, and responds when everything is done.
 * Executions are saved, as is n8n's default, because they contain the time that each node took.
 */
export function toWorkflow({ title, nodes }: Approach, path: string): Workflow {
	const webhook = node('Webhook', 'webhook', 2.1, {
		httpMethod: 'POST',
		path,
		responseMode: 'lastNode',
		responseData: 'noData',
		options: {},
	});
	return {
		name: title,
		...connectInOrder([{ ...webhook, webhookId: path }, splitOut('Items', 'body.items'), ...nodes]),
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
	};
}
