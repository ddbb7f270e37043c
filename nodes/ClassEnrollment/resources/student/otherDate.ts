import lowerCase from 'lodash/lowerCase';
import type { DateTime } from 'luxon';
import { isFutureDate } from '../../values/expiration';
import { isBlank } from '../../values/text';

// Whole words in English, Portuguese and Spanish, without accents, however the name is written.
const EXPIRATION =
	/\b(expir\w*|until|valid(ade|ez|ity)|valid ?(to|till|thru|through|until)|venc(e|em|ido|ida|imi?ento)|caduc\w*|vigencia|hasta|ate|fi[mn]|termin[ao]|(?<!\b(front|back) )end(s|ed)?( ?(at|on|date|time|of)|$))\b/;

/**
 * Finds a field that seems to contain when access ends, by its name or because it contains a date in the future: where
 * the row has no date of its own, the student would get access that never ends.
 * @returns its name, undefined if there is none
 */
export function findOtherDate(fields: Record<string, unknown>, now: DateTime): string | undefined {
	return Object.keys(fields).find((name) => {
		const value = fields[name];
		if (isBlank(value) || typeof value === 'boolean') return false;
		return EXPIRATION.test(lowerCase(name)) || isFutureDate(value, now);
	});
}
