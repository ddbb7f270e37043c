import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestRecord, Temper } from '../service/service';
import type { RunResult } from './engine';
import { CONTINUE, indexes, jsonOf, linkOf, NO_RETRIES, useService, WEB_PAGE } from './fixture';

// Which services a list is read from whole, and in order, is a property in unit/readClasses.test.ts.

const ALL = { returnAll: true };
const NO_TOTAL: Temper = { omitTotalRecords: true };
const fixture = useService();
const GROWING: Temper = {
	onRequest: () => void fixture.service.classes.addClass({ name: 'Another' }),
};

const EMPTY = { status: 200, body: { data: [], totalRecords: 237 } };
/** A list without a total, of which a page fails. */
const broken = (failWith: Temper['failWith'], says: string, firstPage: 0 | 1 = 1) =>
	[{ ...NO_TOTAL, firstPage, failWith }, says] satisfies [Temper, string];

const nameOf = (n: number) => `class-${String(n).padStart(4, '0')}`;
const expectedIds = (count: number) => indexes(count).map(nameOf);
const idsOf = ({ items }: RunResult) => jsonOf(items).map(({ id }) => id);
const isPage =
	(page: string) =>
	({ query }: RequestRecord) =>
		query.page === page;
const pagesAsked = () => fixture.service.requests.map(({ query }) => query.page);

function addClasses(count: number): void {
	const { classes } = fixture.service;
	for (const { id } of classes.listClasses()) classes.deleteClass(id);
	for (const id of expectedIds(count)) classes.addClass({ id, name: id.replace('c', 'C') });
}

describe('Return All', () => {
	test.each<[count: number, temper: Temper, requests: number]>([
		[0, {}, 1],
		[1, {}, 1],
		[24, {}, 1],
		// The total may be that of the page alone, also if the service has cut it down.
		[10, {}, 3],
		[100, {}, 3],
		[101, {}, 3],
		[200, {}, 3],
		[300, {}, 4],
		[50, { firstPage: 0 }, 3],
		[137, { firstPage: 0 }, 2],
		[237, { firstPage: 0 }, 3],
		[237, { maxPageSize: 50 }, 6],
		[237, NO_TOTAL, 5],
		[237, { ...NO_TOTAL, firstPage: 0 }, 4],
	])('%i classes, each once and in order, in few requests: %j', async (count, temper, requests) => {
		addClasses(count);
		fixture.service.temper = temper;
		expect(idsOf(await fixture.classes(ALL))).toEqual(expectedIds(count));
		expect(fixture.service.requests).toHaveLength(requests);
		expect(fixture.service.requests[0]!.query).toEqual({ pageSize: '100' });
	});

	test.each<[Temper, string]>([
		[{ failWith: { status: 400, only: isPage('2') } }, '(status 400)'],
		// The last one, by the total.
		[{ failWith: { status: 404, only: isPage('24') } }, '(status 404)'],
		[{ firstPage: 0, failWith: { status: 500, only: isPage('23') } }, '(status 500)'],
		[{ ...GROWING, failWith: { status: 500, only: isPage('24') } }, 'changed while it was read'],
		[{ failWith: { ...EMPTY, only: isPage('7') } }, 'reports 237 classes but returned only 60'],
		...[404, 500].flatMap((status) => [
			broken({ status, only: isPage('3') }, `(status ${status})`),
			broken({ status, only: isPage('1') }, `(status ${status})`, 0),
		]),
		broken({ status: 200, text: '{}', only: isPage('3') }, 'contains no list of classes'),
		broken({ status: 200, text: '' }, 'contains no list of classes'),
		broken({ status: 200, text: '{"data": null, "error": "Broken"}' }, "can't tell what"),
		broken({ ...WEB_PAGE.failWith!, only: isPage('3') }, 'a web page'),
	])('a page that cannot be read is an error, not the end: %j', async (temper, says) => {
		addClasses(237);
		fixture.service.temper = temper;
		const result = await fixture.classes({ ...ALL, options: { pageSize: 10 }, ...NO_RETRIES });
		expect(result.items).toEqual([]);
		expect(result.error?.message).toContain(says);
	});

	test('after a page that cannot be read, nothing more is asked for', async () => {
		addClasses(3000);
		fixture.service.temper = { failWith: { status: 400, only: isPage('3') } };
		await fixture.classes(ALL, CONTINUE);
		await sleep(60_000);
		expect(fixture.service.requests.length).toBeLessThan(20);
	});

	test.each([400, 401, 404, 429])('a list that is refused throughout: %i', async (status) => {
		fixture.service.temper = { failWith: { status } };
		const result = await fixture.classes({ ...ALL, ...NO_RETRIES });
		expect(result.items).toEqual([]);
		expect(result.error?.message).toContain(`(status ${status}): Told to fail`);
		// Where it may be the page size, that of the service.
		const sizes = [400, 404].includes(status) ? ['100', undefined] : ['100'];
		expect(fixture.service.requests.map(({ query }) => query.pageSize)).toEqual(sizes);
	});

	test.each([
		[{ data: [{ name: 'No ID' }, { name: 'No ID' }] }, 1],
		[{ data: [null, 'x', { id: 'a' }] }, 1],
		[{ data: [{ id: 'a' }], totalRecords: 'nonsense' }, 1],
		[{ data: [{ id: 'a' }, { id: 'b' }], totalRecords: -1 }, 2],
		[{ data: [], totalRecords: 0 }, 0],
	])('strange answers come to an end: %j', async (answer, count) => {
		fixture.service.temper = { answerJson: answer };
		const result = await fixture.classes(ALL);
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(count);
		expect(fixture.service.requests.length).toBeLessThan(25);
	});
});

describe('a limit', () => {
	test.each<[limit: number, temper: Temper, requests: number]>([
		[50, {}, 1],
		[50, { firstPage: 0 }, 1],
		[100, NO_TOTAL, 1],
	])('of %i of 237 takes one request: %j', async (limit, temper, requests) => {
		addClasses(237);
		fixture.service.temper = temper;
		expect(idsOf(await fixture.classes({ limit }))).toEqual(expectedIds(limit));
		expect(fixture.service.requests).toHaveLength(requests);
	});

	test.each([10, 20])('of 3 is read where page sizes below %i are rejected', async (least) => {
		addClasses(237);
		fixture.service.temper = { minPageSize: least };
		expect(idsOf(await fixture.classes({ limit: 3 }))).toEqual(expectedIds(3));
		expect(fixture.service.requests.length).toBeLessThanOrEqual(5);
	});

	test('asks for no page before the first, where there is enough', async () => {
		addClasses(237);
		fixture.service.temper = { maxPageSize: 7 };
		expect(idsOf(await fixture.classes({ limit: 150 }))).toEqual(expectedIds(150));
		expect(pagesAsked()).not.toContain('0');
	});

	test.each<[INodeParameters, Record<string, string>, number[]]>([
		[
			{ options: { page: 2, pageSize: 8, sortBy: 'name' } },
			{ page: '2', pageSize: '8', sortBy: 'name' },
			[8, 16],
		],
		[{ limit: 5, options: { page: 2, pageSize: 8 } }, { page: '2', pageSize: '8' }, [8, 13]],
		[{ options: { page: 0 } }, { page: '0', pageSize: '50' }, [0, 0]],
	])('takes exactly the page that is asked for: %j', async (parameters, query, [from, to]) => {
		addClasses(30);
		expect(idsOf(await fixture.classes(parameters))).toEqual(expectedIds(30).slice(from, to));
		expect(fixture.service.requests.map((request) => request.query)).toEqual([query]);
	});
});

test.each(['={{ $json.missing }}', '={{ null }}'])(
	'a name filter without a result, %s, is an error, not all classes',
	async (query) => {
		const { error } = await fixture.classes({ filters: { query } });
		expect(error?.message).toContain("'Name Contains' is empty");
		expect(fixture.service.requests).toEqual([]);
	},
);

test('every input item reads by itself and is linked to its classes', async () => {
	addClasses(3);
	const items = [{ q: '0001' }, { q: '000' }];
	const result = await fixture.classes({ filters: { query: '={{ $json.q }}' } }, { items });
	expect(idsOf(result)).toEqual([nameOf(1), ...expectedIds(3)]);
	expect(result.items.map(linkOf)).toEqual([0, 1, 1, 1]);
});
