import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOptions } from './engine';
import { jsonOf, OPERATIONS, PYTHON, requestsReceived, useService } from './fixture';

const ROOT = resolve(__dirname, '../..');
const CONTINUE = { onError: 'continueErrorOutput' as const };

let folder: string;
let packageFolder: string;
let workflowCopy: string;

/**
 * Copies the built package, and n8n-workflow for it alone, as an installation can leave them. Everything else that
 * they need comes from this repository.
 */
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'class-enrollment-copy-'));
	packageFolder = join(folder, 'package');
	await mkdir(packageFolder);
	await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	workflowCopy = join(packageFolder, 'node_modules/n8n-workflow');
	const original = join(ROOT, 'node_modules/n8n-workflow');
	for (const part of ['package.json', 'dist/cjs']) {
		await cp(join(original, part), join(workflowCopy, part), { recursive: true });
	}
	for (const part of ['package.json', 'dist']) {
		await cp(join(ROOT, part), join(packageFolder, part), { recursive: true });
	}
	// By its path, because jest may give n8n-workflow of another engine to everything that asks for it by name.
	for (const file of await readdir(join(packageFolder, 'dist'), { recursive: true })) {
		if (file.endsWith('.js')) await replaceImport(join(packageFolder, 'dist', file));
	}
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

async function replaceImport(file: string): Promise<void> {
	const code = await readFile(file, 'utf8');
	await writeFile(file, code.replaceAll('require("n8n-workflow")', `require("${workflowCopy}")`));
}

const fixture = useService();
const student = async (operation: string, parameters = {}, options: Partial<RunOptions> = {}) =>
	await fixture.student(operation, parameters, { packageFolder, ...options });
const classes = async (parameters = {}, options: Partial<RunOptions> = {}) =>
	await fixture.classes(parameters, { packageFolder, ...options });
const statuses = () => fixture.service.requests.map(({ status }) => status);

test('the copies are different', async () => {
	const copy = (await import(require.resolve(workflowCopy))) as { [name: string]: unknown };
	expect(dirname(require.resolve(workflowCopy))).toBe(join(workflowCopy, 'dist/cjs'));
	expect(copy.NodeApiError).toEqual(expect.any(Function));
	expect(copy.NodeApiError).not.toBe(NodeApiError);
	expect(copy.NodeOperationError).not.toBe(NodeOperationError);
	const node = { name: 'Test' } as never;
	expect(new NodeApiError(node, {})).not.toBeInstanceOf(copy.NodeApiError);

	const code = await readFile(
		join(packageFolder, 'dist/nodes/ClassEnrollment/ClassEnrollment.node.js'),
		'utf8',
	);
	expect(code).toContain(`require("${workflowCopy}")`);
	expect(code).not.toContain('require("n8n-workflow")');
});

test.each(OPERATIONS)('$name works', async (operation) => {
	const { error, items } = await fixture.run(operation, {}, { packageFolder });
	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThan(0);
	expect(statuses()).toEqual([200]);
});

describe('a refused connection', () => {
	test('is explained', async () => {
		const { baseUrl } = fixture.service;
		await fixture.service.close();
		const { error } = await student('addToClass', { requestOptions: { maxRetries: 0 } });
		expect(error?.message).toBe(
			`No response from ${baseUrl}/classe/${PYTHON.id}/add-student: connection refused`,
		);
		expect(error?.description).toContain('Nothing was changed. Check the Base URL');
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	});

	test('is tried again', async () => {
		const { port } = new URL(fixture.service.baseUrl);
		await fixture.service.close();
		const running = student('addToClass');
		const { startService } = await import('../service/service');
		await sleep(150);
		const revived = await startService({ port: Number(port) });
		revived.classes.addClass(PYTHON);
		const { error } = await running;
		await revived.close();
		expect(error).toBeUndefined();
		expect(revived.requests).toHaveLength(1);
	});
});

test.each([
	[400, 'The service rejected the request (status 400): Told to fail', 'Check the class and'],
	[401, 'The service did not accept the access token (status 401)', 'Check the Access Token'],
	[
		500,
		'The service returned a server error (status 500): Told to fail with 500',
		'It is unknown whether',
	],
])('status %i is explained, for its item', async (status, message, description) => {
	fixture.service.temper = {
		failWith: { status, only: ({ body }) => JSON.stringify(body).includes('second@') },
	};
	const { error } = await student(
		'addToClass',
		{ email: '={{ $json.email }}', requestOptions: { maxConcurrentRequests: 1 } },
		{ items: ['first', 'second', 'third'].map((name) => ({ email: `${name}@example.com` })) },
	);
	expect(error?.message).toContain(message);
	expect(error?.description).toContain(description);
	expect(error?.description).toContain('Processed 1 of 3 items (0).');
	expect(error?.context).toMatchObject({ itemIndex: 1 });
	expect(error?.httpCode).toBe(String(status));
	expect(statuses()).toEqual([200, status]);
});

test('an invalid value is explained, for its item', async () => {
	const { error } = await student('addToClass', { email: 'nobody' });
	expect(error?.message).toMatch(/^'Email' is not an .*address: "nobody" \[item 0\]$/);
	expect(error?.context).toMatchObject({ itemIndex: 0 });
	expect(fixture.service.requests).toEqual([]);
});

test('a request is sent again after a 503', async () => {
	fixture.service.temper = {
		failWith: { status: 503, times: 1, headers: { 'Retry-After': '0' } },
	};
	expect((await student('addToClass')).error).toBeUndefined();
	expect(statuses()).toEqual([503, 200]);
});

test('reading is tried again after a reset connection, and writing is not', async () => {
	fixture.service.temper = { drop: { when: 'before', times: 1 } };
	const { error, items } = await classes();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(statuses()).toEqual([undefined, 200]);

	fixture.service.resetRecord();
	fixture.service.temper = { drop: { when: 'before', times: 1 } };
	const refused = await student('sendMagicLink');
	expect(refused.error?.message).toMatch(/^No response from .*the connection was closed$/);
	expect(refused.error?.description).toContain('It is unknown whether');
	expect(statuses()).toEqual([undefined]);
});

// What is cancelled takes longer than a test may.
test.each([
	['a request', { latencyMs: 30_000 }],
	['the wait for a retry', { failWith: { status: 429, headers: { 'Retry-After': '30' } } }],
])('%s ends when the execution is cancelled', async (_what, temper) => {
	fixture.service.temper = temper;
	const cancel = new AbortController();
	const running = student('addToClass', {}, { cancel: cancel.signal });
	await requestsReceived(fixture.service, 1);
	cancel.abort();
	const { error, items } = await running;
	expect(error?.message).toBe('The execution was cancelled');
	expect(items).toEqual([]);
	expect(fixture.service.requests).toHaveLength(1);
});

test('Return All reads every page', async () => {
	for (let n = 0; n < 58; n++) fixture.service.classes.addClass({ name: `Class ${n}` });
	const { error, items } = await classes({ returnAll: true, options: { pageSize: 20 } });
	expect(error).toBeUndefined();
	expect(new Set(jsonOf(items).map(({ id }) => id)).size).toBe(60);
	expect(items).toHaveLength(60);
	expect(fixture.service.requests.length).toBeGreaterThanOrEqual(3);
});

test('Add Many finds the row that the service refuses', async () => {
	fixture.service.temper = { rejectEmails: ['student-3@example.com'] };
	const items = Array.from({ length: 8 }, (_, n) => ({ email: `student-${n}@example.com` }));
	const {
		items: added,
		errorItems,
		error,
	} = await student('addManyToClass', {}, { items, ...CONTINUE });
	expect(error).toBeUndefined();
	expect(added).toHaveLength(7);
	expect(errorItems).toEqual([
		expect.objectContaining({
			json: {
				email: 'student-3@example.com',
				error: expect.stringMatching(
					/^student-3@example\.com was not added \(item 3\): .*Email not accepted/,
				),
			},
		}),
	]);
});

test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'an item that fails comes out under %s',
	async (onError) => {
		fixture.service.temper = { rejectEmails: ['bad@example.com'] };
		const result = await student(
			'sendMagicLink',
			{ email: '={{ $json.email }}' },
			{ items: [{ email: 'bad@example.com' }, { email: 'student@example.com' }], onError },
		);
		expect(result.error).toBeUndefined();
		const error = expect.stringContaining('Email not accepted: bad@example.com') as string;
		const success = expect.objectContaining({ success: true, email: 'student@example.com' });
		if (onError === 'continueErrorOutput') {
			expect(jsonOf(result.errorItems)).toEqual([{ email: 'bad@example.com', error }]);
			expect(jsonOf(result.items)).toEqual([success]);
		} else {
			expect(jsonOf(result.items)).toEqual([{ error, email: 'bad@example.com' }, success]);
		}
	},
);
