import { InvalidValueError } from './invalidValue';
import { textOf } from './text';

// What is often copied along with a token.
const AROUND = /^["'“”‘’\s]*(authorization:\s*)?(bearer(\s+|$))?["'“”‘’\s]*|["'“”‘’\s]+$/gi;
// They may stand before what is around it.
const INVISIBLE = /(?!\s)[\p{C}\p{DI}]/gu;
// Blanks and what else no such header carries. n8n 2.41 would send the token without them.
const UNSENDABLE = /[^\x21-\x7e]/g;

/** Returns the access token as it is sent; throws InvalidValueError, which never quotes the value, if there is none. */
export function parseAccessToken(value: unknown): string {
	const text = textOf(value).replace(INVISIBLE, '');
	const token = text.replace(AROUND, '').replace(UNSENDABLE, '');
	if (token !== '') return token;
	const advice =
		"Open the credential 'Class Enrollment API' and enter the token, or check the expression.";
	throw new InvalidValueError('Access Token', 'of the credential contains no token', advice);
}
