import { randomUUID } from 'node:crypto';

import { jsonOf, outputOf } from '../n8n/executions';
import { freePort } from '../n8n/ports';
import { itemsNodes, type WorkflowNode } from '../n8n/workflows';
import { received } from '../service/service';
import {
	byId,
	EMAIL_OF_ITEM,
	ONE_BY_ONE,
	OPERATIONS,
	PYTHON,
	rows,
	RUST,
} from '../workflow/operations';
import { enrollment, NODE, runChain, student } from './workflows';
import { startPostgresql } from './queue/postgresql';
import { keepLogOnFailure, startAll, startWorld, temporaryFolder, useWorld } from './world';

const ENGINE_2 = { executionOrder: 'v1', engineType: 'v2' };
const ID_IN_ENGINE_2 = /^[\da-f]+-/;
const CONTINUE = { onError: 'continueRegularOutput' };
const inPython = { classId: byId(PYTHON.id) };

/** Starts an n8n that has both engines. Engine 2.0 keeps its executions in PostgreSQL. */
const world = useWorld(
	async () =>
		await startAll(async (cleanUps) => {
			const database = await startPostgresql(await temporaryFolder(cleanUps));
			cleanUps.push(database.stop, keepLogOnFailure(database));
			const { DB_POSTGRESDB_HOST: host, DB_POSTGRESDB_PORT: port } = database.env;
			const { DB_POSTGRESDB_USER: user, DB_POSTGRESDB_DATABASE: name } = database.env;
			const world = await startWorld({
				env: {
					// As in the workflow tests, whose table of operations these tests use.
					GENERIC_TIMEZONE: 'America/Sao_Paulo',
					N8N_ENABLED_MODULES: 'engine-v2',
					N8N_ENGINE_DATABASE_URL: `postgres://${user}@${host}:${port}/${name}`,
					N8N_ENGINE_AUTH_SECRET: randomUUID(),
					N8N_ENGINE_HOST: '127.0.0.1',
					N8N_ENGINE_PORT: String(await freePort('n8n')),
					N8N_ENGINE_CONTROL_PLANE_PORT: String(await freePort('n8n')),
				},
			});
			cleanUps.push(world.stop);
			return world;
		}),
);

beforeEach(() => {
	const { classes } = world.service;
	for (const { id } of classes.listClasses()) classes.deleteClass(id);
	for (const course of [PYTHON, RUST]) classes.addClass(course);
});

/** Runs the node for some items. */
const run = async (items: object[], enroll: WorkflowNode, settings: object = ENGINE_2) =>
	await runChain(world, [...itemsNodes(items), enroll], settings);

const sendLinks = (parameters: object = {}, settings?: object) =>
	student('sendMagicLink', { ...EMAIL_OF_ITEM, ...parameters }, settings);
const withRow = (index: number, email: string) =>
	rows(20).map((row, n) => (n === index ? { email } : row));

describe('Engine 2.0', () => {
	it.each(OPERATIONS)('runs $name', async (tested) => {
		const { resource, operation, valid, everything, request, output } = tested;
		world.service.classes.enroll([PYTHON.id, RUST.id], [{ email: 'student@example.com' }]);
		const parameters = { resource, operation, ...valid, ...everything };
		const execution = await run([{}], enrollment(NODE, parameters));
		expect(execution.error).toBeUndefined();
		expect(execution.id).toMatch(ID_IN_ENGINE_2);
		expect(received(world.service)).toEqual([{ query: {}, ...request }]);
		expect(jsonOf(execution, NODE)).toEqual([output]);
	});

	it('adds 300 students in 3 requests', async () => {
		const execution = await run(rows(300), student('addManyToClass', inPython));
		expect(jsonOf(execution, NODE)).toMatchObject(rows(300));
		expect(world.service.requests).toHaveLength(3);
	});

	it.each([
		['', 12, {}],
		[', in batches', 0, { batching: { batch: { batchSize: 1, batchInterval: 1000 } } }],
	])('sends no magic link if one address is invalid%s', async (_, index, requestOptions) => {
		const items = withRow(index, 'nobody').slice(0, index + 3);
		const { status, error } = await run(items, sendLinks({ requestOptions }));
		expect(status).toBe('error');
		expect(error?.message).toContain("'Email' is not an email address");
		expect(error?.message).toContain(`item ${index}`);
		// Engine 2.0 shows none.
		expect(error?.description).toBeFalsy();
		expect(world.service.requests).toEqual([]);
	});

	it('stops after the magic link that is refused', async () => {
		const execution = await run(withRow(5, 'admin@example.com'), sendLinks(ONE_BY_ONE));
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain('administrative account');
		expect(world.service.requests).toHaveLength(6);
	});

	it('lets the others go on with "continue"', async () => {
		const items = withRow(5, 'admin@example.com');
		items[12] = { email: 'nobody' };
		const execution = await run(items, sendLinks({}, CONTINUE));
		expect(execution.status).toBe('success');
		const output = outputOf(execution, NODE);
		expect(output.map(({ pairedItem }) => pairedItem)).toMatchObject(
			items.map((_, item) => ({ item })),
		);
		expect(output.flatMap(({ json }, n) => (json.error ? [n] : []))).toEqual([5, 12]);
		expect(world.service.magicLinks).toHaveLength(18);
	});
});
