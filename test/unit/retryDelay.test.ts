import {
	askedDelay,
	probeDelay,
	retryDelay,
} from '../../nodes/ClassEnrollment/transport/retryDelay';

const asked = (headers: Record<string, string>, status = 429) =>
	askedDelay(status, (name) => headers[name] ?? '');
const inAnHour = () => Math.round(Date.now() / 1000) + 3600;

test.each([
	['seconds', '10', 10_000],
	['parts of a second', '1.25', 1250],
	['more than a number', '10 minutes', undefined],
	['half a number', '10.', undefined],
	['nothing to wait for', '0', undefined],
	['a date in the past', new Date(0).toUTCString(), undefined],
	['no number', 'soon', undefined],
])('Retry-After with %s', (_case, value, expected) => {
	expect(asked({ 'retry-after': value })).toBe(expected);
	expect(asked({ 'retry-after': value }, 503)).toBe(expected);
});

test('Retry-After with a date', () => {
	const delay = asked({ 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() });
	expect(delay).toBeGreaterThan(3_590_000);
	expect(delay).toBeLessThanOrEqual(3_600_000);
});

test.each(['ratelimit-reset', 'x-ratelimit-reset'])('%s counts after status 429', (name) => {
	expect(asked({ [name]: '7' })).toBe(7000);
	expect(asked({ [name]: String(inAnHour()) })).toBeGreaterThan(3_590_000);
	expect(asked({ [name]: String(inAnHour()) })).toBeLessThanOrEqual(3_601_000);
	for (const value of ['0', '-5', 'soon', '1000000001']) {
		expect(asked({ [name]: value })).toBeUndefined();
	}
	expect(asked({ [name]: '7', 'retry-after': '3' })).toBe(3000);
	// Many services send it with every response.
	expect(asked({ [name]: '7' }, 503)).toBeUndefined();
});

/** Expects that many delays lie between two times, and not all at one. */
function expectRange(delay: () => number, least: number, most: number): void {
	const delays = Array.from({ length: 300 }, delay);
	expect(Math.min(...delays)).toBeGreaterThanOrEqual(least);
	expect(Math.max(...delays)).toBeLessThanOrEqual(most);
	expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan((most - least) * 0.8);
}

test.each([
	[10_000, 11_000],
	[50_000, 55_000],
])('waits as long as the service asks: %i ms', (asked, most) =>
	expectRange(() => retryDelay(1, asked), asked, most),
);

test.each([
	[1, 500],
	[2, 1000],
	[3, 2000],
	[4, 4000],
	[20, 60_000],
])('by itself, the wait after try %i is up to %i ms', (tries, most) =>
	expectRange(() => retryDelay(tries, undefined), most / 2, most),
);

test('while others get through, the wait is up to four seconds', () =>
	expectRange(() => retryDelay(9, undefined, true), 2000, 4000));

test('waits a minute at most', () => {
	expect(retryDelay(1, 3_600_000)).toBe(60_000);
	expect(probeDelay(1, 3_600_000)).toBeLessThanOrEqual(60_000);
});

test.each([
	[0, 0, 2000],
	[1, 0, 4000],
	[2, 9000, 9000],
	[9, 0, 60_000],
])(
	'the wait for a probe after %i failed ones, asked for %i ms, is up to %i ms',
	(failed, ms, most) => expectRange(() => probeDelay(failed, ms), most * 0.9, most),
);
