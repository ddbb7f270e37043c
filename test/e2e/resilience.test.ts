import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { outputOf, runWorkflow, type Execution } from '../n8n/executions';
import { freePort } from '../n8n/ports';
import {
	connectInOrder,
	createCredential,
	importWorkflow,
	type CredentialReference,
	type WorkflowNode,
	itemsNodes,
	node,
} from '../n8n/workflows';
import { startService, type Service } from '../service/service';
import { CREDENTIAL_TYPE, NODE_TYPE, startWorld, type World } from './world';

const CLASS_ID = 'class-python';
const START = 'Start';
const ENROLL = 'Class Enrollment';

let world: World;

beforeAll(async () => {
	world = await startWorld();
	world.service.classes.addClass({ id: CLASS_ID, name: 'Python' });
});

afterAll(async () => await world?.stop());

beforeEach(() => {
	world.service.temper = {};
	world.service.resetRecord();
});

afterEach(() => expect(world.service.violations).toEqual([]));

interface RunOptions {
	before: WorkflowNode[];
	parameters: object;
	/** Settings of the node, such as `onError`. */
	settings?: object;
	credential?: CredentialReference;
}

/** Runs a workflow in which the node comes last. */
async function run(options: RunOptions): Promise<Execution> {
	const { before, parameters, settings, credential = world.credential } = options;
	const enroll: WorkflowNode = {
		name: ENROLL,
		type: NODE_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'student', ...parameters },
		credentials: { [CREDENTIAL_TYPE]: credential },
		...settings,
	};
	const workflow = await importWorkflow(world.session, {
		name: 'Resilience',
		...connectInOrder([node(START, 'manualTrigger', 1), ...before, enroll]),
	});
	return await runWorkflow(world.session, workflow, START);
}

const THREE_TRIES = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
const ERROR_OUTPUT = { onError: 'continueErrorOutput' };
const inClass = { __rl: true, mode: 'id', value: CLASS_ID };
const byItem = { email: '={{ $json.email }}' };
const emailOf = (name: string) => `${name}@example.com`;
const itemsOf = (...names: string[]) => names.map((name) => ({ email: emailOf(name) }));

/** The emails in the requests, one for each request. */
const emailsSent = () =>
	world.service.requests.map(({ body }) => (body as { email: string }).email);

const jsonOf = (execution: Execution, output: number) =>
	outputOf(execution, ENROLL, output).map(({ json }) => json);

describe('Retry On Fail', () => {
	it('sends one magic link to each student, however often one before them fails', async () => {
		world.service.temper = { rejectEmails: [emailOf('bad')] };
		const execution = await run({
			before: itemsNodes(itemsOf('bad', 'a', 'b')),
			parameters: { operation: 'sendMagicLink', ...byItem },
			settings: { ...THREE_TRIES, ...ERROR_OUTPUT },
		});
		expect(execution.status).toBe('success');
		expect(world.service.magicLinks.map(({ email }) => email).sort()).toEqual(
			['a', 'b'].map(emailOf),
		);
		expect(emailsSent().filter((email) => email === emailOf('bad'))).toHaveLength(3);
		expect(emailsSent()).toHaveLength(5);
		expect(jsonOf(execution, 0)).toEqual(
			['a', 'b'].map((name) => expect.objectContaining({ success: true, email: emailOf(name) })),
		);
		expect(jsonOf(execution, 1)).toEqual([
			{ email: emailOf('bad'), error: expect.stringContaining('Email not accepted') as string },
		]);
	});

	it('does not remove again whom an earlier try removed', async () => {
		world.service.classes.enroll([CLASS_ID], itemsOf('gone', 'late'));
		world.service.temper = {
			failWith: { status: 500, times: 1, only: ({ body }) => isFor(body, 'late') },
		};
		const execution = await run({
			before: itemsNodes(itemsOf('gone', 'late')),
			parameters: {
				operation: 'removeFromClass',
				classId: inClass,
				...byItem,
				requestOptions: { maxConcurrentRequests: 1 },
			},
			settings: THREE_TRIES,
		});
		expect(execution.error).toBeUndefined();
		expect(emailsSent()).toEqual(['gone', 'late', 'late'].map(emailOf));
		expect(jsonOf(execution, 0)).toEqual(
			['gone', 'late'].map((name) => ({
				deleted: true,
				email: emailOf(name),
				classId: CLASS_ID,
			})),
		);
		expect(world.service.classes.studentsOf(CLASS_ID)).toEqual([]);
	});

	it('ends with the error of the item that keeps failing', async () => {
		world.service.classes.enroll([CLASS_ID], itemsOf('gone'));
		const execution = await run({
			before: itemsNodes(itemsOf('gone', 'stranger')),
			parameters: {
				operation: 'removeFromClass',
				classId: inClass,
				...byItem,
				requestOptions: { maxConcurrentRequests: 1 },
			},
			settings: THREE_TRIES,
		});
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain(`Student ${emailOf('stranger')} not found`);
		expect(execution.error?.description).toContain('Processed 1 of 2 items (0).');
		expect(emailsSent()).toEqual(['gone', 'stranger', 'stranger', 'stranger'].map(emailOf));
	});
});

function isFor(body: unknown, name: string): boolean {
	return (body as { email?: string }).email === emailOf(name);
}

describe('a credential with expressions', () => {
	let other: Service;

	beforeAll(async () => {
		other = await startService({ accessToken: 'token-of-the-other-school' });
		other.classes.addClass({ id: CLASS_ID, name: 'Python' });
	});
	afterAll(async () => await other?.close());

	it.each(['addToClass', 'addManyToClass'])(
		'brings each student of %s to their own school',
		async (operation) => {
			other.resetRecord();
			const credential = await createCredential(world.session, CREDENTIAL_TYPE, 'Schools', {
				baseUrl: '={{ $json.school }}',
				accessToken: '={{ $json.token }}',
			});
			const schools = [world.service, other, world.service, other];
			const execution = await run({
				before: itemsNodes(
					schools.map(({ baseUrl, accessToken }, index) => ({
						email: emailOf(`${operation.toLowerCase()}-${index}`),
						school: baseUrl,
						token: accessToken,
					})),
				),
				parameters: {
					operation,
					classId: inClass,
					...(operation === 'addToClass' ? byItem : {}),
				},
				credential,
			});
			expect(execution.error).toBeUndefined();
			expect(jsonOf(execution, 0)).toHaveLength(4);
			const enrolled = ({ classes }: Service) =>
				classes
					.studentsOf(CLASS_ID)
					.map(({ email }) => email)
					.filter((email) => email.startsWith(operation.toLowerCase()))
					.sort();
			const expected = (...indexes: number[]) =>
				indexes.map((index) => emailOf(`${operation.toLowerCase()}-${index}`));
			expect(enrolled(world.service)).toEqual(expected(0, 2));
			expect(enrolled(other)).toEqual(expected(1, 3));
			expect(other.violations).toEqual([]);
		},
	);
});

it('a service that is down costs 40 items less than 20 seconds', async () => {
	const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
	const credential = await createCredential(world.session, CREDENTIAL_TYPE, 'Down', {
		baseUrl,
		accessToken: 'test-access-token',
	});
	const names = Array.from({ length: 40 }, (_, index) => `student-${index}`);
	const execution = await run({
		before: itemsNodes(itemsOf(...names)),
		parameters: { operation: 'addToClass', classId: inClass, ...byItem },
		settings: ERROR_OUTPUT,
		credential,
	});
	expect(execution.status).toBe('success');
	expect(execution.runData[ENROLL]?.at(-1)?.executionTime).toBeLessThan(20_000);
	expect(jsonOf(execution, 0)).toEqual([]);

	const failed = jsonOf(execution, 1) as Array<{ email: string; error: string }>;
	expect(failed.map(({ email }) => email)).toEqual(names.map(emailOf));
	const isTried = ({ error }: { error: string }) =>
		error.startsWith(
			`No response from ${baseUrl}/classe/${CLASS_ID}/add-student: connection refused`,
		);
	const isNotSent = ({ error }: { error: string }) =>
		error.startsWith('Not sent: the service was down (connection refused)');
	expect(failed.filter((item) => !isTried(item) && !isNotSent(item))).toEqual([]);
	expect(failed.filter(isTried).length).toBeGreaterThan(0);
	expect(failed.filter(isNotSent).length).toBeGreaterThan(0);
	expect(failed.every(({ error }) => error.includes('Nothing was changed.'))).toBe(true);
});

describe('a CSV file', () => {
	let files: Server;
	let text = '';

	beforeAll(async () => {
		files = createServer((_request, response) => {
			response.setHeader('Content-Type', 'text/csv');
			response.setHeader('Content-Disposition', 'attachment; filename="students.csv"');
			response.end(text);
		}).listen(0, '127.0.0.1');
		await once(files, 'listening');
	});
	afterAll(() => files?.close());

	function fileNodes(options: object = {}): WorkflowNode[] {
		const { port } = files.address() as AddressInfo;
		return [
			node('Download', 'httpRequest', 4.2, {
				url: `http://127.0.0.1:${port}/students.csv`,
				options: { response: { response: { responseFormat: 'file' } } },
			}),
			node('Extract', 'extractFromFile', 1, { operation: 'csv', options }),
		];
	}

	const BOM = '\uFEFF';
	const DECOMPOSED = 'pre\u0301nom';

	it.each([
		['with a byte order mark', `${BOM}email,name`, {}, 'name'],
		['with a byte order mark and blanks', `${BOM} email , name `, {}, 'name'],
		['with quoted blanks', '" email "," name "', {}, 'name'],
		// Without this option, n8n refuses a quote after a byte order mark.
		['with a byte order mark and quotes', `${BOM}"email","name"`, { enableBOM: true }, 'name'],
		['with decomposed letters', `${BOM}email,${DECOMPOSED}`, {}, DECOMPOSED.normalize('NFC')],
	])('is imported: a header %s', async (_case, header, options, nameField) => {
		text = `${header}\r\n${emailOf('student')},Zoë\r\n`;
		const execution = await run({
			before: fileNodes(options),
			parameters: { operation: 'addManyToClass', classId: inClass, emailField: 'email', nameField },
		});
		expect(execution.error).toBeUndefined();
		expect(world.service.requests.map(({ body }) => body)).toEqual([
			{ students: [{ email: emailOf('student'), name: 'Zoë' }] },
		]);
		expect(jsonOf(execution, 0)).toEqual([
			{ success: true, email: emailOf('student'), name: 'Zoë', classId: CLASS_ID },
		]);
	});
});
