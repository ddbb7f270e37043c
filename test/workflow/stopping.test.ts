import type { INodeParameters } from 'n8n-workflow';
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Temper } from '../service/service';
import { type RunOptions, WAY } from './engine';
import {
	CONTINUE,
	EMAIL_OF_ITEM,
	emailOf,
	inTurn,
	isFor,
	requestsReceived,
	rows,
	useService,
} from './fixture';

const SINGLE = { ...EMAIL_OF_ITEM, options: { batchSize: 1 } };
const ONE = { maxConcurrentRequests: 1, giveUpAfter: 0 };
/** One item every minute. */
const BATCHING = { batching: { batch: { batchSize: 1, batchInterval: 60_000 } } };
const PACED = { ...ONE, batching: { batch: { batchSize: 1, batchInterval: 200 } } };
const LIMITED: Temper = { failWith: { status: 429 } };
const UNAVAILABLE: Temper = { failWith: { status: 503 } };
const ASKS_TO_WAIT: Temper = { failWith: { status: 429, headers: { 'Retry-After': '30' } } };
const refuse = (n: number): Temper => ({ failWith: { status: 400, only: isFor(emailOf(n)) } });

const fixture = useService();

const addEach = async (count: number, options: Partial<RunOptions>) =>
	await fixture.student('addToClass', EMAIL_OF_ITEM, { items: rows(count), ...options });

interface Stop {
	operation: string;
	items: number;
	temper: Temper;
	requestOptions: INodeParameters;
	failed: number;
	sent: number;
	said: string;
}

describe('an item that fails', () => {
	/** Stops the service while the second request is under way. */
	const close: Temper = {
		onRequest: () => {
			if (fixture.service.requests.length === 2) void sleep(50).then(fixture.service.close);
		},
	};
	const afterEffect: Temper = {
		forRequest: (request) => {
			if (isFor(emailOf(1))(request)) return refuse(1);
			return { latencyMs: 100, failAfterEffect: { status: 500, only: isFor(emailOf(2)) } };
		},
	};

	// Of the routing, n8n keeps the pace.
	const MINUTE = WAY === 'step' ? { maxConcurrentRequests: 1, ...BATCHING } : ONE;
	test.each`
		what                      | operation           | items | temper                 | requestOptions | failed | sent | said
		${'one of many'}          | ${'addToClass'}     | ${20} | ${refuse(5)}           | ${ONE}         | ${5}   | ${6} | ${'. The node stopped. Added: items 0-4. Rejected: item 5. Not added: items 6-19.'}
		${'one put off'}          | ${'addToClass'}     | ${3}  | ${inTurn({}, LIMITED)} | ${ONE}         | ${1}   | ${2} | ${'Added: item 0. Not added: items 1-2.'}
		${'one of three at once'} | ${'addToClass'}     | ${4}  | ${afterEffect}         | ${{}}          | ${1}   | ${4} | ${'Added: items 0, 3. Rejected: item 1. Unknown if added: item 2.'}
		${'an outage'}            | ${'addToClass'}     | ${4}  | ${close}               | ${PACED}       | ${2}   | ${2} | ${''}
		${'an outage'}            | ${'addManyToClass'} | ${4}  | ${close}               | ${PACED}       | ${2}   | ${2} | ${''}
		${'one of one a minute'}  | ${'addToClass'}     | ${5}  | ${refuse(0)}           | ${MINUTE}      | ${0}   | ${1} | ${''}
	`('stops the run, and says so: $what, $operation', async ({ operation, ...row }: Stop) => {
		fixture.service.temper = row.temper;
		const parameters = { ...SINGLE, requestOptions: row.requestOptions };
		const { error } = await fixture.student(operation, parameters, { items: rows(row.items) });
		expect(error?.context).toMatchObject({ itemIndex: row.failed });
		expect(error?.message).toContain(row.said);
		expect(fixture.service.requests).toHaveLength(row.sent);
	});
});

describe('a cancelled execution', () => {
	test('says what is unknown', async () => {
		fixture.service.temper = { latencyMs: 1000 };
		const cancel = new AbortController();
		const running = addEach(50, { cancel: cancel.signal });
		// The first one goes alone.
		await requestsReceived(fixture.service, 11);
		cancel.abort();
		const { error } = await running;
		expect(error?.message).toMatch(
			/the execution was cancelled\. .*Added: item 0\. .* Not added: items 11-49\.$/,
		);
		expect(error?.message).toContain('Unknown if added: items 1-10.');
		await sleep(60_000);
		expect(fixture.service.requests).toHaveLength(11);
	});

	test('sends nothing if it is cancelled while the credential is read, and ends at once', async () => {
		const cancel = new AbortController();
		const startedAt = Date.now();
		const onCredentialRead = () => cancel.abort();
		await addEach(40, { cancel: cancel.signal, onCredentialRead, ...CONTINUE });
		expect(Date.now() - startedAt).toBeLessThan(100);
		await sleep(60_000);
		expect(fixture.service.requests).toEqual([]);
	});

	/** It waits for a retry, for the end of an outage, for the next batch or for a response. */
	test.each<[operation: string, Temper, INodeParameters, options?: Partial<RunOptions>]>([
		['addToClass', ASKS_TO_WAIT, {}],
		['addToClass', UNAVAILABLE, {}],
		['addToClass', UNAVAILABLE, {}, CONTINUE],
		['addManyToClass', UNAVAILABLE, {}],
		['getAll', UNAVAILABLE, { resource: 'class' }],
		['addToClass', { latencyMs: Infinity }, {}],
		// The routing leaves it to n8n.
		...(WAY === 'step' ? [['addToClass', {}, { requestOptions: BATCHING }] as never] : []),
	])('waits for nothing: %s %j %j %j', async (operation, temper, parameters, options = {}) => {
		fixture.service.temper = temper;
		const cancel = new AbortController();
		const all = { items: rows(40), cancel: cancel.signal, ...options };
		const running = fixture.student(operation, { ...SINGLE, ...parameters }, all);
		await sleep(3000);
		const { length } = fixture.service.requests;
		expect(length).toBeGreaterThan(0);
		const cancelledAt = Date.now();
		cancel.abort();
		const { items } = await running;
		expect(Date.now() - cancelledAt).toBeLessThan(100);
		expect(items.length).toBeLessThan(40);
		await sleep(60_000);
		expect(fixture.service.requests).toHaveLength(length);
	});
});

test('many requests at a time, and runs in a loop, listen to no signal for long or too often', async () => {
	const listening = jest.spyOn(AbortSignal.prototype, 'addEventListener');
	const { signal: cancel } = new AbortController();
	fixture.service.temper = { latencyMs: 500 };
	const parameters = { ...EMAIL_OF_ITEM, requestOptions: { maxConcurrentRequests: 12 } };
	// The first one goes alone.
	const options = { items: rows(13), cancel, rounds: 4 };
	await fixture.student('addToClass', parameters, options);
	const signals = listening.mock.contexts as AbortSignal[];
	listening.mockRestore();
	expect(fixture.service.peakInFlight).toBe(12);
	expect(fixture.service.requests).toHaveLength(4 * 13);
	for (const signal of new Set(signals)) {
		// Node.js warns of more.
		expect(signals.filter((one) => one === signal).length).toBeLessThanOrEqual(10);
		expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(3);
	}
});
