import { InvalidValueError, quote } from './invalidValue';
import { parseOptionalText, retypeAdvice } from './text';

const HTTP_URL = /^https?:\/\/[^\s/\\\p{DI}][^\s\\\p{DI}]*$/iu;

/** Returns the address of a page, undefined if there is none; throws InvalidValueError if it is not http or https. */
export function parseRedirectUrl(value: unknown, parameter: string): string | undefined {
	const url = parseOptionalText(value, parameter);
	if (url === undefined || (HTTP_URL.test(url) && URL.canParse(url))) return url;
	const advice = `Enter a full address starting with https:// or http://, or leave the field empty.${retypeAdvice(url)}`;
	throw new InvalidValueError(parameter, `is not a valid URL: ${quote(url)}`, advice);
}
