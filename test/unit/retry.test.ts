import { ConnectionError } from '../../nodes/ClassEnrollment/transport/connectionError';
import type { ServiceRequest } from '../../nodes/ClassEnrollment/transport/http';
import { isRetryable, delayBeforeRetry } from '../../nodes/ClassEnrollment/transport/retry';

const answer = (status: number, retryAfter = '') => ({
	status,
	retryAfter,
	location: '',
	text: '',
});
const noAnswer = (code: string, mayHaveArrived: boolean) =>
	new ConnectionError(code, 'https://api.example.com', mayHaveArrived);

test.each([
	['a wait beyond a minute', '3600', 60_000, 60_000],
	['a date beyond a minute', new Date(Date.now() + 3_600_000).toUTCString(), 60_000, 60_000],
	['seconds', '10', 10_000, 11_000],
	['parts of a second', '1.25', 1250, 1375],
	['more than a number', '10 minutes', 250, 500],
	['half a number', '10.', 250, 500],
	['nothing to wait for', '0', 0, 0],
	['a date in the past', new Date(0).toUTCString(), 250, 500],
	['no number', 'soon', 250, 500],
])('Retry-After with %s', (_case, retryAfter, least, most) => {
	for (let n = 0; n < 50; n++) {
		const wait = delayBeforeRetry(1, answer(429, retryAfter));
		expect(wait).toBeGreaterThanOrEqual(least);
		expect(wait).toBeLessThanOrEqual(most);
	}
});

test('without it the waits double up to a minute', () => {
	const longest = [1, 2, 3, 4, 20].map((tries) =>
		Math.max(...Array.from({ length: 200 }, () => delayBeforeRetry(tries, answer(503)))),
	);
	[500, 1000, 2000, 4000, 60_000].forEach((most, index) => {
		expect(longest[index]).toBeLessThanOrEqual(most);
		expect(longest[index]).toBeGreaterThan(most * 0.9);
	});
});

test('no two waits are the same, so that many runs do not come back together', () => {
	const waits = [answer(429, '10'), answer(503), noAnswer('ECONNREFUSED', false)].flatMap(
		(outcome) => Array.from({ length: 20 }, () => delayBeforeRetry(2, outcome)),
	);
	expect(new Set(waits).size).toBeGreaterThan(55);
});

test.each([
	['POST', noAnswer('ECONNREFUSED', false), true],
	['DELETE', noAnswer('ETIMEDOUT', false), true],
	['POST', noAnswer('ETIMEDOUT', true), false],
	['POST', noAnswer('ECONNRESET', true), false],
	['GET', noAnswer('ECONNRESET', true), true],
	['GET', noAnswer('CERT_HAS_EXPIRED', false), false],
	['GET', noAnswer('UNABLE_TO_VERIFY_LEAF_SIGNATURE', false), false],
	['GET', noAnswer('ERR_INVALID_CHAR', false), false],
	['POST', answer(429), true],
	['DELETE', answer(503), true],
	['POST', answer(500), false],
	['GET', answer(500), true],
	['GET', answer(404), false],
] as Array<[ServiceRequest['method'], Parameters<typeof isRetryable>[1], boolean]>)(
	'%s after %j may be repeated: %s',
	(method, outcome, expected) => {
		expect(isRetryable(method, outcome)).toBe(expected);
	},
);
