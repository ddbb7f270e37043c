import isPlainObject from 'lodash/isPlainObject';
import lowerCase from 'lodash/lowerCase';
import type { DateTime } from 'luxon';
import { isFutureDate } from '../../values/expiration';
import { isBlank } from '../../values/text';

// Whole words in English, Portuguese and Spanish, without accents, however the name is written. docs/dates.md lists them.
const EXPIRATION =
	/\b(exp(ir\w*)?|until|deadline|due|valid(ade|ez|ity)|valid ?(to|till|thru|through|until)|venc(e|em|ido|ida|imi?ento)|caduc\w*|vigencia|hasta|ate|fi[mn](?! de semana)|termin[ao]|prazo|limite|encerra\w*|(?<!\b(front|back) )end(s|ed)?( ?(at|on|date|time|of)|$))\b/;

/**
 * Finds a field, or one in an object in a field, that seems to contain when access ends, by its name or because it contains
 * a date in the future: where the row has no date of its own, the student would get access that never ends.
 */
export function findOtherDate(fields: Record<string, unknown>, now: DateTime): string | undefined {
	const entries = Object.entries(fields);
	const inner = entries.flatMap(([name, value]) =>
		Object.entries(isPlainObject(value) ? (value as object) : {}).map(
			([key, field]) => [`${name}.${key}`, field, key] as const,
		),
	);
	return [...entries, ...inner].find(([name, value, key = name]) => {
		if (isBlank(value) || typeof value === 'boolean') return false;
		return EXPIRATION.test(lowerCase(key)) || isFutureDate(value, now);
	})?.[0];
}
