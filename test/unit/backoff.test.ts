import { askedDelay, backoff } from '../../nodes/ClassEnrollment/transport/backoff';

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

/** The shortest and the longest of many delays. */
const rangeOf = (delay: () => number) => {
	const delays = Array.from({ length: 300 }, delay);
	expect(new Set(delays).size).toBeGreaterThan(1);
	return [Math.min(...delays), Math.max(...delays)] as const;
};

test.each([
	[10_000, 10_000, 11_000],
	[300_000, 300_000, 330_000],
])('waits as long as the service asks: %i ms', (askedMs, least, most) => {
	const [min, max] = rangeOf(() => backoff(1, 0, askedMs));
	expect(min).toBeGreaterThanOrEqual(least);
	expect(max).toBeLessThanOrEqual(most);
});

test('waits as long as it must at least', () => {
	const [min, max] = rangeOf(() => backoff(20, 5000, 10));
	expect(min).toBeGreaterThanOrEqual(5000);
	expect(max).toBeLessThanOrEqual(5500);
});

test.each([
	[1, 500],
	[2, 1000],
	[3, 2000],
	[20, 2000],
])('by itself, the wait of try %i is about %i ms', (tries, least) => {
	const [min, max] = rangeOf(() => backoff(tries, 0));
	expect(min).toBeGreaterThanOrEqual(least);
	expect(max).toBeLessThanOrEqual(1.1 * least);
	expect(backoff(tries, 0, 9000)).toBeGreaterThanOrEqual(9000);
});
