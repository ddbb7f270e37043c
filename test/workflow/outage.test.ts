import partition from 'lodash/partition';
import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Temper } from '../service/service';
import {
	CONTINUE,
	EMAIL_OF_ITEM,
	emailsIn,
	emailsOf,
	errorsOf,
	indexes,
	linkOf,
	PYTHON,
	rows,
	useService,
	WEB_PAGE,
} from './fixture';

/** An operation, its parameters, and how many rows each of its requests is about. */
type Task = [operation: string, INodeParameters, rowsPerRequest: number];
const TASKS: Task[] = [
	['addToClass', EMAIL_OF_ITEM, 1],
	['addManyToClass', { options: { batchSize: 2 } }, 2],
	['getAll', { resource: 'class' }, 1],
];
const [ADD, ADD_MANY] = TASKS as [Task, Task];

const HANGS: Temper = { latencyMs: Infinity };
const UNAVAILABLE: Temper = { failWith: { status: 503 } };
const FAILED: Temper = { failWith: { status: 500 } };
const CLOSED = undefined;

const fixture = useService();

interface Row {
	temper?: Temper;
	reason: string;
	/** What the errors say about a change that was tried. */
	says: RegExp;
	requests: number;
}

const NO_RESPONSE = /[nN]o response/;
const UNKNOWN = /can't tell whether the request took effect|unknown if added/;
const TOO_LONG = 'it took too long to respond';
describe.each`
	service         | temper         | reason                  | says           | requests
	${'closed'}     | ${CLOSED}      | ${'connection refused'} | ${NO_RESPONSE} | ${0}
	${'hangs'}      | ${HANGS}       | ${TOO_LONG}             | ${UNKNOWN}     | ${50}
	${'status 500'} | ${FAILED}      | ${'status 500'}         | ${UNKNOWN}     | ${50}
	${'status 503'} | ${UNAVAILABLE} | ${'status 503'}         | ${UNKNOWN}     | ${50}
`('a service that is down: $service', ({ temper, reason, says, requests }: Row) => {
	const run = async ([operation, parameters]: Task, count: number, options = {}) => {
		if (temper) fixture.service.temper = temper;
		else await fixture.service.close();
		const all = { ...parameters, requestOptions: { timeout: 1000 } };
		return await fixture.student(operation, all, { items: rows(count), ...options });
	};

	test.each(TASKS)('%s costs seconds, and each item says why', async (...task) => {
		const [operation, , rowsPerRequest] = task;
		const { service } = fixture;
		const count = 60 * rowsPerRequest;
		const began = Date.now();
		const result = await run(task, count, CONTINUE);
		// 60 seconds until the last try, half a second, and two time-outs.
		expect(Date.now() - began).toBeLessThan(64_000);
		expect(service.requests.length).toBeLessThanOrEqual(requests);

		expect(result.errorItems.map(linkOf)).toEqual(indexes(count));
		const errors = errorsOf(result);
		// Those in the middle and at the end were tried, too.
		const [notSent, tried] = partition(errors, (error) => error.includes('arlier requests'));
		expect(tried.length).toBeGreaterThan(0);
		expect(tried.length).toBeLessThanOrEqual(50 * rowsPerRequest);
		for (const error of notSent) {
			if (operation !== 'getAll') expect(error).toMatch(/^\S+@example\.com: not added: /);
			expect(error).toContain(`Earlier requests failed (${reason})`);
		}
		if (operation === 'getAll') return;
		for (const error of tried) expect(error).toMatch(says);
		if (temper) expect(new Set(emailsIn(service.requests)).size).toBe(tried.length);
		expect(service.requests.filter(({ method }) => method === 'GET')).toEqual([]);
	});

	test.each([ADD, ADD_MANY])('%s stops with the error of a request', async (...task) => {
		const { error } = await run(task, 60 * task[2]);
		expect(error!.message).not.toContain('Earlier requests');
		expect(`${error!.message} ${error!.description}`).toMatch(says);
	});
});

test.each([ADD, ADD_MANY])('an outage in mid-run loses what it cuts off: %s', async (...task) => {
	const [operation, parameters] = task;
	const { service } = fixture;
	const onRequest = async () => {
		// The first one goes alone, and the others by ten.
		if (service.requests.length < 31) return;
		service.temper.onRequest = undefined;
		await service.close();
		await sleep(5000);
		await service.reopen();
	};
	service.temper = { latencyMs: 20, onRequest };
	const result = await fixture.student(operation, parameters, { items: rows(200), ...CONTINUE });
	const cutOff = emailsIn(service.requests.filter(({ status }) => status === undefined));
	expect(cutOff.length).toBeGreaterThan(0);
	expect(cutOff.length).toBeLessThanOrEqual(20);
	expect(emailsOf(result.errorItems).sort()).toEqual([...cutOff].sort());
	for (const error of errorsOf(result)) expect(error).toMatch(UNKNOWN);
	// Nothing is sent twice.
	expect(emailsIn(service.requests).sort()).toEqual(
		emailsOf([...result.items, ...result.errorItems]).sort(),
	);
	const enrolled = service.classes.studentsOf(PYTHON.id).map(({ email }) => email);
	expect(enrolled).toEqual(expect.arrayContaining(emailsOf(result.items)));
});

test('a run ends where every request is answered with a web page', async () => {
	fixture.service.temper = WEB_PAGE;
	const options = { items: rows(200), ...CONTINUE };
	const errors = errorsOf(await fixture.student('addToClass', EMAIL_OF_ITEM, options));
	expect(fixture.service.requests.length).toBeLessThanOrEqual(4);
	for (const error of errors) expect(error).toContain('a web page instead of JSON');
	expect(
		errors.filter((error) => error.includes('@example.com: not added: ')).length,
	).toBeGreaterThan(180);
});
