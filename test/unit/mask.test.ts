import fc from 'fast-check';
import { createMask } from '../../nodes/ClassEnrollment/transport/mask';
import { testProperty } from '../property';

const unicode = (text: string) =>
	[...Array(text.length).keys()]
		.map((n) => `\\u${text.charCodeAt(n).toString(16).padStart(4, '0')}`)
		.join('');
const percent = (text: string) =>
	[...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const entities = (text: string) =>
	text.replace(/[^]/gu, (character) => `&#${character.codePointAt(0)};`);
const hexEntities = (text: string) =>
	text.replace(/[^]/gu, (character) => `&#x${character.codePointAt(0)!.toString(16)};`);
const html = (text: string) =>
	text.replace(
		/[&<"']/g,
		(it) => ({ '&': '&amp;', '<': '&lt;', '"': '&quot;', "'": '&#039;' })[it]!,
	);
const upper = (write: (text: string) => string) => (text: string) =>
	write(text).replace(/[0-9a-f]+/g, (digits) => digits.toUpperCase());

/** The ways in which a service may write a text. */
const FORMS: Record<string, (text: string) => string> = {
	plain: (text) => text,
	JSON: (text) => JSON.stringify(text).slice(1, -1),
	'JSON with escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'Unicode escapes': unicode,
	'Unicode escapes in upper case': upper(unicode),
	'percent-encoding': encodeURIComponent,
	'percent-encoding in lower case': (text) =>
		encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
	'percent-encoding of every character': percent,
	'percent-encoding of some characters': encodeURI,
	entities,
	'hexadecimal entities': hexEntities,
	'hexadecimal entities in upper case': upper(hexEntities),
	'entities with names': html,
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
	const mask = createMask(token);

	test.each(Object.entries(FORMS))('is hidden as %s', (_form, write) => {
		const text = write(token);
		expect(mask.text(`got ${text}, ${text} and ${text}!`)).toBe('got ***, *** and ***!');
		expect(mask.json({ a: [{ b: `<${text}>` }] })).toEqual({ a: [{ b: '<***>' }] });
	});

	test.each([JSON.stringify, encodeURIComponent, html])('is hidden where it is encoded', (write) =>
		expect(mask.json(write(token))).toMatch(/^"?\*\*\*"?$/),
	);
});

describe('a mask', () => {
	const token = 'secret+token';
	const mask = createMask(token);

	test.each(['secret-token', 'SECRET+TOKEN', 'secret+toke', 'secret token', 'secret%2Ctoken'])(
		'leaves %s as it is',
		(text) => {
			expect(mask.text(text)).toBe(text);
			expect(mask.json([text])).toEqual([text]);
		},
	);

	test('hides nothing for a token that could turn up by chance', () => {
		expect(createMask('classes').text('all classes')).toBe('all classes');
		expect(createMask('classes').json({ classes: 'classes' })).toEqual({ classes: 'classes' });
	});

	test('hides keys, and leaves all other values as they are', () => {
		const json = `{"n": 1, "t": true, "z": null, "${token}": {"x${token}": "${token}"}, "l": [[]]}`;
		expect(mask.json(JSON.parse(json))).toEqual({
			n: 1,
			t: true,
			z: null,
			'***': { 'x***': '***' },
			l: [[]],
		});
		for (const value of [1, false, null, undefined]) expect(mask.json(value)).toBe(value);
		expect(mask.json(token)).toBe('***');
	});

	test('knows keys that objects inherit', () => {
		const json: unknown = JSON.parse(`{"__proto__": "${token}", "constructor": "${token}"}`);
		expect(JSON.stringify(mask.json(json))).toBe('{"__proto__":"***","constructor":"***"}');
	});

	test('takes JSON of any depth, and texts of any length', () => {
		const depth = 200_000;
		const deep: unknown = JSON.parse('['.repeat(depth) + `"${token}"` + ']'.repeat(depth));
		let inner = mask.json(deep);
		while (Array.isArray(inner)) inner = (inner as unknown[])[0];
		expect(inner).toBe('***');
		expect(createMask(`${'!"'.repeat(30)}x`).text(`${'!"'.repeat(30)}y`)).toContain('y');
		for (const start of ['secret', '\\u0073', '%73', '&#0', '&', '\\', 'secret%2', 's&#115']) {
			const text = start.repeat(300_000);
			expect(mask.text(text)).toBe(text);
		}
	});
});

testProperty(
	'a token is hidden, whatever it contains and however each of its characters is written',
	300,
	fc.property(
		fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' }),
		fc.infiniteStream(fc.constantFrom(...Object.values(FORMS))),
		(token, forms) => {
			const text = [...token].map((character) => forms.next().value!(character)).join('');
			const shown = createMask(token).text(`[${text}]`);
			expect(shown).toBe('[***]');
		},
	),
);
