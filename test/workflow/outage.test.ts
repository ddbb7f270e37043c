import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestRecord } from '../service/service';
import { type RunOptions, type RunResult } from './engine';
import {
	EMAIL_OF_ITEM,
	emailOf,
	jsonOf,
	large,
	largeTest,
	PYTHON,
	requestsReceived,
	rows,
	RUST,
	useService,
} from './fixture';

// Without an end to the retries, it would take minutes.
const LONGEST_MS = 45_000;
const CONTINUE = { onError: 'continueErrorOutput' } as const;
const NO_RESPONSE = /No response from http:\S+: connection refused/;
const NOT_SENT = /Not sent: the service was down/;
const UNKNOWN = /unknown whether the request took effect/;

const fixture = useService();
const indexes = (count: number) => Array.from({ length: count }, (_, n) => n);
const emailsOf = (items: RunResult['items']) => jsonOf(items).map(({ email }) => String(email));
const errorsOf = ({ errorItems }: RunResult) =>
	jsonOf(errorItems).map(({ error }) => String(error));
const sentEmails = () =>
	fixture.service.requests.flatMap(
		({ body }) => (body as { email?: string } | undefined)?.email ?? [],
	);
const isFor = (email: string) => (request: RequestRecord) =>
	JSON.stringify(request.body ?? '').includes(`"${email}"`);

async function timed<Result>(run: () => Promise<Result>): Promise<[Result, number]> {
	const started = Date.now();
	const result = await run();
	return [result, Date.now() - started];
}

async function addEach(
	count: number,
	requestOptions: INodeParameters = {},
	options: Partial<RunOptions> = CONTINUE,
): Promise<RunResult> {
	const parameters = { ...EMAIL_OF_ITEM, requestOptions };
	return await fixture.student('addToClass', parameters, { items: rows(count), ...options });
}

/** Expects that every item failed, at first because of `tried`, then because nothing more was sent. */
function expectTriedThenNotSent(result: RunResult, count: number, tried: RegExp, reason: string) {
	expect(result.items).toEqual([]);
	expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
		indexes(count).map((item) => ({ item })),
	);
	const errors = errorsOf(result);
	const first = errors.findIndex((error) => NOT_SENT.test(error));
	expect(first).toBeGreaterThan(0);
	expect(first).toBeLessThanOrEqual(20);
	for (const error of errors.slice(0, first)) expect(error).toMatch(tried);
	for (const error of errors.slice(first)) {
		expect(error).toContain(`Not sent: the service was down (${reason}). Nothing was changed`);
	}
	return first;
}

test.each(['addToClass', 'addToClasses', 'removeFromClass', 'sendMagicLink'])(
	'a service that cannot be reached: %s of 40 items ends soon',
	async (operation) => {
		const { service, student } = fixture;
		await service.close();
		const [result, duration] = await timed(
			async () => await student(operation, EMAIL_OF_ITEM, { items: rows(40), ...CONTINUE }),
		);
		expect(duration).toBeLessThan(LONGEST_MS);
		expectTriedThenNotSent(result, 40, NO_RESPONSE, 'connection refused');
		expect(emailsOf(result.errorItems)).toEqual(indexes(40).map(emailOf));
	},
);

test.each([
	{ maxRetries: 0 },
	{ maxRetries: 1 },
	{ maxConcurrentRequests: 1 },
	{ maxConcurrentRequests: 1, maxRetries: 0 },
])('a service that cannot be reached: 40 items end soon with %j', async (requestOptions) => {
	await fixture.service.close();
	const [result, duration] = await timed(async () => await addEach(40, requestOptions));
	expect(duration).toBeLessThan(LONGEST_MS);
	expectTriedThenNotSent(result, 40, NO_RESPONSE, 'connection refused');
});

largeTest('a service that cannot be reached: 5,000 items end as soon as 40', async () => {
	await fixture.service.close();
	const [result, duration] = await timed(async () => await addEach(5000));
	expect(duration).toBeLessThan(LONGEST_MS);
	expectTriedThenNotSent(result, 5000, NO_RESPONSE, 'connection refused');
});

test('a service that cannot be reached: under "continue" without an error output the items are in their places', async () => {
	await fixture.service.close();
	const { items } = await addEach(40, {}, { onError: 'continueRegularOutput' });
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(indexes(40).map((item) => ({ item })));
	const identity = (n: number) => ({ email: emailOf(n), classId: PYTHON.id });
	expect(items[0]!.json).toEqual({ error: expect.stringMatching(NO_RESPONSE), ...identity(0) });
	expect(items[39]!.json).toEqual({ error: expect.stringMatching(NOT_SENT), ...identity(39) });
	expect(Object.keys(items[0]!.json)[0]).toBe('error');
});

test('a service that cannot be reached: without "continue on fail" the workflow stops with an error that says so', async () => {
	await fixture.service.close();
	const [{ error, items }, duration] = await timed(async () => await addEach(40, {}, {}));
	expect(duration).toBeLessThan(LONGEST_MS);
	expect(items).toEqual([]);
	expect(error?.message).toMatch(NO_RESPONSE);
	expect(error?.description).toContain('No items were processed.');
});

test.each<[number, INodeParameters, number]>([
	[40, { batchSize: 1 }, 20],
	...large<[number, INodeParameters, number]>([5000, {}, 2000]),
])(
	'a service that cannot be reached: Add Many of %i students in batches ends soon, and every row has its error',
	async (count, options, mostTried) => {
		const { service, student } = fixture;
		await service.close();
		const [result, duration] = await timed(
			async () => await student('addManyToClass', { options }, { items: rows(count), ...CONTINUE }),
		);
		expect(duration).toBeLessThan(LONGEST_MS);
		expect(result.items).toEqual([]);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			indexes(count).map((item) => ({ item })),
		);
		const errors = errorsOf(result);
		for (const [index, error] of errors.entries()) {
			expect(error).toContain(`${emailOf(index)} was not added (item ${index}): No`);
		}
		const first = errors.findIndex((error) => NOT_SENT.test(error));
		expect(first).toBeGreaterThan(0);
		expect(first).toBeLessThanOrEqual(mostTried);
		for (const error of errors.slice(0, first)) expect(error).toMatch(NO_RESPONSE);
		for (const error of errors.slice(first)) expect(error).toMatch(NOT_SENT);
	},
);

test('a service that does not do its work: 40 timeouts end soon, and say which outcomes are unknown', async () => {
	fixture.service.temper = { stallMs: Infinity };
	const [result, duration] = await timed(async () => await addEach(40, { timeout: 1000 }));
	expect(duration).toBeLessThan(LONGEST_MS);
	const tried = /it took too long to respond\. It is unknown whether the request took effect/;
	const first = expectTriedThenNotSent(result, 40, tried, 'it took too long to respond');
	// On a busy machine, a request can time out before it arrives.
	expect(indexes(first).map(emailOf)).toEqual(expect.arrayContaining(sentEmails()));
});

test.each([
	[500, UNKNOWN],
	[502, UNKNOWN],
	[503, UNKNOWN],
])(
	'a service that does not do its work: 60 items meet status %i in a few requests',
	async (status, tried) => {
		fixture.service.temper = { failWith: { status } };
		const [result, duration] = await timed(async () => await addEach(60));
		expect(duration).toBeLessThan(LONGEST_MS);
		const first = expectTriedThenNotSent(result, 60, tried, `status ${status}`);
		expect(fixture.service.requests.length).toBeLessThanOrEqual(20);
		expect(new Set(sentEmails())).toEqual(new Set(indexes(first).map(emailOf)));
	},
);

test.each([500, 503])(
	'a service that does not do its work: 60 batches of Add Many meet status %i in a few requests',
	async (status) => {
		const { service, student } = fixture;
		service.temper = { failWith: { status } };
		const parameters = { options: { batchSize: 2 } };
		const result = await student('addManyToClass', parameters, {
			items: rows(120),
			...CONTINUE,
		});
		expect(service.requests.length).toBeLessThanOrEqual(20);
		const errors = errorsOf(result);
		expect(errors).toHaveLength(120);
		const isUnknown = (error: string) => error.includes('may or may not have been added');
		const sent = service.requests.flatMap(
			({ body }) => (body as { students?: Array<{ email: string }> } | undefined)?.students ?? [],
		);
		expect(errors.filter(isUnknown)).toHaveLength(new Set(sent.map(({ email }) => email)).size);
		const notSent = errors.filter((error) => NOT_SENT.test(error));
		expect(notSent.length).toBeGreaterThanOrEqual(80);
		for (const error of notSent) expect(error).toContain(`(status ${status})`);
	},
);

test.each([
	[500, [...Array.from({ length: 8 }, () => 'POST'), 'GET']],
	[503, [...Array.from({ length: 8 }, () => 'POST'), 'GET']],
])(
	'a service that does not do its work: one request at a time, and no wait after the last one, status %i',
	async (status, methods) => {
		const { service } = fixture;
		service.temper = { failWith: { status } };
		await addEach(40, { maxConcurrentRequests: 1, maxRetries: 0 });
		const ended = Date.now();
		expect(service.requests.map(({ method }) => method)).toEqual(methods);
		// Another wait would be twice as long as the last one, which was more than 7 seconds.
		expect(ended - service.requests.at(-1)!.receivedAt).toBeLessThan(5000);
	},
);

test('a service that does not do its work: 40 items that read all classes meet status 500 in a few requests', async () => {
	const { service, classes } = fixture;
	service.temper = { failWith: { status: 500 } };
	const result = await classes({ returnAll: true }, { items: rows(40), ...CONTINUE });
	expectTriedThenNotSent(
		result,
		40,
		/The service returned a server error \(status 500\)/,
		'status 500',
	);
	expect(service.requests.length).toBeLessThanOrEqual(25);
});

test.each([
	[17, 10],
	[20, 10],
	[40, 10],
	[8, 1],
])(
	'%i items in a row that always fail do not stop the others, %i at a time',
	async (streak, maxConcurrentRequests) => {
		const bad = new Set(indexes(streak).map((n) => emailOf(n + 20)));
		fixture.service.temper = {
			failWith: {
				status: 500,
				only: ({ body }) => bad.has((body as { email?: string } | undefined)?.email ?? ''),
			},
		};
		const { items, errorItems } = await addEach(200, { maxConcurrentRequests });
		expect(items).toHaveLength(200 - streak);
		for (const { json } of errorItems) expect(json.error).toMatch(UNKNOWN);
		expect(sentEmails()).toHaveLength(200);
		// It found out once that the service is at work.
		const checks = fixture.service.requests.filter(({ method }) => method === 'GET');
		expect(checks.map(({ path, query }) => [path, query])).toEqual([
			['/classe', { pageSize: '1' }],
		]);
	},
);

test('an outage in the middle of a run: a service that is closed for five seconds loses nobody but those under way', async () => {
	const { service } = fixture;
	let isClosed = false;
	service.temper = {
		latencyMs: 20,
		onRequest: async () => {
			if (service.requests.length !== 50) return;
			isClosed = true;
			await service.close();
			await sleep(5000);
			await service.reopen();
		},
	};
	const [result, duration] = await timed(async () => await addEach(200));
	expect(isClosed).toBe(true);
	expect(duration).toBeGreaterThan(5000);
	expect(new Set(sentEmails()).size).toBe(service.requests.length);
	expect(result.items.length).toBeGreaterThanOrEqual(190);
	expect(result.items.length + result.errorItems.length).toBe(200);
	for (const error of errorsOf(result)) expect(error).toMatch(UNKNOWN);
	const enrolled = new Set(service.classes.studentsOf(PYTHON.id).map(({ email }) => email));
	for (const email of emailsOf(result.items)) expect(enrolled).toContain(email);
});

test('an outage in the middle of a run: a service that closes every connection for a while loses only those that were cut off', async () => {
	const { service } = fixture;
	let until = Infinity;
	service.temper = {
		latencyMs: 20,
		onRequest: () => {
			if (service.requests.length === 50) until = Date.now() + 1500;
		},
		drop: { when: 'before', only: () => until !== Infinity && Date.now() < until },
	};
	const result = await addEach(200);
	const cutOff = service.requests.filter(({ status }) => status === undefined);
	expect(cutOff.length).toBeGreaterThan(0);
	expect(cutOff.length).toBeLessThanOrEqual(20);
	expect(service.requests).toHaveLength(200);
	expect(emailsOf(result.errorItems).sort()).toEqual(
		cutOff.map(({ body }) => (body as { email: string }).email).sort(),
	);
	for (const error of errorsOf(result)) expect(error).toMatch(UNKNOWN);
	const enrolled = service.classes.studentsOf(PYTHON.id).map(({ email }) => email);
	expect(emailsOf(result.items).sort()).toEqual(
		enrolled.filter((email) => email !== 'student@example.com').sort(),
	);
});

test('an outage in the middle of a run: status 503 loses nobody, although it lasts longer than the retries of one item', async () => {
	const { service } = fixture;
	let until = Infinity;
	service.temper = {
		latencyMs: 20,
		onRequest: () => {
			if (service.requests.length === 50) until = Date.now() + 5000;
		},
		failWith: { status: 503, only: () => until !== Infinity && Date.now() < until },
	};
	const result = await addEach(200);
	expect(errorsOf(result)).toEqual([]);
	expect(emailsOf(result.items)).toEqual(indexes(200).map(emailOf));
	const refused = service.requests.filter(({ status }) => status === 503);
	expect(refused.length).toBeGreaterThan(0);
	expect(refused.length).toBeLessThanOrEqual(20);
});

test('an outage that is longer than the retries of one item loses neither of two', async () => {
	let until: number | undefined;
	fixture.service.temper = {
		failWith: { status: 503, only: () => Date.now() < (until ??= Date.now() + 6000) },
	};
	const { items } = await addEach(2, { maxRetries: 1 });
	expect(items).toHaveLength(2);
});

test('a service that hangs on writing only is not asked whether it is at work', async () => {
	const { service } = fixture;
	service.temper = {
		forRequest: ({ method }) => ({ stallMs: method === 'POST' ? Infinity : 0 }),
	};
	const [result, duration] = await timed(async () => await addEach(40, { timeout: 1000 }));
	expect(duration).toBeLessThan(LONGEST_MS);
	const tried = /it took too long to respond\. It is unknown whether the request took effect/;
	expectTriedThenNotSent(result, 40, tried, 'it took too long to respond');
	expect(service.requests.filter(({ method }) => method === 'GET')).toEqual([]);
});

test('an outage in the middle of a run: Add Many loses nobody but those under way', async () => {
	const { service, student } = fixture;
	service.temper = {
		latencyMs: 20,
		onRequest: async () => {
			if (service.requests.length !== 30) return;
			await service.close();
			await sleep(5000);
			await service.reopen();
		},
	};
	const parameters = { options: { batchSize: 2 } };
	const result = await student('addManyToClass', parameters, {
		items: rows(200),
		...CONTINUE,
	});
	const sent = service.requests.map(({ body }) => JSON.stringify(body));
	expect(new Set(sent).size).toBe(sent.length);
	expect(result.items.length).toBeGreaterThanOrEqual(180);
	expect(result.items.length + result.errorItems.length).toBe(200);
	for (const error of errorsOf(result)) {
		expect(error).toContain('may or may not have been added');
	}
});

test('a rate limit of 20 requests a second loses none of 300 items', async () => {
	fixture.service.temper = { rateLimit: { requestsPerSecond: 20, retryAfter: 'seconds' } };
	const result = await addEach(300);
	expect(errorsOf(result)).toEqual([]);
	expect(emailsOf(result.items)).toEqual(indexes(300).map(emailOf));
});

test('a rate limit that tells to come back before its window is over loses nobody', async () => {
	fixture.service.temper = {
		rateLimit: { requestsPerSecond: 6, windowMs: 2000, retryAfter: 'seconds' },
	};
	const result = await addEach(30);
	expect(errorsOf(result)).toEqual([]);
	expect(emailsOf(result.items)).toEqual(indexes(30).map(emailOf));
});

test('a rate limit with a window much longer than it tells loses nobody', async () => {
	fixture.service.temper = {
		rateLimit: { requestsPerSecond: 12, windowMs: 8000, retryAfter: 'seconds' },
	};
	const result = await addEach(30);
	expect(errorsOf(result)).toEqual([]);
	expect(emailsOf(result.items)).toEqual(indexes(30).map(emailOf));
});

const retrySettings: INodeParameters[] = [
	{},
	{ maxRetries: 0 },
	{ maxConcurrentRequests: 1 },
	{ maxConcurrentRequests: 1, maxRetries: 0 },
];
const failing = [503, 429].flatMap((status) =>
	retrySettings.flatMap((requestOptions) =>
		[0, 12, 30].map((bad) => ({ status, bad, requestOptions })),
	),
);

test.each(failing)(
	'one item among 30 that always fails costs only itself: %j',
	async ({ status, bad, requestOptions }) => {
		const only = isFor(emailOf(bad));
		const headers = { 'Retry-After': '0' };
		fixture.service.temper = { latencyMs: 5, failWith: { status, headers, only } };
		const result = await addEach(31, requestOptions);
		const others = indexes(31).filter((n) => n !== bad);
		expect(emailsOf(result.items)).toEqual(others.map(emailOf));
		expect(errorsOf(result)).toEqual([expect.stringContaining(`(status ${status})`)]);
		expect(result.errorItems[0]!.pairedItem).toEqual({ item: bad });
		const tries = fixture.service.requests.filter(only).length;
		const allowed = 1 + ((requestOptions.maxRetries as number | undefined) ?? 3);
		if (allowed === 1) expect(tries).toBe(1);
		else {
			expect(tries).toBeGreaterThanOrEqual(allowed);
			expect(tries).toBeLessThanOrEqual(10);
		}
	},
);

test.each([
	['addToClass', 503, 4],
	['addToClass', 429, 4],
	['addManyToClass', 503, 4],
	['addToClass', 500, 1],
])(
	'one item alone is tried as often as its retries allow: %s, status %i, %i times',
	async (operation, status, tries) => {
		const { service, student } = fixture;
		service.temper = { failWith: { status, headers: { 'Retry-After': '0' } } };
		const [{ error }, duration] = await timed(async () => await student(operation));
		expect(error?.message).toContain(`(status ${status})`);
		expect(service.requests).toHaveLength(tries);
		expect(duration).toBeLessThan(5000);
	},
);

const waits: Array<[string, (cancel: AbortSignal) => Promise<RunResult>]> = [
	['items', async (cancel) => await addEach(40, {}, { ...CONTINUE, cancel })],
	['items, without "continue"', async (cancel) => await addEach(40, {}, { cancel })],
	[
		'batches',
		async (cancel) =>
			await fixture.student(
				'addManyToClass',
				{ options: { batchSize: 1 } },
				{ items: rows(40), ...CONTINUE, cancel },
			),
	],
	[
		'pages',
		async (cancel) => await fixture.classes({ returnAll: true }, { items: rows(40), cancel }),
	],
];

test.each(waits)(
	'an execution that is cancelled while the node waits ends at once: %s',
	async (_what, start) => {
		fixture.service.temper = { failWith: { status: 503 } };
		const cancel = new AbortController();
		const running = start(cancel.signal);
		// The node has met ten failures and waits before its first probe.
		await requestsReceived(fixture.service, 10);
		await sleep(700);
		const cancelled = Date.now();
		cancel.abort();
		await running;
		expect(Date.now() - cancelled).toBeLessThan(1000);
		const sent = fixture.service.requests.length;
		await sleep(3000);
		expect(fixture.service.requests).toHaveLength(sent);
		expect(sent).toBeLessThanOrEqual(14);
	},
);

const SMALL_PAGES = { pageSize: 10 };
const addClasses = () => {
	for (let n = 0; n < 48; n++) fixture.service.classes.addClass({ name: `Class ${n}` });
};

test.each([1, 10])(
	'a class list that breaks off at page 3 of 5 is an error, and no part of the list (at most %i at a time)',
	async (maxConcurrentRequests) => {
		const { service, classes } = fixture;
		addClasses();
		service.temper = {
			onRequest: async ({ query }) => {
				if (query.page === '3') await service.close();
			},
		};
		const parameters = {
			returnAll: true,
			options: SMALL_PAGES,
			requestOptions: { maxConcurrentRequests },
		};
		const stopped = await classes(parameters);
		expect(service.requests[0]).toMatchObject({ status: 200, query: { pageSize: '10' } });
		expect(stopped.items).toEqual([]);
		expect(stopped.error?.message).toMatch(/No response from http/);
	},
);

test('a class list that breaks off with status 500 at page 3 of 5 is one error item under "continue"', async () => {
	const { service, classes } = fixture;
	addClasses();
	service.temper = { failWith: { status: 500, only: ({ query }) => query.page === '3' } };
	const { items, errorItems } = await classes({ returnAll: true, options: SMALL_PAGES }, CONTINUE);
	expect(items).toEqual([]);
	expect(jsonOf(errorItems).map(({ error }) => error)).toEqual([
		expect.stringContaining('(status 500)'),
	]);
	expect(service.requests.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
});

test('a class list that breaks off for a second is read to its end', async () => {
	const { service, classes } = fixture;
	addClasses();
	let wasClosed = false;
	service.temper = {
		onRequest: async ({ query }) => {
			if (query.page !== '3' || wasClosed) return;
			wasClosed = true;
			await service.close();
			await sleep(1000);
			await service.reopen();
		},
	};
	const { items, error } = await classes({ returnAll: true, options: SMALL_PAGES });
	expect(wasClosed).toBe(true);
	expect(error).toBeUndefined();
	expect(jsonOf(items).map(({ name }) => name)).toEqual([
		PYTHON.name,
		RUST.name,
		...indexes(48).map((n) => `Class ${n}`),
	]);
});
