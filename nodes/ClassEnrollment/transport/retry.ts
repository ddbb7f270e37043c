import { DateTime } from 'luxon';
import { ConnectionError, type ServiceRequest, type ServiceResponse, TLS_FAULT } from './http';

const LONGEST_DELAY_MS = 60_000;
const FIRST_BACK_OFF_MS = 500;
// With these the service says that it did not process the request.
const DEFERRED = [429, 503];

/** What one try led to. */
export type Outcome = ServiceResponse | ConnectionError;

/**
 * Whether repeating a request can do no harm: it was deferred, it never arrived, or it only reads.
 * A write with an unknown outcome is not repeated: a second magic link is a second email.
 */
export function isRetryable(method: ServiceRequest['method'], outcome: Outcome): boolean {
	if (outcome instanceof ConnectionError) {
		if (TLS_FAULT.test(outcome.code) || outcome.code.startsWith('ERR_')) return false;
		return !outcome.mayHaveArrived || method === 'GET';
	}
	return DEFERRED.includes(outcome.status) || (method === 'GET' && outcome.status >= 500);
}

/**
 * How long to wait before the next try, in milliseconds: what the service asks for in `Retry-After`
 * (seconds or a date, at most 60 s), otherwise twice as long as the last time. Both vary at random,
 * so that many runs do not come back at the same moment.
 * @param tries how many tries were made so far
 */
export function delayBeforeRetry(tries: number, outcome: Outcome): number {
	const asked =
		outcome instanceof ConnectionError ? undefined : parseRetryAfter(outcome.retryAfter);
	if (asked !== undefined) return Math.min(asked * (1 + Math.random() / 10), LONGEST_DELAY_MS);
	const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** (tries - 1), LONGEST_DELAY_MS);
	return backOff * (0.5 + Math.random() / 2);
}

function parseRetryAfter(value: string): number | undefined {
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = DateTime.fromHTTP(value);
	const milliseconds = date.isValid ? date.diffNow().toMillis() : 0;
	return milliseconds > 0 ? milliseconds : undefined;
}
