import { createMask, type Mask } from '../../nodes/ClassEnrollment/transport/mask';

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const unicode = (text: string) =>
	text.replace(/[^]/g, (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`);
const html = (text: string) =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", '&#39;');

/** The ways in which a service may write a token. */
const FORMS: Record<string, (text: string) => string> = {
	plain: (text) => text,
	JSON: json,
	'JSON with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
	'percent-encoding': encodeURIComponent,
	'percent-encoding in lower case': (text) =>
		encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
	HTML: html,
};
const TOKENS = [
	'a/b+c=d.e',
	'plain-token_~1',
	'with"quote and\\backslash\tand tab',
	"it's <&> {here}",
	'senha-é-€-😀',
	'50%25%2B+more',
	'[a-z]+(.*)$^|?',
];

describe.each(TOKENS)('the token %s', (token) => {
	let mask: Mask;
	beforeEach(() => (mask = createMask(token)));

	test.each(Object.keys(FORMS))('is hidden as %s', (form) => {
		const text = FORMS[form]!(token);
		expect(mask.text(`got ${text}, ${text} and ${text}!`)).toBe('got ***, *** and ***!');
		expect(mask.body(JSON.stringify({ a: [`<${text}>`] })).json).toEqual({ a: ['<***>'] });
	});

	test('is hidden in JSON, however its characters are escaped, and in keys', () => {
		const key = JSON.stringify(token);
		const { text, json } = mask.body(`{"${unicode(token)}": 1, ${key}: ["<${unicode(token)}>"]}`);
		expect(json).toEqual({ '***': ['<***>'] });
		// What the service said is shown from it.
		expect(text).not.toContain('u00');
	});
});

describe('a mask', () => {
	const token = 'secret+token';
	let mask: Mask;
	beforeEach(() => (mask = createMask(token)));

	const OTHERS = ['secret-token', 'SECRET+TOKEN', 'secret+toke', 'secret token', 'secret%2Ctoken'];
	test.each(OTHERS)('leaves %s as it is', (text) => {
		expect(mask.text(text)).toBe(text);
		expect(mask.body(`["${text}\\n"]`).json).toEqual([`${text}\n`]);
	});

	test('hides nothing for a token that could turn up by chance', () => {
		mask = createMask('classes');
		expect(mask.text('all classes')).toBe('all classes');
		expect(mask.body('["classes\\n"]').json).toEqual(['classes\n']);
		expect(createMask('students').text('all students')).toBe('all ***');
	});

	test('leaves all that is not text as it is', () => {
		const json = '{"n": 1, "t": true, "z": null, "l": [[]], "s": "\\n"}';
		expect(mask.body(json).json).toEqual({ n: 1, t: true, z: null, l: [[]], s: '\n' });
		expect(mask.body('no JSON').json).toBeUndefined();
	});

	test('takes a token that cannot be percent-encoded', () => {
		expect(createMask('half \ud800 character').text('a half \ud800 character')).toBe('a ***');
	});

	test('takes texts of any length and depth', () => {
		const deep = '['.repeat(200_000) + `"${token}"` + ']'.repeat(200_000);
		expect(mask.body(deep).text).not.toContain(token);
		expect(mask.body(`${deep}\\`).json).toBeUndefined();
	});
});
