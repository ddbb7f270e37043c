import { createMask } from '../../nodes/ClassEnrollment/transport/mask';

const LONG = 'a/b+c=d.e-f(g)h*i$j'.repeat(2);

describe.each([
	['as it is', LONG],
	['in a URL', encodeURIComponent(LONG)],
	['in a URL, in lower case', encodeURIComponent(LONG).replace(/%../g, (one) => one.toLowerCase())],
])('a token %s', (_form, text) => {
	test('is masked in a message and in data', () => {
		const { inMessage, inData } = createMask(LONG);
		expect(inMessage(`got ${text}, x${text}x and ${text}!`)).toBe('got ***, x***x and ***!');
		expect(inData(`x${text}x`)).toBe('x***x');
	});
});

test.each([LONG.slice(1), LONG.toUpperCase(), LONG.replaceAll('+', ' ')])('keeps %s', (text) => {
	const { inMessage, inData } = createMask(LONG);
	expect([inMessage(text), inData(text)]).toEqual([text, text]);
});

test('a token that may be a part of an ID is masked in data only as the whole text', () => {
	const { inMessage, inData } = createMask('school-of-music');
	expect(inMessage('preschool-of-musicians')).toBe('pre***ians');
	expect(inData('school-of-music-101')).toBe('school-of-music-101');
	expect(['school-of-music', 'Bearer school-of-music'].map(inData)).toEqual(['***', 'Bearer ***']);
});

test.each([
	['school', 'No school has this name', 'No *** has this name'],
	['school', 'Preschool has no schools', 'Preschool has no schools'],
	['school', '/v1?token=school&page=1', '/v1?token=***&page=1'],
	['s', "The class doesn't exist", "The class doesn't exist"],
	['t', "The student isn't in it", "The student isn't in it"],
])('the short token "%s" is masked in a message as a word: %s', (token, text, masked) => {
	expect(createMask(token).inMessage(text)).toBe(masked);
});
