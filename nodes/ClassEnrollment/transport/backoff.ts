import { DateTime } from 'luxon';

// docs/how-it-works.md promises these.
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 2000;
// A reset beyond this is a Unix time; anything smaller is a number of seconds.
const MIN_UNIX_TIME = 1_000_000_000;

/**
 * How long the service asks to wait, in milliseconds; undefined if it does not.
 * @param header returns the header of a name, empty if it is absent
 */
export function askedDelay(status: number, header: (name: string) => string): number | undefined {
	const asked = parseRetryAfter(header('retry-after'));
	if (asked !== undefined || status !== 429) return asked;
	const reset = Number(header('ratelimit-reset') || header('x-ratelimit-reset'));
	const seconds = reset > MIN_UNIX_TIME ? reset - Date.now() / 1000 : reset;
	return seconds > 0 ? seconds * 1000 : undefined;
}

/** How long a request waits before it is sent again, in milliseconds: twice as long with each try. */
export function backoff(tries: number): number {
	return Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), MAX_DELAY_MS);
}

/** Makes a wait up to a tenth longer, so that many runs do not come back at the same moment. */
export function vary(milliseconds: number): number {
	return milliseconds * (1 + Math.random() / 10);
}

function parseRetryAfter(text: string): number | undefined {
	// Reading a date takes longer than everything else about a response.
	if (text === '') return undefined;
	const milliseconds = /^\d+(\.\d+)?$/.test(text)
		? Number(text) * 1000
		: DateTime.fromHTTP(text).diffNow().toMillis();
	return milliseconds > 0 ? milliseconds : undefined;
}
