import { DateTime } from 'luxon';
import { readRequestSettings } from '../../nodes/ClassEnrollment/fields/requestOptions';
import { parseAccessToken } from '../../nodes/ClassEnrollment/values/accessToken';
import { parseBoolean } from '../../nodes/ClassEnrollment/values/boolean';
import { findChoice } from '../../nodes/ClassEnrollment/values/choice';
import { parseClassId, parseClassIds } from '../../nodes/ClassEnrollment/values/classId';
import { parseEmail } from '../../nodes/ClassEnrollment/values/email';
import { parseDate, parseDurationEnd } from '../../nodes/ClassEnrollment/values/expiration';
import { InvalidValueError } from '../../nodes/ClassEnrollment/values/invalidValue';
import { parseRedirectUrl } from '../../nodes/ClassEnrollment/values/redirectUrl';
import { parseOptionalText } from '../../nodes/ClassEnrollment/values/text';
import { parseWholeNumber } from '../../nodes/ClassEnrollment/values/wholeNumber';

const BLANKS = ' '.repeat(300_000);
const UTC = DateTime.utc().zone;
const COLORS = [
	{ name: 'Red', value: 'red' },
	{ name: 'Dark Blue', value: 'blue' },
];

const PARSE: Record<string, (value: unknown) => unknown> = {
	address: (value) => parseEmail(value, 'It'),
	'class ID': (value) => parseClassId(value, 'It'),
	'class IDs': (value) => parseClassIds(value, 'It'),
	date: (value) => parseDate(value, 'It', UTC),
	duration: (value) => parseDurationEnd(value, 'years', DateTime.utc(2027)),
	choice: (value) => findChoice(value, COLORS, 'It'),
	'redirect URL': (value) => parseRedirectUrl(value, 'It'),
	text: (value) => parseOptionalText(value, 'It'),
	'whole number': (value) => parseWholeNumber(value, 'It', -1),
	switch: (value) => parseBoolean(value, 'It'),
	proxy: (value) => readRequestSettings({ proxy: value }),
	'access token': parseAccessToken,
};

const AN_ADDRESS = "Enter the student's email address, or check the expression.";
const ONE_ADDRESS = /^Enter one plain address such as student@example\.com\./;
const A_CLASS = 'Choose a class from the list, or enter its ID.';
const SOME_CLASS = 'Choose at least one class, or provide IDs with an expression.';
const EVERY_ID = 'Provide the ID of every class.';
const NEVER = "Enter a date. For access that never ends, set 'Access Expiration' to 'Never'.";
const A_DATE =
	/^Use a date such as 2027-01-31 .*DateTime\.fromFormat\(\$json\.date, 'd\/M\/yyyy'\)/;
const A_SERIAL_NUMBER =
	/^Convert the number of a day in a spreadsheet: \{\{ DateTime\.fromISO\('1899-12-30'\)\.plus\(/;
const A_URL = 'Enter a full address starting with https:// or http://, or leave the field empty.';
const A_TEXT = 'Provide one text value.';
const A_SWITCH = 'Turn it on or off, or make the expression return true or false.';
const A_PROXY = 'Use http://host:port or http://user:password@host:port.';
const A_TOKEN = /^Open the credential 'Class Enrollment API' and /;

const NO_DOMAIN = [
	...['b.io?cc=x', 'b.io!', 'b.io&x=1', 'b.io#x', 'b%2e.io', 'b_c.io', 'b.io=', 'b.io+', 'b.io/'],
	...['b.io.', 'b..io', '.io', 'b。io', 'b.io²', 'b.😀'],
].map((domain) => `a@${domain}`);
const NO_DATE = [DateTime.fromISO('nonsense'), DateTime.utc(10000), DateTime.utc(1899, 12, 31)];

/** What an error says about values, and advises. */
interface Refused {
	kind: string;
	values: unknown[];
	says: RegExp;
	advises: string | RegExp;
}

// Of dates, unit/expiration.test.ts has more.
describe.each`
	kind              | values                                                                                                             | says                                                                   | advises
	${'address'}      | ${['', '  ', null, undefined]}                                                                                     | ${/^'It' is empty$/}                                                   | ${AN_ADDRESS}
	${'address'}      | ${[42, true, ['a@b.io'], new Date(0)]}                                                                             | ${/^'It' is not an email address: "(42|true|\["a@b.io"\]|.*1970.*)"$/} | ${ONE_ADDRESS}
	${'address'}      | ${[{ a: 1 }, 'nonsense', 'student@example', '@example.com', 'student@@example.com']}                               | ${/ is not an email address: /}                                        | ${ONE_ADDRESS}
	${'address'}      | ${['a b@example.com', 'Student <student@example.com>', 'a@example.com, b@example.com']}                            | ${/ is not an email address: /}                                        | ${ONE_ADDRESS}
	${'address'}      | ${["'a@example.com'", "'a@example.com", '`a@example.com`', '"a@example.com"', "a@example.com'", '=a@example.com']} | ${/ is not an email address: /}                                        | ${ONE_ADDRESS}
	${'address'}      | ${['‘a@example.com', '“a@example.com', '•a@example.com', '–a@example.com', '·a@example.com']}                      | ${/ is not an email address: /}                                        | ${ONE_ADDRESS}
	${'address'}      | ${['{a}@example.com', 'a@{domain}.com', '{{email}}@example.com', 'a@example.{com}']}                               | ${/ is not an email address: /}                                        | ${ONE_ADDRESS}
	${'address'}      | ${NO_DOMAIN}                                                                                                       | ${/ is not an email address: /}                                        | ${ONE_ADDRESS}
	${'address'}      | ${['student@example\u200b.com']}                                                                                   | ${/ is not an email address: /}                                        | ${/ Retype it: .*\(U\+200B\)/}
	${'address'}      | ${['student\ufe0f@example.com', 'student@example.com\ufe0f']}                                                      | ${/ is not an email address: /}                                        | ${/ Retype it: .*\(U\+FE0F\)/}
	${'address'}      | ${['x'.repeat(80)]}                                                                                                | ${/: "x{80}"$/}                                                        | ${ONE_ADDRESS}
	${'address'}      | ${['x'.repeat(81), `${'x'.repeat(243)}@example.com`]}                                                              | ${/: "x{80}…"$/}                                                       | ${ONE_ADDRESS}
	${'address'}      | ${[`a@${'b.'.repeat(150_000)}`, '@'.repeat(300_000)]}                                                              | ${/…"$/}                                                               | ${ONE_ADDRESS}
	${'class ID'}     | ${['', '   ', null, undefined, { __rl: true, value: '' }]}                                                         | ${/^'It' is empty$/}                                                   | ${A_CLASS}
	${'class ID'}     | ${['.', '..', ' .. ']}                                                                                             | ${/ must be a class ID, but is "/}                                     | ${A_CLASS}
	${'class ID'}     | ${[true, ['a'], {}]}                                                                                               | ${/ must be a class ID, but is "/}                                     | ${A_CLASS}
	${'class ID'}     | ${['[object Object]', 'null', 'undefined']}                                                                        | ${/ must be a class ID, but is "/}                                     | ${A_CLASS}
	${'class ID'}     | ${['a\nb', 'a\ud800']}                                                                                             | ${/ must be a class ID, but is "/}                                     | ${/ Retype it: .*\(U\+(000A|D800)\)/}
	${'class ID'}     | ${[2 ** 53, 1.5, NaN]}                                                                                             | ${/ must be a class ID, but is "/}                                     | ${A_CLASS}
	${'class IDs'}    | ${['[9007199254740993]', [{ id: 2 ** 53 }]]}                                                                       | ${/ must be a class ID, but is "/}                                     | ${A_CLASS}
	${'class IDs'}    | ${[[], null, '', ' , ', '[]']}                                                                                     | ${/^'It' contains no classes$/}                                        | ${SOME_CLASS}
	${'class IDs'}    | ${[['a', null], ['a', ''], 'a,,b']}                                                                                | ${/ contains an empty entry: "/}                                       | ${EVERY_ID}
	${'class IDs'}    | ${['[a, b]']}                                                                                                      | ${/ is not valid JSON: "\[a, b\]"$/}                                   | ${/ such as \["id-1", "id-2"\]/}
	${'class IDs'}    | ${['null']}                                                                                                        | ${/ must be a class ID, but is "/}                                     | ${A_CLASS}
	${'class IDs'}    | ${[['..']]}                                                                                                        | ${/ must be a class ID, but is "/}                                     | ${A_CLASS}
	${'class IDs'}    | ${[{}, [['a']], [{}]]}                                                                                             | ${/ must be a class ID/}                                               | ${A_CLASS}
	${'date'}         | ${['', null, undefined]}                                                                                           | ${/^'It' is empty$/}                                                   | ${NEVER}
	${'date'}         | ${['soon', '0001-01-01', '31/12/2027', ...NO_DATE]}                                                                | ${/^'It' is not a date: "/}                                            | ${A_DATE}
	${'date'}         | ${['2027-01-31T00:00:00Z[America/New_York]', '2027-01-31T00:00:00-05:00[America/New_York]']}                       | ${/^'It' is not a date: "/}                                            | ${A_DATE}
	${'date'}         | ${['2027-01-31T00:00[UTC]', '2027-01-31T00:00:00Z[u-ca=hebrew]']}                                                  | ${/^'It' is not a date: "/}                                            | ${A_DATE}
	${'date'}         | ${[46752, '46752', 46752.5]}                                                                                       | ${/^'It' is not a date: "46752(\.5)?"$/}                               | ${A_SERIAL_NUMBER}
	${'duration'}     | ${[0, -1, 1.5, null, '', 'many']}                                                                                  | ${/^'Duration' must be a whole number, 1 or greater, but is "/}        | ${'Enter a whole number, 1 or greater.'}
	${'duration'}     | ${[7973, 1e6]}                                                                                                     | ${/^'Duration' is too long: "\d+"$/}                                   | ${'Enter a smaller number.'}
	${'choice'}       | ${[['red'], null, undefined, 'Red', '']}                                                                           | ${/^'It' has no option "(\["red"\]|Red)?"$/}                           | ${'Choose one of: red (Red), blue (Dark Blue).'}
	${'redirect URL'} | ${['example.com', '/welcome', 'ftp://example.com', 'javascript:alert(1)', 'https://']}                             | ${/^'It' is not a valid URL: "/}                                       | ${A_URL}
	${'redirect URL'} | ${['http://exa mple.com', 'https:example.com', 'javascript:alert("https://example.com/")']}                        | ${/^'It' is not a valid URL: "/}                                       | ${A_URL}
	${'redirect URL'} | ${['https:///welcome', 'https://\\example.com', 'https://example.com/a b', 'https://example.com\\a']}              | ${/^'It' is not a valid URL: "/}                                       | ${A_URL}
	${'redirect URL'} | ${['https://[example.com', `https://a${'/'.repeat(300_000)} x`]}                                                   | ${/^'It' is not a valid URL: "/}                                       | ${A_URL}
	${'redirect URL'} | ${[{}]}                                                                                                            | ${/^'It' must be text/}                                                | ${A_TEXT}
	${'text'}         | ${[{}, true, NaN]}                                                                                                 | ${/^'It' must be text, but is "/}                                      | ${A_TEXT}
	${'text'}         | ${['Ana\u0000', 'A\u0007na', 'Ana\u009f Souza']}                                                                   | ${/^'It' contains the control character U\+00(00|07|9F)$/}             | ${'Delete the text, and type it again.'}
	${'text'}         | ${['[object Object]', 'Ana [object Object]']}                                                                      | ${/^'It' must be text, but is "(Ana )?\[object Object\]"$/}            | ${A_TEXT}
	${'class ID'}     | ${['a\u200b', '\ufeffa\u00ad']}                                                                                    | ${/ must be a class ID, but is "/}                                     | ${/ Retype it: .*\((U\+200B|U\+00AD)\)/}
	${'redirect URL'} | ${['https://example.com/a\u200b', 'https://exam\u200bple.com']}                                                    | ${/^'It' is not a valid URL: "/}                                       | ${/ Retype it: .*\(U\+200B\)/}
	${'date'}         | ${['2027-01-31\u200e']}                                                                                            | ${/^'It' is not a date: "/}                                            | ${/ Retype it: .*\(U\+200E\)/}
	${'whole number'} | ${['1.000', '12.0', '1e2', '0x10', '1 0']}                                                                         | ${/^'It' must be a whole number, -1 or greater, but is "/}             | ${'Enter a whole number, -1 or greater.'}
	${'whole number'} | ${[-2, 0.5, '', null, true, [5], 'many', 2 ** 53]}                                                                 | ${/^'It' must be a whole number, -1 or greater, but is "/}             | ${'Enter a whole number, -1 or greater.'}
	${'switch'}       | ${['yes', null, 1]}                                                                                                | ${/^'It' must be true or false, but is "/}                             | ${A_SWITCH}
	${'proxy'}        | ${['nonsense', 'http:', 'file:///tmp', '127.0.0.1:8080', 'socks5://127.0.0.1:1080']}                               | ${/^'Proxy' is not the URL of an HTTP proxy$/}                         | ${A_PROXY}
	${'access token'} | ${[undefined, null, '', '  ', 'Bearer', ' bearer \n', {}, ['secret-token'], true, NaN]}                            | ${/^'Access Token' of the credential contains no token$/}              | ${A_TOKEN}
`('$kind', ({ kind, values, says, advises }: Refused) => {
	const cases = values.map((value) => [String(value).slice(0, 50), value]);
	test.each(cases)('%s is refused', (_shown, value) => {
		let error: InvalidValueError | undefined;
		try {
			PARSE[kind]!(value);
		} catch (thrown) {
			error = thrown as InvalidValueError;
		}
		expect(error).toBeInstanceOf(InvalidValueError);
		expect(error!.message).toMatch(says);
		expect(error!.message.length).toBeLessThan(200);
		if (typeof advises === 'string') expect(error!.description).toBe(advises);
		else expect(error!.description).toMatch(advises);
	});
});

test.each([
	...["o'brien@example.com", "a'@example.com", 'a`b@example.com', 'a|b@example.com', 'ü@1-2.co.uk'],
	// Letters of any script, some of which consist of several characters.
	...['a@bücher.example', 'a@bu\u0308cher.example', 'a@उदाहरण.परीक्षा'],
	...['a@例え.テスト', 'a@xn--p1ai.рф'],
	`${'x'.repeat(242)}@example.com`,
])('the address %s is accepted', (email) =>
	expect(parseEmail(`${BLANKS}${email}${BLANKS}`, 'Email')).toBe(email),
);

test('class IDs may be numbers, texts of any length, and what objects inherit', () => {
	expect(parseClassId(7, 'Class')).toBe('7');
	expect(parseClassId(`a${BLANKS}b`, 'Class')).toHaveLength(300_002);
	expect(parseClassIds(`${'a,'.repeat(150_000)}b`, 'Classes')).toEqual(['a', 'b']);
	const ids = ['constructor', '__proto__', 'toString'];
	expect(parseClassIds([...ids, ...ids], 'Classes')).toEqual(ids);
	expect(parseClassIds(JSON.stringify(ids.map((id) => ({ id }))), 'Classes')).toEqual(ids);
});

test('a text of several lines, as in a cell of a file, stays as it is', () => {
	expect(parseOptionalText(' Ana\r\n\tSouza ', 'Name')).toBe('Ana\r\n\tSouza');
});

test('blanks around a date or a text do not count', () => {
	expect(parseDate(`${BLANKS}2027-01-31${BLANKS}`, 'Ends', UTC)).toBe('2027-01-31T00:00:00.000Z');
	expect(parseOptionalText(`${BLANKS}x`, 'Name')).toBe('x');
});

// workflow/connection.test.ts has more of them.
test.each<[unknown, string]>([
	['bearer-of-secrets', 'bearer-of-secrets'],
	['secret-bearer', 'secret-bearer'],
	['\u200bBearer\u00a0secret', 'secret'],
	['"secret"\u2060', 'secret'],
	[12345678, '12345678'],
])('the access token %j is sent as %j', (value, token) =>
	expect(parseAccessToken(value)).toBe(token),
);
