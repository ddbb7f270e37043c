import { LoadOptionsContext } from 'n8n-core';
import { type INodeType, Workflow } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { additionalDataOf, loadPackage, nodeOf, nodeTypesOf, type RunOptions } from './engine';
import { CHECK_BASE_URL } from '../../nodes/ClassEnrollment/transport/advice';
import type { Temper } from '../service/service';
import { indexes, PYTHON, useService } from './fixture';
import { NOT_TRUSTED, useUntrustedService } from './tls/service';

const fixture = useService();
const { trusting } = useUntrustedService();

async function editor(credential: RunOptions['credential'] = fixture.service) {
	const loader = await loadPackage();
	const node = nodeOf({ parameters: { resource: 'student', operation: 'addToClass' } });
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: nodeTypesOf(loader, 'step'),
	});
	const additionalData = additionalDataOf(loader, credential);
	additionalData.currentNodeParameters = node.parameters;
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	const { methods } = loader.getNode('classEnrollment').type as INodeType;
	return {
		options: async () => await methods!.loadOptions!.getClasses!.call(context),
		search: async (filter?: string) =>
			await methods!.listSearch!.searchClasses!.call(context, filter),
	};
}

test.each<Temper>([
	{},
	{ firstPage: 0, omitTotalRecords: true },
	{ maxPageSize: 30, firstPage: 0 },
])('one class: the whole list at once, each class once: %j', async (temper) => {
	fixture.addClasses(235);
	fixture.service.temper = temper;
	const { search } = await editor();
	const { results, paginationToken } = await search();
	expect(paginationToken).toBeUndefined();
	expect(new Set(results.map(({ value }) => value)).size).toBe(237);
	expect(results).toHaveLength(237);
});

test('one class: the service searches the names', async () => {
	const { results } = await (await editor()).search(' pyth ');
	expect(results.map(({ name }) => name)).toEqual(['Python']);
	expect(fixture.service.requests[0]!.query).toMatchObject({ query: 'pyth' });
	expect((await (await editor()).search('nothing')).results).toEqual([]);
});

test.each([
	['many', true],
	[null, true],
	[101, false],
])('one class: a list of 101 with the total %j goes on: %j', async (totalRecords, goesOn) => {
	const data = indexes(101).map((n) => ({ id: `class-${n}`, name: `${n}` }));
	fixture.service.temper = { answerJson: { data, totalRecords } };
	expect((await (await editor()).search()).results).toHaveLength(101);
	expect(fixture.service.requests.length > 1).toBe(goesOn);
});

test('one class: what has no ID, or one that JavaScript has rounded, cannot be chosen', async () => {
	const rounded = '{"id": 9007199254740993, "name": "Rounded"}';
	const text = `{"data": [{"id": 7, "name": "Seven"}, {"name": "None"}, ${rounded}]}`;
	fixture.service.temper = { failWith: { status: 200, text } };
	expect((await (await editor()).search()).results).toEqual([{ name: 'Seven', value: '7' }]);
});

test('one class: at most 1,000 are listed, since the others are found by their names', async () => {
	fixture.addClasses(1100);
	const { results, paginationToken } = await (await editor()).search();
	expect(results).toHaveLength(1000);
	expect(paginationToken).toBeUndefined();
	expect(fixture.service.requests.length).toBeLessThanOrEqual(12);
});

test('what is wrong is said', async () => {
	fixture.service.temper = { failWith: { status: 401 } };
	await expect((await editor()).search()).rejects.toThrow('token not accepted');
	await expect((await editor()).options()).rejects.toThrow('token not accepted');
	fixture.service.temper = { failWith: { status: 404 } };
	const error: unknown = await (await editor()).options().catch((reason: unknown) => reason);
	expect(error).toMatchObject({ description: CHECK_BASE_URL });
});

test('after a page that cannot be read, nothing more is asked for', async () => {
	fixture.addClasses(3000);
	fixture.service.temper = { failWith: { status: 400, only: ({ query }) => query.page === '3' } };
	await expect((await editor()).options()).rejects.toThrow('(status 400)');
	await sleep(60_000);
	expect(fixture.service.requests.length).toBeLessThan(20);
});

const TOO_SLOW = 'The class list took longer than 15 seconds';
test.each<[Temper, says: string, seconds: number]>([
	[{ latencyMs: Infinity }, TOO_SLOW, 15],
	[{ answerRaw: 'HTTP/1.1 101 Up\r\nUpgrade: none\r\nConnection: Upgrade\r\n\r\n' }, TOO_SLOW, 15],
	[{ latencyMs: 6000, omitTotalRecords: true }, TOO_SLOW, 15],
	[{ failWith: { status: 503 } }, "The service isn't available", 15],
	[
		{ failWith: { status: 503, headers: { 'Retry-After': '8' } } },
		"The service isn't available",
		15,
	],
	// At once, since it asks for longer.
	[{ failWith: { status: 429, headers: { 'Retry-After': '60' } } }, 'Too many requests', 0],
])('a service that is too slow is given up after 15 seconds: %j', async (temper, says, seconds) => {
	fixture.service.temper = temper;
	for (const list of ['search', 'options'] as const) {
		const began = Date.now();
		await expect((await editor())[list]()).rejects.toThrow(says);
		expect(Date.now() - began).toBeLessThan(1000 * seconds + 500);
	}
});

test('a self-signed certificate is accepted where the credential says so', async () => {
	const python = { name: 'Python', value: PYTHON.id };
	expect((await (await editor(trusting(true))).search()).results).toEqual([python]);
	expect(await (await editor(trusting(true))).options()).toEqual([python]);
	await expect((await editor(trusting(false))).search()).rejects.toThrow(NOT_TRUSTED);
	await expect((await editor(trusting(false))).options()).rejects.toThrow(NOT_TRUSTED);
});
