import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestRecord, Temper } from '../service/service';
import { EMAIL_OF_ITEM, useService } from './fixture';

const CONTINUE = { onError: 'continueErrorOutput' } as const;
// Longer than the node takes to send a request that it need not hold back.
const SETTLED_MS = 400;
const SUCCESS: Temper = {};
const REFUSED: Temper = { failWith: { status: 400 } };
const FAILED: Temper = { failWith: { status: 500 } };
const deferred = (status: number, seconds: number): Temper => ({
	failWith: { status, headers: { 'Retry-After': `${seconds}` } },
});

const fixture = useService();

/** Makes the service hold every request until the test answers it. */
function holdRequests() {
	const held: Array<{ email: string; respond: (temper: Temper) => void }> = [];
	const responses = new Map<RequestRecord, Temper>();
	let answered = 0;
	fixture.service.temper = {
		onRequest: async (request) =>
			await new Promise((resolve) => {
				const respond = (temper: Temper) => {
					responses.set(request, temper);
					resolve();
				};
				held.push({ email: (request.body as { email: string }).email, respond });
			}),
		forRequest: (request) => responses.get(request),
	};
	/** Waits for the next requests, and returns the names of their students. */
	const next = async (count = 1) => {
		while (held.length < answered + count) await sleep(20);
		return held.slice(answered, answered + count).map(({ email }) => email.split('@')[0]);
	};
	return {
		next,
		/** Answers the requests that came first. */
		answer: async (...tempers: Temper[]) => {
			await next(tempers.length);
			for (const temper of tempers) held[answered++]!.respond(temper);
		},
		/** Expects that the service holds so many requests, and that no more come. */
		expectInFlight: async (count: number) => {
			await next(count);
			await sleep(SETTLED_MS);
			expect(held.length - answered).toBe(count);
		},
		/** From now on, the service answers at once. */
		release: () => {
			fixture.service.temper = {};
			for (const { respond } of held.slice(answered)) respond(SUCCESS);
		},
	};
}

const addEach = async (students: string[], maxConcurrentRequests: number) =>
	await fixture.student(
		'addToClass',
		{ ...EMAIL_OF_ITEM, requestOptions: { maxConcurrentRequests } },
		{ items: students.map((student) => ({ email: `${student}@example.com` })), ...CONTINUE },
	);

test('after requests that are deferred together, one goes first, and each success lets in one more', async () => {
	const service = holdRequests();
	const students = Array.from({ length: 40 }, (_, n) => `student-${n}`);
	const running = addEach(students, 10);
	await service.answer(...Array.from({ length: 10 }, () => deferred(429, 3)));
	await service.expectInFlight(1);
	await service.answer(SUCCESS);
	await service.expectInFlight(2);
	await service.answer(SUCCESS, SUCCESS);
	await service.expectInFlight(4);
	service.release();
	expect((await running).items).toHaveLength(40);
});

test('a request that fails for good holds up no other', async () => {
	const service = holdRequests();
	const running = addEach(['a', 'b', 'c'], 2);
	expect(await service.next(2)).toEqual(['a', 'b']);
	await service.answer(FAILED);
	expect(await service.next(2)).toEqual(['b', 'c']);
	service.release();
	expect((await running).items).toHaveLength(2);
});

test('after an item that fails, deferred requests of others are not sent again', async () => {
	const service = holdRequests();
	const running = fixture.student(
		'addToClass',
		{ ...EMAIL_OF_ITEM, requestOptions: { maxConcurrentRequests: 3 } },
		{ items: ['a', 'b', 'c', 'd'].map((student) => ({ email: `${student}@example.com` })) },
	);
	await service.answer(deferred(429, 30), deferred(503, 30), REFUSED);
	const { error } = await running;
	expect(error?.message).toContain('(status 400)');
	expect(fixture.service.requests).toHaveLength(3);
});
