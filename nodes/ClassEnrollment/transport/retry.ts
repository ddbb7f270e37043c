import { DateTime } from 'luxon';
import { ConnectionError, TIMEOUT } from './connectionError';
import type { ServiceRequest, ServiceResponse } from './http';

const LONGEST_DELAY_MS = 60_000;
const FIRST_BACK_OFF_MS = 500;
const FIRST_PROBE_DELAY_MS = 2_000;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/** What one try led to. */
export type Outcome = ServiceResponse | ConnectionError;

/**
 * Whether repeating a request can do no harm: it was deferred, it never arrived, or it only reads.
 * A write with an unknown outcome is not repeated: a second magic link is a second email.
 */
export function isRetryable(method: ServiceRequest['method'], outcome: Outcome): boolean {
	if (outcome instanceof ConnectionError) {
		return !outcome.isPermanent && (!outcome.mayHaveArrived || method === 'GET');
	}
	// With these two the service says that it did not process the request.
	if (isTooManyRequests(outcome) || outcome.status === UNAVAILABLE) return true;
	return method === 'GET' && isServerError(outcome);
}

/** Whether a response shows the service at work, even if it rejects the request. */
export function isAtWork(outcome: Outcome): boolean {
	if (outcome instanceof ConnectionError) return false;
	return !isServerError(outcome) && !isTooManyRequests(outcome);
}

/** Whether the service failed. */
export function isServerError(outcome: Outcome): boolean {
	return !(outcome instanceof ConnectionError) && outcome.status >= 500;
}

/** Whether the service took too long to respond. */
export function isTimeout(outcome: Outcome): boolean {
	return outcome instanceof ConnectionError && TIMEOUT.test(outcome.code);
}

/** Whether the service asks for fewer requests. */
export function isTooManyRequests(outcome: Outcome): boolean {
	return !(outcome instanceof ConnectionError) && outcome.status === TOO_MANY_REQUESTS;
}

/**
 * How long to wait before the next try, in milliseconds: what the service asks for in `Retry-After`
 * (seconds or a date, at most 60 s), otherwise twice as long as the last time. Both vary at random,
 * so that many runs do not come back at the same moment.
 * @param tries how many tries were made so far
 */
export function delayBeforeRetry(tries: number, outcome: Outcome): number {
	const asked = askedDelay(outcome);
	if (asked !== undefined) return Math.min(asked * (1 + Math.random() / 10), LONGEST_DELAY_MS);
	const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** (tries - 1), LONGEST_DELAY_MS);
	return backOff * (0.5 + Math.random() / 2);
}

/**
 * How long to wait before the next probe of a service that is down, in milliseconds: twice as long as the last time,
 * or longer if `Retry-After` asks for it.
 * @param failed how many probes failed so far
 */
export function probeDelay(failed: number, outcome: Outcome): number {
	const delay = Math.max(FIRST_PROBE_DELAY_MS * 2 ** failed, askedDelay(outcome) ?? 0);
	return Math.min(delay, LONGEST_DELAY_MS) * (0.9 + Math.random() / 10);
}

/** How long the service asks to wait, in milliseconds; undefined if it does not. */
export function askedDelay(outcome: Outcome): number | undefined {
	if (outcome instanceof ConnectionError) return undefined;
	const { retryAfter } = outcome;
	if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1000;
	const date = DateTime.fromHTTP(retryAfter);
	const milliseconds = date.isValid ? date.diffNow().toMillis() : 0;
	return milliseconds > 0 ? milliseconds : undefined;
}
