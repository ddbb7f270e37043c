import { InvalidValueError } from './invalidValue';
import { textOf } from './text';

// What is often copied along with a token.
const AROUND = /^["'“”‘’\s]*(authorization:\s*)?(bearer(\s+|$))?["'“”‘’\s]*|["'“”‘’\s]+$/gi;
// Invisible characters and what else no such header carries. n8n 2.41 would send the token without them.
const UNSENDABLE = /[^\x21-\x7e]/g;

/** Returns the access token as it is sent; throws InvalidValueError, which never quotes the value, if there is none. */
export function parseAccessToken(value: unknown): string {
	const token = textOf(value).replace(AROUND, '').replace(UNSENDABLE, '');
	if (token !== '') return token;
	const advice =
		"Open the credential 'Class Enrollment API' and enter the token, or check the expression.";
	throw new InvalidValueError('Access Token', 'of the credential contains no token', advice);
}
