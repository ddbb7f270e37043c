import { DateTime } from 'luxon';

// docs/how-it-works.md promises these.
const MAX_DELAY_MS = 60_000;
const FIRST_DELAY_MS = 500;
const FIRST_PROBE_DELAY_MS = 2_000;
/** How long a request waits at most while others get through: it has probably met the one server that is down. */
const MAX_DELAY_AMONG_OTHERS_MS = 4_000;
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

/**
 * How long to wait before the next try, in milliseconds: as long as the service asks, or else twice as long as the last
 * time, at most a minute. Both vary at random, so that many runs do not come back at the same moment.
 * @param tries how many tries were made so far
 */
export function retryDelay(tries: number, asked: number | undefined, amongOthers = false): number {
	if (asked !== undefined) return Math.min(asked * (1 + Math.random() / 10), MAX_DELAY_MS);
	const max = amongOthers ? MAX_DELAY_AMONG_OTHERS_MS : MAX_DELAY_MS;
	return Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), max) * (0.5 + Math.random() / 2);
}

/**
 * How long to wait before the next probe of a service that is down, in milliseconds: twice as long as the last time,
 * or longer if the service asks for it, at most a minute.
 * @param failed how many probes failed so far
 */
export function probeDelay(failed: number, asked = 0): number {
	const delay = Math.max(FIRST_PROBE_DELAY_MS * 2 ** failed, asked);
	return Math.min(delay, MAX_DELAY_MS) * (0.9 + Math.random() / 10);
}

function parseRetryAfter(text: string): number | undefined {
	// Reading a date takes longer than everything else about a response.
	if (text === '') return undefined;
	const milliseconds = /^\d+(\.\d+)?$/.test(text)
		? Number(text) * 1000
		: DateTime.fromHTTP(text).diffNow().toMillis();
	return milliseconds > 0 ? milliseconds : undefined;
}
