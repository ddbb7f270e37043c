import type { WorkflowNode } from '../n8n/workflows';
import { CLASS_ID } from './students';
import { classEnrollment, httpRequest, node, splitOut, type Way } from './workflows';

export const STUDENTS_PER_REQUEST = 100;
export const CLASSES_PER_PAGE = 100;

const inClass = { classId: { __rl: true, mode: 'id', value: CLASS_ID } };

export const addMany: Way = {
	key: 'add-many',
	title: 'Add Many to Class',
	nodes: [
		classEnrollment('Add Many to Class', {
			resource: 'student',
			operation: 'addManyToClass',
			...inClass,
			studentsFrom: 'inputItems',
			accessExpiration: 'field',
			options: { batchSize: STUDENTS_PER_REQUEST },
		}),
	],
};

export const addToClass: Way = {
	key: 'add-to-class',
	title: 'Add to Class',
	nodes: [
		classEnrollment('Add to Class', {
			resource: 'student',
			operation: 'addToClass',
			...inClass,
			email: '={{ $json.email }}',
			name: '={{ $json.name }}',
			accessExpiration: 'date',
			expirationDate: '={{ $json.expirationDate }}',
		}),
	],
};

/** The HTTP Request node with a request for every student. */
export const httpEach = (baseUrl: string): Way => ({
	key: 'http-each',
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

/** The HTTP Request node behind a Code node that makes the bodies: what comes to mind first. */
export const httpCodeBatch = (baseUrl: string): Way => ({
	key: 'http-code-batch',
	title: 'HTTP Request, batches by a Code node',
	nodes: [
		node({
			name: 'Batches',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: {
				jsCode: `const students = $input.all().map(({ json }) => json);
const batches = [];
for (let first = 0; first < students.length; first += ${STUDENTS_PER_REQUEST}) {
	const batch = students.slice(first, first + ${STUDENTS_PER_REQUEST});
	batches.push({ json: { body: JSON.stringify({ students: batch }) } });
}
return batches;`,
			},
		}),
		httpBatch(baseUrl),
	],
});

/**
 * The fastest that was found with n8n's own nodes: one expression makes all bodies, as texts, because objects take
 * longer on their way out of the expression engine.
 */
export const httpExpressionBatch = (baseUrl: string): Way => ({
	key: 'http-expression-batch',
	title: 'HTTP Request, batches by one expression',
	nodes: [
		node({
			name: 'Batches',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			executeOnce: true,
			parameters: {
				assignments: {
					assignments: [
						{
							id: 'body',
							name: 'body',
							type: 'array',
							value: `={{ $input.all().map(({ json }) => json).chunk(${STUDENTS_PER_REQUEST}).map((students) => JSON.stringify({ students })) }}`,
						},
					],
				},
				options: {},
			},
		}),
		splitOut('Each Batch', 'body'),
		httpBatch(baseUrl),
	],
});

export const getMany: Way = {
	key: 'get-many',
	title: 'Get Many, Return All',
	nodes: [
		classEnrollment('Get Many', {
			resource: 'class',
			operation: 'getAll',
			returnAll: true,
			options: { pageSize: CLASSES_PER_PAGE },
		}),
	],
};

/** The HTTP Request node's own pagination, told so that it asks for no page in vain, and then a class an item. */
export const httpPages = (baseUrl: string): Way => ({
	key: 'http-pages',
	title: 'HTTP Request with its pagination',
	nodes: [
		httpRequest({
			url: `${baseUrl}/classe`,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'pageSize', value: String(CLASSES_PER_PAGE) }] },
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
						},
						paginationCompleteWhen: 'other',
						completeExpression: `={{ $pageCount * ${CLASSES_PER_PAGE} >= $response.body.totalRecords }}`,
					},
				},
			},
		}),
		splitOut('Classes', 'data'),
	],
});

export const noOperation: Way = {
	key: 'no-operation',
	title: 'No Operation in its place',
	nodes: [
		node({
			name: 'No Operation',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			parameters: {},
		}),
	],
};

export const nothing: Way = { key: 'nothing', title: 'Nothing in its place', nodes: [] };
