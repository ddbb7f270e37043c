// docs/how-it-works.md promises these.
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 2000;

// As in HTTP: seconds (ten digits would be a point in time), or a date, which begins with its weekday.
const SECONDS = /^\d{1,9}(\.\d+)?$/;
const DATE = /^(mon|tue|wed|thu|fri|sat|sun)/i;

/** How long the header Retry-After asks to wait, in milliseconds; undefined without one that can be read. */
export function askedDelay(retryAfter: unknown): number | undefined {
	const text = String(retryAfter).trim();
	if (SECONDS.test(text)) return 1000 * Number(text);
	const milliseconds = DATE.test(text) ? Date.parse(text) - Date.now() : NaN;
	return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** How long a request waits before it is sent again, in milliseconds: twice as long with each try. */
export function backoff(tries: number): number {
	return Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), MAX_DELAY_MS);
}

/** Makes a wait up to a tenth longer, so that many runs do not come back at the same moment. */
export function vary(milliseconds: number): number {
	return milliseconds * (1 + Math.random() / 10);
}
