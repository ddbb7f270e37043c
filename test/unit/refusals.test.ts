import { DateTime, FixedOffsetZone } from 'luxon';
import { readRequestSettings } from '../../nodes/ClassEnrollment/connection/requestOptions';
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
				'Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z.',
				[
					'soon',
					'2027-02-30',
					'2027-13-01T00:00:00Z',
					'12:30',
					'2027',
					1800000000000,
					{},
					DateTime.fromISO('nonsense'),
					DateTime.utc(10000),
					DateTime.utc(1899, 12, 31),
					'1899-12-31T23:59:59Z',
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
		values.map((value) => ({ value, message, advice })),
	);
	test.each(cases)('$value is refused', ({ value, message, advice }) => {
		expect(() => parse(value, 'It')).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(message),
				description: advice,
			}),
		);
	});
});
