// docs/how-it-works.md promises these.
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 2000;
// A service that asks for more might as well ask for ever; a date could not hold it.
const LONGEST_WAIT_MS = 365 * 24 * 3_600_000;

/** How long the header Retry-After asks to wait, in milliseconds; undefined if it does not. */
export function askedDelay(retryAfter: string): number | undefined {
	const seconds = Number(retryAfter);
	const milliseconds = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
	return milliseconds > 0 ? Math.min(milliseconds, LONGEST_WAIT_MS) : undefined;
}

/** How long a request waits before it is sent again, in milliseconds: twice as long with each try. */
export function backoff(tries: number): number {
	return Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), MAX_DELAY_MS);
}

/** Makes a wait up to a tenth longer, so that many runs do not come back at the same moment. */
export function vary(milliseconds: number): number {
	return milliseconds * (1 + Math.random() / 10);
}
