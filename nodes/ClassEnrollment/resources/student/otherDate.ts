import lowerCase from 'lodash/lowerCase';
import { isBlank } from '../../values/text';

// Whole words in English, Portuguese and Spanish, however the name is written. docs/dates.md lists them.
const EXPIRATION =
	/\b(expir\w*|until|valid(ade|ez|ity)|valid (to|until)|venc(e|em|ido|imi?ento)|caduc\w*|vigencia)\b/;

/** Finds a field that by its name contains when access ends: without a date of its own, a row would get it for ever. */
export function findOtherDate(fields: Record<string, unknown>): string | undefined {
	const names = Object.keys(fields).filter((name) => EXPIRATION.test(lowerCase(name)));
	return names.find((name) => !isBlank(fields[name]) && typeof fields[name] !== 'boolean');
}
