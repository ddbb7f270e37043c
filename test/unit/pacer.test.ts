import { setTimeout as sleep } from 'node:timers/promises';
import { createCircuitBreaker } from '../../nodes/ClassEnrollment/transport/circuitBreaker';
import type { AttemptResult } from '../../nodes/ClassEnrollment/transport/outcome';
import { createPacer } from '../../nodes/ClassEnrollment/transport/pacer';
import { createRateLimiter } from '../../nodes/ClassEnrollment/transport/rateLimiter';

const TEXTS = { message: '', advice: '', reason: '' };
const DONE: AttemptResult = { ...TEXTS, outcome: 'done' };
const FAILED: AttemptResult = { ...TEXTS, outcome: 'unknown', isTemporary: true };

test('requests go in order, after two failures from both ends in turn; retries come last', async () => {
	const settings = { maxConcurrentRequests: 1, giveUpAfterMs: 60_000 };
	const rateLimiter = createRateLimiter({ size: 1, intervalMs: 0 });
	const pacer = createPacer({ ...settings, rateLimiter }, new AbortController().signal);
	const started: string[] = [];
	const acquire = (name: string, isRetry = false) =>
		void pacer.acquire(isRetry).then(() => started.push(name));
	for (const name of 'abcdefgh') acquire(name);
	acquire('retry', true);
	for (const result of [DONE, FAILED, FAILED, FAILED, DONE, DONE, DONE, DONE, DONE]) {
		await Promise.resolve().then();
		pacer.report(result, performance.now());
		pacer.release();
	}
	await Promise.resolve().then();
	expect(started).toEqual(['a', 'b', 'c', 'h', 'd', 'e', 'f', 'g', 'retry']);
});

// As docs/how-it-works.md says.
test.each([
	[4, 9999, 0, 0],
	[5, 0, 500, 550],
	[1, 10_000, 500, 550],
])('%i failures, of %i ms: a pause from %i to %i ms', async (count, milliseconds, least, most) => {
	const breaker = createCircuitBreaker(60_000);
	const startedAt = performance.now();
	await sleep(milliseconds);
	for (let failures = 0; failures < count; failures++) breaker.onFailure(startedAt, false);
	expect(breaker.pauseMs()).toBeGreaterThanOrEqual(least);
	expect(breaker.pauseMs()).toBeLessThanOrEqual(most);
});

test('the answer of a trial ends the pause between trials, but not the one that the service asks for', async () => {
	const breaker = createCircuitBreaker(60_000);
	const sentBefore = performance.now();
	await sleep(1);
	const fail = (waitMs?: number) =>
		breaker.onFailure(performance.now(), waitMs !== undefined, waitMs);
	for (let failures = 0; failures < 5; failures++) fail();
	await sleep(20_000);
	fail();
	expect(breaker.pauseMs()).toBeGreaterThan(4000);
	breaker.onAnswer(sentBefore);
	expect(breaker.pauseMs()).toBeGreaterThan(4000);
	breaker.onAnswer(performance.now());
	expect(breaker.pauseMs()).toBe(0);
	fail(30_000);
	// Another response to the same burst asks for less.
	fail(0);
	await sleep(1);
	breaker.onAnswer(performance.now());
	expect(breaker.pauseMs()).toBeGreaterThan(29_000);
});

test('an answer to what was sent before the first failure puts off the deadline', async () => {
	const breaker = createCircuitBreaker(60_000);
	const sentBefore = performance.now();
	await sleep(1000);
	expect(breaker.onFailure(sentBefore, false)).toBe(false);
	await sleep(59_000);
	breaker.onAnswer(sentBefore);
	await sleep(2000);
	expect(breaker.onFailure(sentBefore, false)).toBe(false);
});

test('when a trial is answered, the next request only waits for the rate limiter', async () => {
	const settings = { maxConcurrentRequests: 3, giveUpAfterMs: 60_000 };
	const rateLimiter = createRateLimiter({ size: 2, intervalMs: 3000 });
	const pacer = createPacer({ ...settings, rateLimiter }, new AbortController().signal);
	const results = [DONE, DONE, FAILED, FAILED, FAILED, FAILED, FAILED, FAILED, DONE, DONE];
	const send = async (milliseconds = 0) => {
		await pacer.acquire(false);
		const startedAt = performance.now();
		const result = results.shift()!;
		await sleep(milliseconds);
		pacer.report(result, startedAt);
		pacer.release();
	};
	for (let n = 0; n < 7; n++) await send();
	await sleep(30_000);
	const before = performance.now();
	// Two trials. After the failure of the first one, the third request would start after more than seven seconds.
	await Promise.all([send(600), send(600), send(600)]);
	expect(performance.now() - before).toBeLessThan(4000);
});

test('after a failure that every request would meet, the next one is a trial, half a second later', async () => {
	const settings = { maxConcurrentRequests: 10, giveUpAfterMs: 60_000 };
	const rateLimiter = createRateLimiter({ size: 1, intervalMs: 0 });
	const pacer = createPacer({ ...settings, rateLimiter }, new AbortController().signal);
	const starts: number[] = [];
	const hasEnded = [];
	for (let n = 0; n < 4; n++) {
		await pacer.acquire(false);
		starts.push(performance.now());
		hasEnded.push(
			pacer.report({ ...TEXTS, outcome: 'notProcessed', isFatal: true }, starts.at(-1)!),
		);
		pacer.release();
	}
	expect(hasEnded).toEqual([false, false, false, true]);
	for (const n of [1, 2, 3]) expect(starts[n]! - starts[n - 1]!).toBeGreaterThanOrEqual(500);
});
