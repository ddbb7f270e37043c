import { DateTime, FixedOffsetZone } from 'luxon';
import { parseAccessToken } from '../../nodes/ClassEnrollment/values/accessToken';
import { parseClassId, parseClassIds } from '../../nodes/ClassEnrollment/values/classId';
import { parseEmail } from '../../nodes/ClassEnrollment/values/email';
import { parseDate } from '../../nodes/ClassEnrollment/values/expiration';
import { InvalidValueError } from '../../nodes/ClassEnrollment/values/invalidValue';
import { parseRedirectUrl } from '../../nodes/ClassEnrollment/values/redirectUrl';
import { parseOptionalText } from '../../nodes/ClassEnrollment/values/text';

/** A value, and what the error says about it and advises. */
type Refused = [value: unknown, problem: string | RegExp, advice: string | RegExp];

const UTC = FixedOffsetZone.utcInstance;
const date = (value: unknown) => parseDate(value, 'Ends', UTC);

/** The error with which a value is refused. */
function refusal(parse: (value: unknown) => unknown, value: unknown): InvalidValueError {
	try {
		parse(value);
	} catch (error) {
		if (error instanceof InvalidValueError) return error;
		throw error;
	}
	throw new Error('Not refused');
}

function expectRefusal(parse: (value: unknown) => unknown, [value, problem, advice]: Refused) {
	const { message, description } = refusal(parse, value);
	expect(message).toMatch(problem);
	expect(description).toMatch(advice);
}

describe('a text that is far too long is refused', () => {
	const blanks = ' '.repeat(300_000);
	test.each<[string, (value: unknown) => unknown, string]>([
		['a date', date, `2027-01-31T${blanks}x`],
		['a date', date, `2027-01-31${blanks}x`],
		['a date', date, `2027-01-31T10:20${'+'.repeat(300_000)}`],
		['a date', date, `2027-01-31${blanks}10:20`],
		['a date', date, `2027-01-31T10:20:30.${'0'.repeat(300_000)}Z`],
		['an address', (value) => parseEmail(value, 'Email'), `${'a'.repeat(300_000)}@example.com`],
		['an address', (value) => parseEmail(value, 'Email'), `a@${'b.'.repeat(150_000)}`],
		['an address', (value) => parseEmail(value, 'Email'), '@'.repeat(300_000)],
		['a URL', (value) => parseRedirectUrl(value, 'URL'), `https://a${'/'.repeat(300_000)} x`],
	])('%s', (_kind, parse, text) => {
		expect(refusal(parse, text).message.length).toBeLessThan(200);
	});

	test('but blanks around a value do not count', () => {
		expect(date(`${blanks}2027-01-31${blanks}`)).toBe('2027-01-31T00:00:00.000Z');
		expect(parseEmail(`${blanks}a@example.com${blanks}`, 'Email')).toBe('a@example.com');
	});

	test('a text without a limit may have any length', () => {
		expect(parseOptionalText(`${blanks}x`, 'Name')).toBe('x');
		expect(parseClassId(`a${blanks}b`, 'Class')).toHaveLength(300_002);
		expect(parseClassIds(`${'a,'.repeat(150_000)}b`, 'Classes')).toEqual(['a', 'b']);
	});
});

describe('class IDs', () => {
	const inexact: Refused[] = [2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e21].map((value) => [
		value,
		`'Class' is a number too large to be exact: "${value}"`,
		'Provide the ID as text, in quotes.',
	]);
	test.each<Refused>([...inexact, [{ id: 2 ** 53 }, 'too large', 'as text']])(
		'%p is refused',
		(...refused) => expectRefusal((value) => parseClassId(value, 'Class'), refused),
	);

	test.each<Refused>([
		[[1, 2 ** 53], 'too large', 'as text'],
		['[9007199254740993]', 'too large', 'as text'],
		['[{"id": 9007199254740993}]', 'too large', 'as text'],
	])('%j is refused among several', (...refused) =>
		expectRefusal((value) => parseClassIds(value, 'Classes'), refused),
	);

	test('up to there, a number counts, and a text of any length', () => {
		expect(parseClassId(2 ** 53 - 1, 'Class')).toBe('9007199254740991');
		expect(parseClassId('9007199254740993', 'Class')).toBe('9007199254740993');
		expect(parseClassIds('9007199254740993,["9007199254740995"]', 'Classes')).toHaveLength(2);
	});

	test('what JavaScript objects inherit counts like others', () => {
		const ids = ['constructor', '__proto__', 'toString'];
		expect(parseClassIds([...ids, ...ids], 'Classes')).toEqual(ids);
		expect(parseClassIds(JSON.stringify(ids.map((id) => ({ id }))), 'Classes')).toEqual(ids);
	});
});

describe('addresses', () => {
	test.each([
		"'a@example.com'",
		"'a@example.com",
		'`a@example.com`',
		'"a@example.com"',
		"a@example.com'",
		'{a}@example.com',
		'a@{domain}.com',
		'{{email}}@example.com',
		'a@example.{com}',
	])('%s is refused', (email) => {
		expect(refusal((value) => parseEmail(value, 'Email'), email).message).toContain(
			'email address',
		);
	});

	test.each(["o'brien@example.com", "a'@example.com", 'a`b@example.com', 'a|b@example.com'])(
		'%s is not',
		(email) => expect(parseEmail(email, 'Email')).toBe(email),
	);
});

describe('dates', () => {
	test.each<[unknown]>([
		['2027-01-31T00:00:00Z[America/New_York]'],
		['2027-01-31T00:00:00-05:00[America/New_York]'],
		['2027-01-31T00:00:00[America/New_York]'],
		['2027-01-31T00:00[UTC]'],
		['2027-01-31T00:00:00Z[u-ca=hebrew]'],
	])('%s says two things about its time zone, and is refused', (value) =>
		expectRefusal(date, [value, 'is not a date', 'such as 2027-01-31 or 2027-01-31T12:00:00Z']),
	);
});

describe('access tokens', () => {
	test.each<[unknown, string]>([
		['secret-token', 'secret-token'],
		[' secret-token\n', 'secret-token'],
		['Bearer secret-token', 'secret-token'],
		[' bearer \t secret-token ', 'secret-token'],
		['BEARER secret', 'secret'],
		['bearer-of-secrets', 'bearer-of-secrets'],
		[12345678, '12345678'],
	])('%j is sent as %j', (value, token) => expect(parseAccessToken(value)).toBe(token));

	test.each([undefined, null, '', '  ', 'Bearer', ' bearer \n', {}, ['secret-token'], true, NaN])(
		'%p is refused, and not shown',
		(value) => {
			const { message, description } = refusal(parseAccessToken, value);
			expect(message).toMatch(/^'Access Token' of the credential contains no token$/);
			expect(description).toMatch(/^Open the credential 'Class Enrollment API' and /);
		},
	);
});

test('dates in Luxon of any length are no texts', () => {
	expect(date(DateTime.utc(2027, 1, 31))).toBe('2027-01-31T00:00:00.000Z');
});
