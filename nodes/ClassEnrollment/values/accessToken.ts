import { InvalidValueError } from './invalidValue';
import { textOf } from './text';

/**
 * Returns the access token without the word "Bearer", with which it is often copied; throws InvalidValueError, which
 * never quotes the value, if there is none.
 */
export function parseAccessToken(value: unknown): string {
	const token = textOf(value).replace(/^Bearer(\s+|$)/i, '');
	if (token !== '') return token;
	const advice =
		"Open the credential 'Class Enrollment API' and enter the token, or check the expression.";
	throw new InvalidValueError('Access Token', 'of the credential contains no token', advice);
}
