import { DateTime } from 'luxon';
import type { Answer, ServiceRequest } from './exchange';
import { NoAnswerError, TLS_FAULT } from './exchange';

const LONGEST_WAIT_MS = 60_000;
const FIRST_BACK_OFF_MS = 500;
// The service says with these that it did not process the request.
const PUT_OFF = [429, 503];

/**
 * Whether repeating a request can do no harm: it was put off, it never arrived, or it only reads.
 * A write whose fate is unknown is not repeated: a second magic link is a second e-mail.
 */
export function mayRepeat(
	method: ServiceRequest['method'],
	outcome: Answer | NoAnswerError,
): boolean {
	if (outcome instanceof NoAnswerError) {
		if (TLS_FAULT.test(outcome.code) || outcome.code.startsWith('ERR_')) return false;
		return !outcome.mayHaveArrived || method === 'GET';
	}
	return PUT_OFF.includes(outcome.status) || (method === 'GET' && outcome.status >= 500);
}

/**
 * How long to wait before the next try, in milliseconds: what the service asks for in `Retry-After`
 * (seconds or a date, at most 60 s), otherwise twice as long as the last time. Chance changes both a little,
 * so that many runs do not come back at the same moment.
 * @param tries how many tries were made so far
 */
export function waitBeforeRetry(tries: number, outcome: Answer | NoAnswerError): number {
	const asked = outcome instanceof NoAnswerError ? undefined : readRetryAfter(outcome.retryAfter);
	if (asked !== undefined) return Math.min(asked * (1 + Math.random() / 10), LONGEST_WAIT_MS);
	const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
	return backOff * (0.5 + Math.random() / 2);
}

function readRetryAfter(value: string): number | undefined {
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = DateTime.fromHTTP(value);
	const milliseconds = date.isValid ? date.diffNow().toMillis() : 0;
	return milliseconds > 0 ? milliseconds : undefined;
}
