import { DateTime, FixedOffsetZone } from 'luxon';
import { readRequestSettings } from '../../nodes/ClassEnrollment/connection/requestOptions';
import { parseAccessToken } from '../../nodes/ClassEnrollment/values/accessToken';
import { parseBoolean } from '../../nodes/ClassEnrollment/values/boolean';
import { findChoice } from '../../nodes/ClassEnrollment/values/choice';
import { parseClassId, parseClassIds } from '../../nodes/ClassEnrollment/values/classId';
import { parseEmail } from '../../nodes/ClassEnrollment/values/email';
import { parseDate, parseDurationEnd } from '../../nodes/ClassEnrollment/values/expiration';
import { parseRedirectUrl } from '../../nodes/ClassEnrollment/values/redirectUrl';
import { parseOptionalText } from '../../nodes/ClassEnrollment/values/text';
import { parseWholeNumber } from '../../nodes/ClassEnrollment/values/wholeNumber';

type Parse = (value: unknown, parameter: string) => unknown;
/** What the error says about values, what it advises, and the values. */
type Refused = [message: RegExp, advice: string, values: unknown[]];

const A_CLASS = 'Choose a class from the list, or enter its ID.';
const ONLY_THE_ID = 'Make the expression return only the ID.';
const ONE_ADDRESS = 'Enter one plain address such as student@example.com.';
const AS_TEXT = 'Provide the ID as text, in quotes.';
const A_DATE = 'Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z.';
const BLANKS = ' '.repeat(300_000);
const TEXT = 'Make the expression return one text value.';
const COLORS = [
	{ name: 'Red', value: 'red' },
	{ name: 'Dark Blue', value: 'blue' },
];

const TABLE: Array<[kind: string, Parse, Refused[]]> = [
	[
		'an email address',
		parseEmail,
		[
			[
				/^'It' is empty$/,
				"Enter the student's email address, or check the expression.",
				['', '  ', null, undefined],
			],
			[
				/^'It' is not an email address: "(42|true|\["a@b.io"\]|.*1970.*|nonsense)"$/,
				ONE_ADDRESS,
				[42, true, ['a@b.io'], new Date(0), 'nonsense'],
			],
			[
				/ is not an email address: /,
				ONE_ADDRESS,
				[
					{ a: 1 },
					'student@example',
					'@example.com',
					'student@@example.com',
					'a b@example.com',
					'Student <student@example.com>',
					'a@example.com, b@example.com',
					"'a@example.com'",
					"'a@example.com",
					'`a@example.com`',
					'"a@example.com"',
					"a@example.com'",
					'{a}@example.com',
					'a@{domain}.com',
					'{{email}}@example.com',
					'a@example.{com}',
					`a@${'b.'.repeat(150_000)}`,
					'@'.repeat(300_000),
				],
			],
			[
				/ contains an invisible character: "student@example�\.com"$/,
				'Retype the address instead of pasting it.',
				['student@example\u200b.com'],
			],
			[/: "x{80}"$/, ONE_ADDRESS, ['x'.repeat(80)]],
			[/: "x{80}…"$/, ONE_ADDRESS, ['x'.repeat(81), `${'x'.repeat(243)}@example.com`]],
		],
	],
	[
		'a class ID',
		parseClassId,
		[
			[/^'It' is empty$/, A_CLASS, ['', '   ', null, undefined, { value: '' }]],
			[/ cannot be "\.\.?"$/, A_CLASS, ['.', '..', ' .. ']],
			[/ must be a class ID, but is "/, A_CLASS, [true, ['a'], {}]],
			[/ is ".*", which is not an ID$/, ONLY_THE_ID, ['[object Object]', 'null', 'undefined']],
			[
				/ contains a line break or an invalid character: /,
				"Copy the class's ID again.",
				['a\nb', 'a\ud800'],
			],
			[
				/^'It' is a number too large to be exact: "-?\d/,
				AS_TEXT,
				[2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e21, { id: 2 ** 53 }],
			],
		],
	],
	[
		'class IDs',
		parseClassIds,
		[
			[
				/^'It' contains no classes$/,
				'Choose at least one class, or provide IDs with an expression.',
				[[], null, '', ' , ', '[]'],
			],
			[
				/ contains an empty entry: "/,
				"Check that the expression returns every class's ID.",
				[['a', null], ['a', ''], 'a,,b'],
			],
			[/ is "null", which is not an ID$/, ONLY_THE_ID, ['null']],
			[/ cannot be "\.\."$/, A_CLASS, [['..']]],
			[/ must be a class ID/, A_CLASS, [{}, [['a']], [{}]]],
			[
				/ is a number too large to be exact: /,
				AS_TEXT,
				[[1, 2 ** 53], '[9007199254740993]', '[{"id": 9007199254740993}]'],
			],
		],
	],
	[
		'a date',
		(value, parameter) => parseDate(value, parameter, FixedOffsetZone.utcInstance),
		[
			[
				/^'It' is empty$/,
				"Enter a date. To give access that never ends, set 'Access Expiration' to 'Never'.",
				['', null, undefined],
			],
			[
				/^'It' is not a date: "/,
				A_DATE,
				// unit/expiration.test.ts has more.
				[
					'soon',
					DateTime.fromISO('nonsense'),
					DateTime.utc(10000),
					DateTime.utc(1899, 12, 31),
					'2027-01-31T00:00:00Z[America/New_York]',
					'2027-01-31T00:00:00-05:00[America/New_York]',
					'2027-01-31T00:00[UTC]',
					'2027-01-31T00:00:00Z[u-ca=hebrew]',
					`2027-01-31T${BLANKS}x`,
					`2027-01-31${BLANKS}x`,
					`2027-01-31${BLANKS}10:20`,
					`2027-01-31T10:20${'+'.repeat(300_000)}`,
					`2027-01-31T10:20:30.${'0'.repeat(300_000)}Z`,
				],
			],
			[
				/^'It' is not a date: "31\/12\/2027"$/,
				"Convert it with an expression: {{ DateTime.fromFormat($json.date, 'dd/MM/yyyy') }}.",
				['31/12/2027'],
			],
		],
	],
	[
		'a duration',
		(amount) => parseDurationEnd(amount, 'years', DateTime.utc(2027)),
		[
			[
				/^'Duration' must be a whole number, 1 or greater, but is "/,
				'Enter 1 or more.',
				[0, -1, 1.5, null, '', 'many'],
			],
			[/^'Duration' is too long: "1000000"$/, 'Enter a smaller number.', [1e6]],
		],
	],
	[
		'a choice',
		(value, parameter) => findChoice(value, COLORS, parameter),
		[
			[
				/^'It' has no option "(\["red"\]|Red)?"$/,
				'Choose one of: red (Red), blue (Dark Blue).',
				[['red'], null, undefined, 'Red', ''],
			],
		],
	],
	[
		'a redirect URL',
		parseRedirectUrl,
		[
			[
				/^'It' is not a valid URL: "/,
				'Enter a full address starting with https:// or http://, or leave the field empty.',
				[
					'example.com',
					'/welcome',
					'ftp://example.com',
					'javascript:alert(1)',
					'https://',
					'http://exa mple.com',
					'https:example.com',
					'javascript:alert("https://example.com/")',
					'https:///welcome',
					'https://\\example.com',
					'https://example.com/a b',
					'https://example.com\\a',
					'https://[example.com',
					`https://a${'/'.repeat(300_000)} x`,
				],
			],
			[/^'It' must be text/, TEXT, [{}]],
		],
	],
	['text', parseOptionalText, [[/^'It' must be text, but is "/, TEXT, [{}, true, NaN]]]],
	[
		'a whole number',
		(value, parameter) => parseWholeNumber(value, parameter, -1),
		[
			[
				/^'It' must be a whole number, -1 or greater, but is "/,
				'Enter -1 or more.',
				[-2, 0.5, '', null, true, [5], 'many', 2 ** 53],
			],
		],
	],
	[
		'a switch',
		parseBoolean,
		[
			[
				/^'It' must be true or false, but is "/,
				'Turn it on or off, or make the expression return true or false.',
				['yes', null, 1],
			],
		],
	],
	[
		'a proxy',
		(proxy) => readRequestSettings({ proxy }),
		[
			[
				/^'Proxy' is not a valid proxy URL$/,
				'Use http://host:port or http://user:password@host:port.',
				['nonsense', 'http:', 'file:///tmp', '127.0.0.1:8080'],
			],
		],
	],
];

describe.each(TABLE)('%s', (_kind, parse, refused) => {
	const cases = refused.flatMap(([message, advice, values]) =>
		values.map((value) => ({ value, shown: String(value).slice(0, 50), message, advice })),
	);
	test.each(cases)('$shown is refused', ({ value, message, advice }) => {
		expect(() => parse(value, 'It')).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(message),
				description: advice,
			}),
		);
		expect(() => parse(value, 'It')).toThrow(/^[^]{1,200}$/);
	});
});

test.each(["o'brien@example.com", "a'@example.com", 'a`b@example.com', 'a|b@example.com'])(
	'the address %s is accepted',
	(email) => expect(parseEmail(`${BLANKS}${email}${BLANKS}`, 'Email')).toBe(email),
);

test('class IDs may be numbers that are exact, texts of any length, and what objects inherit', () => {
	expect(parseClassId(2 ** 53 - 1, 'Class')).toBe('9007199254740991');
	expect(parseClassId('9007199254740993', 'Class')).toBe('9007199254740993');
	expect(parseClassIds('9007199254740993,["9007199254740995"]', 'Classes')).toHaveLength(2);
	expect(parseClassId(`a${BLANKS}b`, 'Class')).toHaveLength(300_002);
	expect(parseClassIds(`${'a,'.repeat(150_000)}b`, 'Classes')).toEqual(['a', 'b']);
	const ids = ['constructor', '__proto__', 'toString'];
	expect(parseClassIds([...ids, ...ids], 'Classes')).toEqual(ids);
	expect(parseClassIds(JSON.stringify(ids.map((id) => ({ id }))), 'Classes')).toEqual(ids);
});

test('blanks around a date or a text do not count', () => {
	const utc = FixedOffsetZone.utcInstance;
	expect(parseDate(`${BLANKS}2027-01-31${BLANKS}`, 'Ends', utc)).toBe('2027-01-31T00:00:00.000Z');
	expect(parseOptionalText(`${BLANKS}x`, 'Name')).toBe('x');
});

test.each<[unknown, string]>([
	['secret-token', 'secret-token'],
	[' secret-token\n', 'secret-token'],
	['Bearer secret-token', 'secret-token'],
	[' bearer \t secret-token ', 'secret-token'],
	['BEARER secret', 'secret'],
	['bearer-of-secrets', 'bearer-of-secrets'],
	[12345678, '12345678'],
])('the access token %j is sent as %j', (value, token) =>
	expect(parseAccessToken(value)).toBe(token),
);

test.each([undefined, null, '', '  ', 'Bearer', ' bearer \n', {}, ['secret-token'], true, NaN])(
	'the access token %p is refused, and not shown',
	(value) =>
		expect(() => parseAccessToken(value)).toThrow(
			expect.objectContaining({
				message: "'Access Token' of the credential contains no token",
				description: expect.stringMatching(/^Open the credential 'Class Enrollment API' and /),
			}),
		),
);
