import type { AttemptResult } from './outcome';
import { isWrite, type ServiceRequest } from './request';

// docs/how-it-works.md promises these.
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 2000;

// As in HTTP: seconds (ten digits would be a point in time), or a date, which begins with its weekday.
const SECONDS = /^\d{1,9}(\.\d+)?$/;
const DATE = /^(mon|tue|wed|thu|fri|sat|sun)/i;

/** Whether to send a request again. */
export function shouldRetry(
	request: ServiceRequest,
	{ isTemporary, outcome, status }: AttemptResult,
): boolean {
	// It would fail in the same way.
	if (!isTemporary) return false;
	// The service has not processed it, so nothing can happen twice.
	if (outcome === 'notProcessed') return true;
	// A read changes nothing.
	if (!isWrite(request)) return true;
	// Most likely, 503 was not processed. If it was, a second addition or removal changes nothing more, but a second email would arrive.
	return status === 503 && request.isIdempotent === true;
}

/** Returns how long a request waits before it is sent again, in milliseconds: twice as long each time, up to a limit. */
export function calculateDelay(attempt: number): number {
	return withJitter(Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS));
}

/** Reads the header Retry-After; returns milliseconds, undefined if it cannot be read. */
export function parseRetryAfter(header: unknown): number | undefined {
	const text = String(header).trim();
	if (SECONDS.test(text)) return 1000 * Number(text);
	const milliseconds = DATE.test(text) ? Date.parse(text) - Date.now() : NaN;
	return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** Makes a delay up to a tenth longer, so that many runs do not come back at the same moment. */
export function withJitter(milliseconds: number): number {
	return milliseconds * (1 + Math.random() / 10);
}
