import { DateTime } from 'luxon';

// docs/how-it-works.md promises these.
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 2000;
// A reset beyond these is a Unix time in seconds or in milliseconds; anything smaller is a number of seconds.
const MIN_UNIX_TIME = 1_000_000_000;
const MIN_UNIX_TIME_MS = 100_000_000_000;
/** A service that asks for more might as well ask for ever; a date could not hold it. */
export const LONGEST_WAIT_MS = 365 * 24 * 3_600_000;

/** Returns the header of a name, empty if it is absent. */
type Header = (name: string) => string;

/** How long the service asks to wait, in milliseconds, a year at most; undefined if it does not. */
export function askedDelay(status: number, header: Header): number | undefined {
	const asked = readRetryAfter(header) ?? (status === 429 ? readReset(header) : undefined);
	return asked === undefined ? undefined : Math.min(asked, LONGEST_WAIT_MS);
}

/** How long a request waits before it is sent again, in milliseconds: twice as long with each try. */
export function backoff(tries: number): number {
	return Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), MAX_DELAY_MS);
}

/** Makes a wait up to a tenth longer, so that many runs do not come back at the same moment. */
export function vary(milliseconds: number): number {
	return milliseconds * (1 + Math.random() / 10);
}

function readRetryAfter(header: Header): number | undefined {
	const text = header('retry-after');
	// Reading a date takes longer than everything else about a response.
	if (text === '') return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return ifPositive(Number(text) * 1000);
	return ifPositive(DateTime.fromHTTP(text).toMillis() - nowOf(header));
}

function readReset(header: Header): number | undefined {
	const reset = Number(header('ratelimit-reset') || header('x-ratelimit-reset'));
	if (reset < MIN_UNIX_TIME) return ifPositive(reset * 1000);
	return ifPositive((reset < MIN_UNIX_TIME_MS ? reset * 1000 : reset) - nowOf(header));
}

/** By the clock of the service, as far as it tells, in milliseconds since 1970. */
function nowOf(header: Header): number {
	const sent = DateTime.fromHTTP(header('date'));
	return sent.isValid ? sent.toMillis() : Date.now();
}

const ifPositive = (milliseconds: number) => (milliseconds > 0 ? milliseconds : undefined);
