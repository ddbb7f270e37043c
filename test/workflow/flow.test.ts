import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestRecord, Temper } from '../service/service';
import { type RunOptions, type RunResult, WAY } from './engine';
import {
	byId,
	CONTINUE,
	describeAs,
	EMAIL_OF_ITEM,
	emailOf,
	emailsIn,
	emailsOf,
	errorsOf,
	indexes,
	inTurn,
	isFor,
	jsonOf,
	large,
	linkOf,
	PYTHON,
	requestsReceived,
	rows,
	RUST,
	studentsIn,
	useService,
} from './fixture';

const UNKNOWN = /unknown whether the request took effect|may or may not have been added/;
const NOT_SENT = 'the service was down';
const REFUSED: Temper = { failWith: { status: 400 } };
const UNAVAILABLE: Temper = { failWith: { status: 503 } };
const deferred = (status: number, seconds = 0): Temper => ({
	failWith: { status, headers: { 'Retry-After': `${seconds}` } },
});

const fixture = useService();

const addEach = async (
	count: number,
	requestOptions: INodeParameters = {},
	options: Partial<RunOptions> = CONTINUE,
) =>
	await fixture.student(
		'addToClass',
		{ ...EMAIL_OF_ITEM, requestOptions },
		{ items: rows(count), ...options },
	);
const arrivals = () => fixture.service.requests.map(({ receivedAt }) => receivedAt);
const sentEmails = () => emailsIn(fixture.service.requests);

/** How long it takes, on the clock of the tests. */
async function durationOf(run: () => Promise<unknown>): Promise<number> {
	const started = Date.now();
	await run();
	return Date.now() - started;
}

/** Makes the service hold every request until the test answers it. */
function holdRequests() {
	const held: Array<(temper: Temper) => void> = [];
	const answers = new Map<RequestRecord, Temper>();
	let answered = 0;
	fixture.service.temper = {
		onRequest: async (request) =>
			await new Promise((resolve) => {
				held.push((temper) => resolve(void answers.set(request, temper)));
			}),
		forRequest: (request) => answers.get(request),
	};
	return {
		/** Answers the requests that came first. */
		answer: async (...tempers: Temper[]) => {
			await requestsReceived(fixture.service, answered + tempers.length);
			for (const temper of tempers) held[answered++]!(temper);
		},
		/** Expects that the service holds so many requests, and that no more come. */
		expectInFlight: async (count: number) => {
			await requestsReceived(fixture.service, answered + count);
			await sleep(400);
			expect(held.length - answered).toBe(count);
		},
		/** From now on, the service answers at once. */
		release: () => {
			fixture.service.temper = {};
			for (const answer of held.slice(answered)) answer({});
		},
	};
}

describe('a deferred request', () => {
	test.each<[string, () => string, number, number]>([
		['seconds', () => '1', 1000, 1200],
		['minutes', () => '180', 180_000, 199_000],
		['a date', () => new Date(Date.now() + 1900).toUTCString(), 850, 2200],
		['nothing', () => '', 250, 600],
	])('waits as long as Retry-After asks in %s', async (_form, value, least, most) => {
		const headers = { 'Retry-After': value() };
		fixture.service.temper = inTurn({ failWith: { status: 429, headers } }, {});
		await fixture.student('addToClass');
		const [first, second] = arrivals() as [number, number];
		expect(second - first).toBeGreaterThanOrEqual(least);
		expect(second - first).toBeLessThan(most);
	});

	test.each([0, 1])('is sent again at most %i times', async (maxRetries) => {
		fixture.service.temper = deferred(429);
		const { error } = await fixture.student('addToClass', { requestOptions: { maxRetries } });
		expect(error?.message).toContain('status 429');
		expect(fixture.service.requests).toHaveLength(maxRetries + 1);
	});

	test.each([429, 503])('with %i is not waited for more than five minutes', async (status) => {
		fixture.service.temper = deferred(status, 3600);
		const [first, ...others] = errorsOf(await addEach(20));
		expect(fixture.service.requests).toHaveLength(10);
		expect(first).toMatch(/asks to try again in 60 minutes, at 20\d\d-/);
		expect(others.at(-1)).toMatch(/^Not sent: .* asks to try again in 60 minutes, at 20\d\d-/);
	});

	test.each([
		['first', inTurn(deferred(429, 1), {})],
		['after others got through', inTurn({}, {}, {}, {}, {}, deferred(429, 1), {})],
	])('lets the others wait where the service asks for it: %s', async (_when, temper) => {
		fixture.service.temper = temper;
		await addEach(20, { maxConcurrentRequests: 2 });
		const pauses = arrivals().map((time, index, all) => time - (all[index - 1] ?? time));
		expect(pauses.filter((ms) => ms >= 1000)).toHaveLength(1);
		// Not only the one that was deferred, at the end.
		expect(pauses.findIndex((ms) => ms >= 1000)).toBeLessThan(10);
	});

	test('loses nobody to a limit of one request a second that says no more than that', async () => {
		let admittedAt = 0;
		fixture.service.temper.forRequest = () => {
			if (Date.now() - admittedAt < 1000) return { ...deferred(429), latencyMs: 10 };
			admittedAt = Date.now();
			return { latencyMs: 10 };
		};
		const { errorItems } = await addEach(100);
		expect(errorItems).toEqual([]);
	});

	test('makes a link valid for 24 hours from when it was requested at last', async () => {
		fixture.service.temper = inTurn(deferred(429, 3), {});
		const { items } = await fixture.student('sendMagicLink');
		const validMs = Date.parse(String(items[0]!.json.expiresAt)) - arrivals()[1]!;
		expect(Math.abs(validMs - 24 * 3_600_000)).toBeLessThan(1000);
	});
});

describe('requests in flight', () => {
	test.each([undefined, 1, 25])('never more than maxConcurrentRequests %p', async (max) => {
		fixture.service.temper = { latencyMs: 10 };
		await addEach(2 * (max ?? 10), max ? { maxConcurrentRequests: max } : {});
		expect(fixture.service.peakInFlight).toBe(max ?? 10);
	});

	test('also while retrying, and for pages and batches', async () => {
		fixture.service.temper = {
			latencyMs: 400,
			failWith: { ...deferred(429).failWith!, times: 12 },
		};
		await fixture.student('sendMagicLink', EMAIL_OF_ITEM, { items: rows(30) });
		expect(fixture.service.peakInFlight).toBe(10);
		fixture.service.resetRecord();
		fixture.addClasses(150);
		await fixture.classes({
			returnAll: true,
			options: { pageSize: 10 },
			requestOptions: { maxConcurrentRequests: 4 },
		});
		expect(fixture.service.peakInFlight).toBe(4);
		fixture.service.resetRecord();
		await fixture.student('addManyToClass', { options: { batchSize: 1 } }, { items: rows(30) });
		expect(fixture.service.peakInFlight).toBe(10);
	});

	test('begin with one after some were deferred together, and each success lets one more through', async () => {
		const service = holdRequests();
		const running = addEach(40);
		await service.answer(...indexes(10).map(() => deferred(429, 3)));
		for (const count of [1, 2, 3]) {
			await service.expectInFlight(count);
			await service.answer({});
		}
		service.release();
		expect((await running).items).toHaveLength(40);
	});

	test('are as many as before after one that fails for good', async () => {
		const service = holdRequests();
		const running = addEach(3, { maxConcurrentRequests: 2 });
		await service.answer({ failWith: { status: 500 } });
		await service.expectInFlight(2);
		service.release();
		expect((await running).items).toHaveLength(2);
	});

	test('are not sent again where they were deferred before an item failed', async () => {
		const service = holdRequests();
		const running = addEach(4, { maxConcurrentRequests: 3 }, {});
		await service.answer(deferred(429, 30), deferred(503, 30), REFUSED);
		expect((await running).error?.message).toContain('(status 400)');
		expect(fixture.service.requests).toHaveLength(3);
	});
});

describeAs('step')('the Batching of the settings', () => {
	const run = async (operation: string, batchSize: number, batchInterval = 1000) => {
		const batching = { batch: { batchSize, batchInterval } };
		const parameters = {
			...EMAIL_OF_ITEM,
			options: { batchSize: 1 },
			requestOptions: { batching },
		};
		await fixture.student(operation, parameters, { items: rows(5) });
		const times = arrivals();
		return times.slice(1).map((time, index) => Math.round((time - times[index]!) / 1000));
	};

	test.each(['addToClass', 'addManyToClass'])('pauses between batches of %s', async (operation) => {
		expect(await run(operation, 2)).toEqual([0, 1, 0, 1]);
	});

	test.each([-1, 0])('of size %i pauses after each', async (batchSize) => {
		expect(await run('addToClass', batchSize)).toEqual([1, 1, 1, 1]);
	});

	test('holds for what follows one another, and for what is sent again', async () => {
		const batching = { batch: { batchSize: 1, batchInterval: 2000 } };
		const requestOptions = { batching };
		const again = inTurn(UNAVAILABLE, UNAVAILABLE, {});
		const refused: Temper = { failWith: { status: 400, only: isFor(emailOf(1)) } };
		const runs: Array<[operation: string, count: number, Temper, INodeParameters]> = [
			['removeFromClass', 4, {}, { classId: byId('={{ $json.to }}') }],
			['addToClass', 4, again, EMAIL_OF_ITEM],
			['addManyToClass', 4, refused, {}],
		];
		for (const [operation, count, temper, parameters] of runs) {
			fixture.service.resetRecord();
			fixture.service.temper = temper;
			const items = rows(4).map((row, n) => ({ ...row, to: n % 2 ? PYTHON.id : RUST.id }));
			const options = { items, ...CONTINUE };
			await fixture.student(operation, { requestOptions, ...parameters }, options);
			const pauses = arrivals().map((time, n, all) => time - (all[n - 1] ?? -Infinity));
			expect(pauses.length).toBeGreaterThanOrEqual(count);
			expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1990);
		}
	});

	test('holds for the class list, too', async () => {
		fixture.service.temper.forRequest = ({ method }) => (method === 'GET' ? {} : UNAVAILABLE);
		const batching = { batch: { batchSize: 1, batchInterval: 5000 } };
		await addEach(8, { batching, maxRetries: 1 });
		expect(fixture.service.requests.map(({ method }) => method)).toContain('GET');
		const pauses = arrivals().map((time, n, all) => time - (all[n - 1] ?? -Infinity));
		expect(Math.min(...pauses)).toBeGreaterThanOrEqual(4990);
	});

	test('lets nobody wait after a failure', async () => {
		fixture.service.temper = { failWith: { status: 400, only: isFor(emailOf(0)) } };
		await run('addToClass', 1, 60_000);
		expect(fixture.service.requests).toHaveLength(1);
	});
});

describe('an item that fails', () => {
	test('starts nothing more, and the error says what was done', async () => {
		fixture.service.temper = { failWith: { status: 400, only: isFor(emailOf(5)) } };
		const { error } = await addEach(20, { maxConcurrentRequests: 1 }, {});
		expect(fixture.service.requests).toHaveLength(6);
		expect(error?.context).toMatchObject({ itemIndex: 5 });
		expect(error?.message).toContain(
			'5 of 20 items were processed before the run stopped; processed: items 0-4',
		);
	});

	test('is named with those in flight whose outcome is unknown', async () => {
		const service = holdRequests();
		const running = fixture.student('sendMagicLink', EMAIL_OF_ITEM, { items: rows(3) });
		await requestsReceived(fixture.service, 3);
		await service.answer(REFUSED);
		await sleep(100);
		await service.answer({ failAfterEffect: { status: 500 } }, {});
		const { error } = await running;
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(error?.message).toContain(
			'; processed: item 2; refused: item 0; may or may not have been processed: item 1.',
		);
	});

	test('lets none go that wait for their turn', async () => {
		// After the pause one goes first, so that the others wait.
		const STATUSES = [429, 429, 429, 429, 400];
		const later = indexes(4).map(() => deferred(429, 1));
		fixture.service.temper = inTurn(...later, REFUSED, { latencyMs: 300 });
		const { error } = await addEach(4, { maxConcurrentRequests: 4 }, {});
		expect(error?.message).toContain('(status 400)');
		expect(fixture.service.requests.map(({ status }) => status)).toEqual(STATUSES);
	});

	test('says nothing about the others where it was put off', async () => {
		fixture.service.temper = inTurn({}, { failWith: { status: 429 } });
		const { error } = await addEach(3, { maxConcurrentRequests: 1, maxRetries: 0 }, {});
		expect(error?.message).toContain(
			'1 of 3 items were processed before the run stopped; processed: item 0',
		);
		expect(error?.description).not.toContain('Nothing was changed');
	});

	test.each(['addToClass', 'addManyToClass'])(
		'%s does not say that nothing was changed after others were added',
		async (operation) => {
			const { temper, requests } = fixture.service;
			temper.onRequest = () => {
				if (requests.length === 2) void sleep(50).then(fixture.service.close);
			};
			const batching = { batch: { batchSize: 1, batchInterval: 200 } };
			const parameters = { ...EMAIL_OF_ITEM, options: { batchSize: 1 } };
			const requestOptions = { batching, maxRetries: 0 };
			const all = { ...parameters, requestOptions };
			const { error } = await fixture.student(operation, all, { items: rows(4) });
			expect(requests).toHaveLength(2);
			expect(error?.message).toContain('connection refused');
			expect(error?.description).not.toContain('Nothing was changed');
		},
	);

	test('costs only itself under "continue on fail"', async () => {
		fixture.service.temper = { failWith: { status: 400, only: isFor(emailOf(5)) } };
		const { items, errorItems } = await addEach(20);
		expect(items).toHaveLength(19);
		const error = expect.stringMatching(/\(status 400\): Told to fail with 400\. Check/) as string;
		expect(jsonOf(errorItems)).toEqual([{ email: emailOf(5), error }]);
		const regular = await addEach(20, {}, { onError: 'continueRegularOutput' });
		expect(regular.items.map(linkOf)).toEqual(indexes(20));
		// The error comes first in n8n's table.
		expect(JSON.stringify(regular.items[5]!.json)).toMatch(/^\{"error":.*"email":.*"classId":/);
	});
});

describe('a cancelled execution', () => {
	test('starts no further request, and says what is unknown', async () => {
		fixture.service.temper = { latencyMs: 1000 };
		const cancel = new AbortController();
		const running = addEach(50, {}, { cancel: cancel.signal });
		await requestsReceived(fixture.service, 10);
		cancel.abort();
		const { error } = await running;
		expect(error?.message).toMatch(/^The execution was cancelled\. /);
		expect(error?.message).toContain('; may or may not have been processed: items 0-9');
		await sleep(1500);
		expect(fixture.service.requests).toHaveLength(10);
	});

	type Wait = [operation: string, sent: number, Temper, INodeParameters, Partial<RunOptions>];
	const batching = { batch: { batchSize: 1, batchInterval: 60_000 } };
	test.each<Wait>([
		['addToClass', 1, deferred(429, 30), {}, { items: rows(1) }],
		['addToClass', 10, UNAVAILABLE, {}, {}],
		['addToClass', 10, UNAVAILABLE, {}, CONTINUE],
		['addManyToClass', 10, UNAVAILABLE, { options: { batchSize: 1 } }, {}],
		['getAll', 10, UNAVAILABLE, { resource: 'class' }, {}],
		// The routing leaves it to n8n.
		...(WAY === 'step'
			? [['addToClass', 1, {}, { requestOptions: { batching } }, {}] as Wait]
			: []),
	])('waits for nothing: %s, %i %j %j %j', async (operation, sent, temper, parameters, options) => {
		fixture.service.temper = temper;
		const cancel = new AbortController();
		const running = fixture.student(
			operation,
			{ ...EMAIL_OF_ITEM, ...parameters },
			{ items: rows(40), cancel: cancel.signal, ...options },
		);
		await requestsReceived(fixture.service, sent);
		// It waits for the retry, the first probe, or the next batch.
		await sleep(700);
		cancel.abort();
		expect(await durationOf(async () => await running)).toBeLessThan(1000);
		const { length } = fixture.service.requests;
		// As long as it is no outage yet, each failure lets another one through.
		expect(length).toBeLessThanOrEqual(sent + 5);
		await sleep(60_000);
		expect(fixture.service.requests).toHaveLength(length);
	});
});

const HANGS: Temper = { stallMs: Infinity };
const TOOK_TOO_LONG = 'it took too long to respond';

describe.each<[reason: string, how: 'closed' | Temper, tried: RegExp]>([
	['connection refused', 'closed', /No response/],
	[TOOK_TOO_LONG, HANGS, UNKNOWN],
	[TOOK_TOO_LONG, { forRequest: ({ method }) => (method === 'GET' ? {} : HANGS) }, UNKNOWN],
	['status 500', { failWith: { status: 500 } }, UNKNOWN],
	['status 503', UNAVAILABLE, UNKNOWN],
])('a service that is down: %s %j', (reason, how, tried) => {
	const cases: Array<[operation: string, count: number, INodeParameters, INodeParameters]> = [
		['addToClass', 60, EMAIL_OF_ITEM, {}],
		['addToClass', 60, EMAIL_OF_ITEM, { maxConcurrentRequests: 1, maxRetries: 0 }],
		['addManyToClass', 120, { options: { batchSize: 2 } }, {}],
	];
	const many: typeof cases = [
		['addToClass', 5000, EMAIL_OF_ITEM, {}],
		['addManyToClass', 5000, { options: { batchSize: 100 } }, {}],
	];

	test.each([...cases, ...(how === 'closed' ? large(...many) : [])])(
		'costs %s of %i students a few requests and waits, and each says so: %j %j',
		async (operation, count, parameters, settings) => {
			const { service } = fixture;
			if (how === 'closed') await service.close();
			else service.temper = how;
			const requestOptions = { timeout: 1000, ...settings };
			let result: RunResult;
			const duration = await durationOf(async () => {
				const options = { items: rows(count), ...CONTINUE };
				result = await fixture.student(operation, { ...parameters, requestOptions }, options);
			});
			expect(duration).toBeLessThan(45_000);

			const { items, errorItems } = result!;
			expect(items).toEqual([]);
			expect(errorItems.map(linkOf)).toEqual(indexes(count));
			const errors = errorsOf(result!);
			const first = errors.findIndex((error) => error.includes(NOT_SENT));
			const { batchSize = 1 } = (parameters.options ?? {}) as { batchSize?: number };
			expect(first).toBeGreaterThan(0);
			expect(first).toBeLessThanOrEqual(30 * batchSize);
			for (const error of errors.slice(0, first)) expect(error).toMatch(tried);
			for (const error of errors.slice(first)) expect(error).toContain(`${NOT_SENT} (${reason})`);
			expect(service.requests.length).toBeLessThanOrEqual(30);
			if (how === 'closed') return;
			expect(new Set(sentEmails())).toEqual(new Set(indexes(first).map(emailOf)));
			// Whether it is at work is asked once, at the end, and not where the answer would take long, too.
			const checks = service.requests.map(({ method }) => method === 'GET');
			expect(checks.indexOf(true)).toBe(reason === TOOK_TOO_LONG ? -1 : checks.length - 1);
			if (reason !== TOOK_TOO_LONG) expect(Date.now() - arrivals().at(-1)!).toBeLessThan(5000);
		},
	);
});

test.each([401, 407, 308])('status %i ends the run before every item met it', async (status) => {
	const { service } = fixture;
	service.temper = { failWith: { status } };
	const errors = errorsOf(await addEach(60));
	expect(errors).toHaveLength(60);
	for (const error of errors) expect(error).toContain(`(status ${status})`);
	// The first ones, and the class list.
	expect(service.requests).toHaveLength(11);
});

test.each([
	[10_000, {}],
	[150_000, {}],
	[150_000, { maxConcurrentRequests: 1 }],
])('a service that hangs costs three time-outs of %i ms: %j', async (timeout, settings) => {
	fixture.service.temper = HANGS;
	const requestOptions = { timeout, ...settings };
	for (const run of [
		async () => await addEach(60, requestOptions),
		async () => await fixture.classes({ requestOptions }),
	]) {
		expect(await durationOf(run)).toBeLessThan(3.5 * timeout);
	}
});

test.each([0, 1, 60, 120])(
	'writes that are refused for %i s at a time cost a fixed time',
	async (seconds) => {
		const most = 400_000;
		fixture.service.temper.forRequest = ({ method }) =>
			method === 'GET' ? {} : deferred(503, seconds);
		for (const options of [CONTINUE, {}]) {
			const duration = await durationOf(async () => {
				const { items } = await addEach(40, {}, options);
				expect(items).toEqual([]);
			});
			expect(duration).toBeLessThan(most);
		}
	},
);

test('a service that is down is found out by reading, too', async () => {
	fixture.service.temper = { failWith: { status: 500 } };
	const result = await fixture.classes({ returnAll: true }, { items: rows(40), ...CONTINUE });
	expect(errorsOf(result).at(-1)).toContain(`${NOT_SENT} (status 500)`);
	expect(fixture.service.requests.length).toBeLessThanOrEqual(30);
});

describe('an outage in the middle of a run', () => {
	/** From its nth request on, the service is down for so long. */
	function breakDown(nth: number, ms: number, how: 'closed' | Temper): void {
		const { service } = fixture;
		let until: number | undefined;
		service.temper = {
			latencyMs: 20,
			onRequest: async () => {
				if (service.requests.length < nth || until !== undefined) return;
				until = Date.now() + ms;
				if (how !== 'closed') return;
				await service.close();
				await sleep(ms);
				await service.reopen();
			},
			forRequest: () =>
				how !== 'closed' && Date.now() < (until ?? 0)
					? { latencyMs: 20, ...how }
					: { latencyMs: 20 },
		};
	}
	const BATCHES = { options: { batchSize: 2 } };

	test.each<[string, string, INodeParameters, number, 'closed' | Temper]>([
		['a closed port', 'addToClass', EMAIL_OF_ITEM, 5000, 'closed'],
		['a closed port', 'addManyToClass', BATCHES, 5000, 'closed'],
		['closed connections', 'addToClass', EMAIL_OF_ITEM, 1500, { drop: { when: 'before' } }],
		// Longer than the retries of one item.
		['status 503', 'addToClass', EMAIL_OF_ITEM, 5000, UNAVAILABLE],
		['status 503', 'addManyToClass', BATCHES, 5000, UNAVAILABLE],
	])('loses only what it cuts off: %s, %s', async (_how, operation, parameters, ms, how) => {
		const { service } = fixture;
		breakDown(30, ms, how);
		const result = await fixture.student(operation, parameters, { items: rows(200), ...CONTINUE });
		const cutOff = emailsIn(service.requests.filter(({ status }) => status === undefined));
		expect(emailsOf(result.errorItems).sort()).toEqual([...cutOff].sort());
		expect(emailsOf(result.items)).toEqual(
			rows(200).flatMap(({ email }) => (cutOff.includes(email) ? [] : [email])),
		);
		for (const error of errorsOf(result)) expect(error).toMatch(UNKNOWN);
		const isClosed = how === 'closed' || how.drop !== undefined;
		expect(cutOff.length > 0).toBe(isClosed);
		expect(cutOff.length).toBeLessThanOrEqual(20);
		const deferred = service.requests.filter(({ status }) => status === 503);
		expect(deferred.length > 0).toBe(!isClosed);
		expect(deferred.length).toBeLessThanOrEqual(25);
		// What was cut off is not sent again.
		expect(new Set(sentEmails()).size + emailsIn(deferred).length).toBe(sentEmails().length);
		expect(service.classes.studentsOf(PYTHON.id).map(({ email }) => email)).toEqual(
			expect.arrayContaining(emailsOf(result.items)),
		);
	});

	test('that is longer than the retries of one item loses neither of two', async () => {
		breakDown(1, 6000, UNAVAILABLE);
		expect((await addEach(2, { maxRetries: 1 })).items).toHaveLength(2);
	});

	test('does not end the list of classes', async () => {
		fixture.addClasses(48);
		breakDown(4, 1000, 'closed');
		const { items } = await fixture.classes({ returnAll: true, options: { pageSize: 10 } });
		const names = indexes(48).map((n) => `Class ${n}`);
		expect(jsonOf(items).map(({ name }) => name)).toEqual([PYTHON.name, RUST.name, ...names]);
	});
});

describe('a service that serves some', () => {
	test.each<[count: number, requestsPerSecond: number, windowMs: number]>([
		[300, 20, 1000],
		[25, 3, 1000],
		// It tells to come back before its window is over.
		[30, 6, 2000],
		[30, 12, 8000],
	])(
		'%i students meet a limit of %i requests in %i ms',
		async (count, requestsPerSecond, windowMs) => {
			fixture.service.temper = {
				rateLimit: { requestsPerSecond, windowMs, retryAfter: 'seconds' },
			};
			const { items } = await addEach(count);
			expect(emailsOf(items)).toEqual(indexes(count).map(emailOf));
		},
	);

	const SETTINGS: INodeParameters[] = [{}, { maxConcurrentRequests: 1, maxRetries: 0 }];
	const failing = [503, 429].flatMap((status) =>
		SETTINGS.flatMap((settings) => [0, 30].map((bad) => ({ status, bad, settings }))),
	);
	test.each(failing)('one of 31 that always fails costs only itself: %j', async (one) => {
		const { status, bad, settings } = one;
		const only = isFor(emailOf(bad));
		fixture.service.temper = { latencyMs: 5, failWith: { ...deferred(status).failWith!, only } };
		const result = await addEach(31, settings);
		expect(result.items.map(linkOf)).toEqual(indexes(31).filter((n) => n !== bad));
		expect(errorsOf(result)).toEqual([expect.stringContaining(`(status ${status})`)]);
		expect(result.errorItems.map(linkOf)).toEqual([bad]);
		const tries = fixture.service.requests.filter(only).length;
		const retries = (settings.maxRetries as number | undefined) ?? 3;
		expect(tries).toBeGreaterThan(retries);
		expect(tries).toBeLessThanOrEqual(retries ? 30 : 1);
	});

	test.each([
		[19, 10],
		[40, 10],
		[10, 1],
	])('%i in a row that always fail do not stop the others, %i at a time', async (streak, max) => {
		const bad = new Set(indexes(streak).map((n) => emailOf(n + 20)));
		const only = (request: RequestRecord) =>
			studentsIn(request).some(({ email }) => bad.has(email));
		fixture.service.temper = { failWith: { status: 500, only } };
		const { items, errorItems } = await addEach(200, { maxConcurrentRequests: max });
		expect(items).toHaveLength(200 - streak);
		for (const { json } of errorItems) expect(json.error).toMatch(UNKNOWN);
		expect(sentEmails()).toHaveLength(200);
		// Where nothing else got through for long, it found out once that the service is at work.
		const checks = fixture.service.requests.filter(({ method }) => method === 'GET');
		const asked = [['/classe', {}]];
		expect(checks.map(({ path, query }) => [path, query])).toEqual(streak === 40 ? asked : []);
	});

	test.each([503, 401, 403])('one class with status %i does not stop the other', async (status) => {
		fixture.service.temper = {
			failWith: { status, only: ({ path }) => path.includes(PYTHON.id) },
		};
		const items = rows(40).map((row, n) => ({ ...row, to: n < 20 ? PYTHON.id : RUST.id }));
		const parameters = { ...EMAIL_OF_ITEM, classId: byId('={{ $json.to }}') };
		const result = await fixture.student('addToClass', parameters, { items, ...CONTINUE });
		expect(result.items.map(linkOf)).toEqual(indexes(20).map((n) => n + 20));
		expect(errorsOf(result)).toHaveLength(20);
	});

	test.each([1, 3, 10])('every other response is 503, Max Retries %i', async (maxRetries) => {
		let count = 0;
		fixture.service.temper = {
			forRequest: () => ({ latencyMs: 20, ...(count++ % 2 ? {} : UNAVAILABLE) }),
		};
		const duration = await durationOf(async () => {
			expect((await addEach(60, { maxRetries })).items).toHaveLength(60);
		});
		expect(duration).toBeLessThan(60_000);
	});

	test('responses at random are 503: few of 300 students are lost', async () => {
		let seed = 7;
		const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
		fixture.service.temper = {
			forRequest: () => (random() < 0.5 ? UNAVAILABLE : {}),
		};
		expect((await addEach(300)).items.length).toBeGreaterThanOrEqual(298);
	});
});

test('what is unknown stays unknown, where a row is refused after a 503', async () => {
	fixture.service.temper = inTurn({ failAfterEffect: { status: 503 } }, { refuseEnrolled: true });
	const options = { items: rows(3), ...CONTINUE };
	const errors = errorsOf(await fixture.student('addManyToClass', {}, options));
	expect(errors).toEqual(
		rows(3).map(({ email }, n) =>
			expect.stringContaining(`${email} may or may not have been added (item ${n})`),
		),
	);
});
