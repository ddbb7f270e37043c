import { createMask } from '../../nodes/ClassEnrollment/transport/mask';

const TOKEN = 'a/b+c=d.e';
const mask = createMask(TOKEN);

test.each([TOKEN, encodeURIComponent(TOKEN)])('the token is hidden as %s', (text) => {
	expect(mask(`got ${text}, ${text} and ${text}!`)).toBe('got ***, *** and ***!');
});

test.each(['a/b+c=d', 'A/B+C=D.E', 'a/b c=d.e'])('leaves %s as it is', (text) => {
	expect(mask(text)).toBe(text);
});
