import { askedDelay, backoff, vary } from '../../nodes/ClassEnrollment/transport/backoff';

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

test.each([
	[1, 500],
	[2, 1000],
	[3, 2000],
	[20, 2000],
])('try %i is followed by a wait of %i ms', (tries, milliseconds) =>
	expect(backoff(tries)).toBe(milliseconds),
);

test('a wait varies by up to a tenth, so that many runs do not come back at the same moment', () => {
	const waits = Array.from({ length: 300 }, () => vary(10_000));
	expect(new Set(waits).size).toBeGreaterThan(1);
	expect(Math.min(...waits)).toBeGreaterThanOrEqual(10_000);
	expect(Math.max(...waits)).toBeLessThanOrEqual(11_000);
});
