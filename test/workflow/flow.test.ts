import { setTimeout as sleep } from 'node:timers/promises';
import {
	EMAIL_OF_ITEM,
	jsonOf,
	OPERATIONS,
	PYTHON,
	READS,
	requestsReceived,
	rows,
	RUST,
	useService,
	WRITES,
} from './fixture';

describe('retries', () => {
	const fixture = useService();
	const gaps = () => {
		const times = fixture.service.requests.map(({ receivedAt }) => receivedAt);
		return times.slice(1).map((time, index) => time - times[index]!);
	};

	test.each(OPERATIONS)('$name is repeated after 429 and 503', async (operation) => {
		for (const status of [429, 503]) {
			fixture.service.resetRecord();
			fixture.service.temper = { failWith: { status, times: 2, headers: { 'Retry-After': '0' } } };
			fixture.service.classes.enroll([PYTHON.id, RUST.id], [{ email: 'student@example.com' }]);
			expect((await fixture.run(operation)).error).toBeUndefined();
			expect(fixture.service.requests.map((request) => request.status)).toEqual([
				status,
				status,
				200,
			]);
		}
	});

	test.each(WRITES)('$name is not retried if its outcome is unknown', async (operation) => {
		for (const temper of [
			{ failWith: { status: 500 } },
			{ failWith: { status: 502 } },
			{ failWith: { status: 504 } },
			{ drop: { when: 'after' as const } },
			{ drop: { when: 'before' as const } },
			{ failWith: { status: 400 } },
			{ failWith: { status: 401 } },
		]) {
			fixture.service.resetRecord();
			fixture.service.temper = temper;
			expect((await fixture.run(operation)).error).toBeDefined();
			expect(fixture.service.requests).toHaveLength(1);
		}
	});

	test.each(READS)('$name is repeated if its outcome is unknown', async (operation) => {
		for (const temper of [
			{ failWith: { status: 500, times: 1 } },
			{ failWith: { status: 504, times: 1 } },
			{ drop: { when: 'before' as const, times: 1 } },
		]) {
			fixture.service.resetRecord();
			fixture.service.temper = temper;
			expect((await fixture.run(operation)).error).toBeUndefined();
			expect(fixture.service.requests).toHaveLength(2);
		}
	});

	test.each(READS)('$name is not repeated after a refusal', async (operation) => {
		fixture.service.temper = { failWith: { status: 404 } };
		expect((await fixture.run(operation)).error).toBeDefined();
		expect(fixture.service.requests).toHaveLength(1);
	});

	test('reading is retried after a timeout', async () => {
		fixture.service.temper = {
			onRequest: () => {
				fixture.service.temper.latencyMs = fixture.service.requests.length === 1 ? 3000 : 0;
			},
		};
		const { error } = await fixture.classes({ requestOptions: { timeout: 1000 } });
		expect(error).toBeUndefined();
		expect(fixture.service.requests).toHaveLength(2);
	});

	test.each([
		['seconds', () => '1'],
		['a date', () => new Date(Date.now() + 1900).toUTCString()],
	])('waits as long as Retry-After asks in %s', async (_form, value) => {
		fixture.service.temper = {
			failWith: { status: 429, times: 1, headers: { 'Retry-After': value() } },
		};
		await fixture.student('addToClass');
		expect(gaps()[0]).toBeGreaterThanOrEqual(850);
		expect(gaps()[0]).toBeLessThan(4000);
	});

	test.each(['soon', '-5', ''])(
		'waits by itself after the Retry-After %j, longer each time',
		async (value) => {
			fixture.service.temper = {
				failWith: { status: 503, times: 2, headers: { 'Retry-After': value } },
			};
			await fixture.student('addToClass');
			const [first, second] = gaps() as [number, number];
			expect(first).toBeGreaterThanOrEqual(240);
			expect(first).toBeLessThan(2000);
			expect(second).toBeGreaterThanOrEqual(490);
		},
	);

	test.each([0, 1])('at most %i retries', async (maxRetries) => {
		fixture.service.temper = { failWith: { status: 429, headers: { 'Retry-After': '0' } } };
		const { error } = await fixture.student('addToClass', { requestOptions: { maxRetries } });
		expect(error?.message).toContain('status 429');
		expect(fixture.service.requests).toHaveLength(maxRetries + 1);
	});

	test('a connection that was never made is tried again', async () => {
		const { port } = new URL(fixture.service.baseUrl);
		await fixture.service.close();
		const running = fixture.student('addToClass');
		const { startService } = await import('../service/service');
		await sleep(150);
		const revived = await startService({ port: Number(port) });
		revived.classes.addClass({ id: 'c0ffee00-0000-4000-8000-000000000001', name: 'Python' });
		const { error } = await running;
		await revived.close();
		expect(error).toBeUndefined();
		expect(revived.requests).toHaveLength(1);
	});

	test('the others wait while one is deferred', async () => {
		fixture.service.temper = {
			failWith: { status: 429, times: 1, headers: { 'Retry-After': '1' } },
		};
		await fixture.student(
			'addToClass',
			{ ...EMAIL_OF_ITEM, requestOptions: { maxConcurrentRequests: 2 } },
			{ items: rows(6) },
		);
		const [first, ...others] = fixture.service.requests.map(({ receivedAt }) => receivedAt);
		// The second was on its way already.
		expect(others.filter((time) => time - first! < 800).length).toBeLessThanOrEqual(1);
	});

	test('a limit far below the requests in flight loses nobody', async () => {
		fixture.service.temper = { rateLimit: { requestsPerSecond: 3, retryAfter: 'seconds' } };
		const { error, items: added } = await fixture.student('addToClass', EMAIL_OF_ITEM, {
			items: rows(25),
		});
		expect(error).toBeUndefined();
		expect(added).toHaveLength(25);
	});

	test('a service that limits requests gets every student in the end', async () => {
		fixture.service.temper = { rateLimit: { requestsPerSecond: 15, retryAfter: 'seconds' } };
		const { error, items: added } = await fixture.student('addToClass', EMAIL_OF_ITEM, {
			items: rows(60),
		});
		expect(error).toBeUndefined();
		expect(added).toHaveLength(60);
		expect(fixture.service.requests.filter(({ status }) => status === 200)).toHaveLength(60);
	});
});

describe('requests in flight', () => {
	const fixture = useService();

	test.each([undefined, 1, 3, 25])('never more than maxConcurrentRequests %p', async (max) => {
		const expected = max ?? 10;
		fixture.service.temper = { latencyMs: 10 };
		await fixture.student(
			'addToClass',
			{ ...EMAIL_OF_ITEM, requestOptions: max ? { maxConcurrentRequests: max } : {} },
			{ items: rows(2 * expected) },
		);
		expect(fixture.service.requests).toHaveLength(2 * expected);
		expect(fixture.service.peakInFlight).toBe(expected);
	});

	test('also while retrying, and for pages and batches', async () => {
		fixture.service.temper = {
			latencyMs: 400,
			failWith: { status: 429, times: 12, headers: { 'Retry-After': '0' } },
		};
		await fixture.student('sendMagicLink', EMAIL_OF_ITEM, { items: rows(30) });
		expect(fixture.service.peakInFlight).toBe(10);
		fixture.service.resetRecord();
		for (let n = 0; n < 150; n++) fixture.service.classes.addClass({ name: `Class ${n}` });
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

	test('pauses between batches as the Batching setting asks', async () => {
		const batching = { batch: { batchSize: 2, batchInterval: 1000 } };
		await fixture.student(
			'addToClass',
			{ ...EMAIL_OF_ITEM, requestOptions: { batching } },
			{ items: rows(5) },
		);
		const [first, second, third, , fifth] = fixture.service.requests.map(
			({ receivedAt }) => receivedAt,
		);
		expect(second! - first!).toBeLessThan((third! - second!) / 2);
		// Two pauses, less what the second request may have been late.
		expect(fifth! - second!).toBeGreaterThan(1500);
	});

	test.each([-1, 0])('Items per Batch %i counts as 1', async (batchSize) => {
		const batching = { batch: { batchSize, batchInterval: 600 } };
		await fixture.student(
			'addToClass',
			{ ...EMAIL_OF_ITEM, requestOptions: { batching } },
			{ items: rows(3) },
		);
		const [first, , third] = fixture.service.requests.map(({ receivedAt }) => receivedAt);
		expect(third! - first!).toBeGreaterThan(700);
	});

	test('after 429 there are half as many, and all of them again when it goes well', async () => {
		const { service } = fixture;
		service.temper = {
			latencyMs: 300,
			failWith: { status: 429, times: 10, headers: { 'Retry-After': '0' } },
			onRequest: () => {
				const { length } = service.requests;
				service.temper.latencyMs = length <= 10 || length > 100 ? 300 : 10;
			},
		};
		const { items: added } = await fixture.student('addToClass', EMAIL_OF_ITEM, {
			items: rows(130),
		});
		expect(added).toHaveLength(130);
		const slow = service.requests.slice(10, 15).map(({ finishedAt }) => finishedAt!);
		expect(service.requests[15]!.receivedAt).toBeGreaterThanOrEqual(Math.min(...slow));
		const inFlightAt = (time: number) =>
			service.requests.filter(
				({ receivedAt, finishedAt }) => receivedAt <= time && finishedAt! > time,
			).length;
		const late = service.requests.slice(100).map(({ receivedAt }) => inFlightAt(receivedAt));
		expect(Math.max(...late)).toBe(10);
	});

	test('a failure starts nothing more and says what was done', async () => {
		fixture.service.temper = {
			latencyMs: 20,
			failWith: { status: 400, only: ({ body }) => JSON.stringify(body).includes('student-5@') },
		};
		const { error } = await fixture.student(
			'addToClass',
			{ ...EMAIL_OF_ITEM, requestOptions: { maxConcurrentRequests: 1 } },
			{ items: rows(20) },
		);
		expect(fixture.service.requests).toHaveLength(6);
		expect(error?.context).toMatchObject({ itemIndex: 5 });
		expect(error?.description).toContain('Processed 5 of 20 items (0-4).');
	});

	test('after a failure nobody waits for the pauses and retries of the rest', async () => {
		fixture.service.temper = {
			failWith: { status: 400, only: ({ body }) => JSON.stringify(body).includes('student-0@') },
		};
		const batching = { batch: { batchSize: 1, batchInterval: 60_000 } };
		await fixture.student(
			'addToClass',
			{ ...EMAIL_OF_ITEM, requestOptions: { batching } },
			{ items: rows(10) },
		);
		expect(fixture.service.requests).toHaveLength(1);
	});

	test('a failure ends with others in flight, which are counted', async () => {
		fixture.service.temper = {
			latencyMs: 50,
			failWith: { status: 400, only: ({ body }) => JSON.stringify(body).includes('student-5@') },
		};
		const { error } = await fixture.student('addToClass', EMAIL_OF_ITEM, { items: rows(60) });
		const done = fixture.service.requests.filter(({ status }) => status === 200).length;
		expect(fixture.service.requests.length).toBeLessThanOrEqual(25);
		expect(error?.description).toContain(`Processed ${done} of 60 items`);
	});

	test('under "continue on fail" the others are done', async () => {
		fixture.service.temper = {
			failWith: { status: 400, only: ({ body }) => JSON.stringify(body).includes('student-5@') },
		};
		const result = await fixture.student('addToClass', EMAIL_OF_ITEM, {
			items: rows(20),
			onError: 'continueErrorOutput',
		});
		expect(result.items).toHaveLength(19);
		expect(jsonOf(result.errorItems)).toEqual([
			{ email: 'student-5@example.com', error: expect.stringContaining('Told to fail') },
		]);
	});
});

describe('a cancelled execution', () => {
	const fixture = useService();

	test('starts no further request', async () => {
		fixture.service.temper = { latencyMs: 1000 };
		const cancel = new AbortController();
		const running = fixture.student('addToClass', EMAIL_OF_ITEM, {
			items: rows(50),
			cancel: cancel.signal,
		});
		await requestsReceived(fixture.service, 10);
		cancel.abort();
		const { error } = await running;
		expect(error?.message).toBe('The execution was cancelled');
		expect(error?.description).toMatch(
			/No items were processed\. Unknown whether processed: 0-9\.$/,
		);
		await sleep(1500);
		expect(fixture.service.requests).toHaveLength(10);
	});

	test('does not wait for a retry', async () => {
		// Longer than a test may take.
		fixture.service.temper = { failWith: { status: 429, headers: { 'Retry-After': '30' } } };
		const cancel = new AbortController();
		const running = fixture.student('addToClass', {}, { cancel: cancel.signal });
		await requestsReceived(fixture.service, 1);
		cancel.abort();
		await running;
		expect(fixture.service.requests).toHaveLength(1);
	});
});
