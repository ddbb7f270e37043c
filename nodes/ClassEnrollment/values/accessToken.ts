import { InvalidValueError } from './invalidValue';
import { textOf } from './text';

/**
 * Checks the access token of the credential, which is often copied with the word "Bearer" before it.
 * @returns the token alone
 * @throws InvalidValueError if there is none, as when an expression returns nothing; it never quotes the value
 */
export function parseAccessToken(value: unknown): string {
	const token = textOf(value).replace(/^Bearer(\s+|$)/i, '');
	if (token !== '') return token;
	throw new InvalidValueError(
		'Access Token',
		'of the credential contains no token',
		"Open the credential 'Class Enrollment API' and enter the token, or check the expression.",
	);
}
