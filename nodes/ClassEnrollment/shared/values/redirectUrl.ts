import { InvalidValueError, quote } from './invalidValue';
import { optionalText } from './text';

/**
 * Reads the address a student is taken to after signing in.
 * @returns the trimmed address, or undefined where there is none
 * @throws InvalidValueError for anything but an absolute http or https address
 */
export function readRedirectUrl(value: unknown, parameter: string): string | undefined {
	const url = optionalText(value, parameter);
	if (url === undefined || (/^https?:\/\/[^\s/\\][^\s\\]*$/i.test(url) && URL.canParse(url)))
		return url;
	throw new InvalidValueError(
		parameter,
		`is not a web address: ${quote(url)}`,
		'Enter a full address that begins with https:// or http://, or leave the field empty.',
	);
}
