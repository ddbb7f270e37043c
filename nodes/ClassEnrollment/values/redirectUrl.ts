import { InvalidValueError, quote } from './invalidValue';
import { parseOptionalText } from './text';

/**
 * Checks the address of the page that opens after sign-in.
 * @returns the trimmed address, or undefined if there is none
 * @throws InvalidValueError for anything but an absolute http or https address
 */
export function parseRedirectUrl(value: unknown, parameter: string): string | undefined {
	const url = parseOptionalText(value, parameter);
	if (url === undefined || (/^https?:\/\/[^\s/\\][^\s\\]*$/i.test(url) && URL.canParse(url)))
		return url;
	throw new InvalidValueError(
		parameter,
		`is not a valid URL: ${quote(url)}`,
		'Enter a full address starting with https:// or http://, or leave the field empty.',
	);
}
