import type { DateTime } from 'luxon';
import { isFutureDate } from '../../../values/expiration';

// In English, Portuguese and Spanish.
const EXPIRATION =
	/expir|until|valid(ade|ez)|valid[ _-]?(to|till|thru)(?![a-z])|venc(e|im)|caduc|vigencia|hasta|(?<![a-z])(ate|fi[mn]|termin[ao]|end(s|ed)?([ _-]?(at|on|date))?)(?![a-z])/i;
const CAMEL_CASE_ATE = /[a-z]Ate(?![a-z])/;

/**
 * Finds a field that seems to contain when access ends, by its name or because it contains a date in the future. Where
 * that is not the known field, the student would get access that never ends.
 * @returns its name, undefined if there is none
 */
export function findOtherDate(
	fields: Record<string, unknown>,
	known: string,
	now: DateTime,
): string | undefined {
	return Object.keys(fields).find(
		(name) => name !== known && (isExpirationName(name) || isFutureDate(fields[name], now)),
	);
}

function isExpirationName(name: string): boolean {
	const plain = name.normalize('NFD').replace(/\p{M}/gu, '');
	return EXPIRATION.test(plain) || CAMEL_CASE_ATE.test(plain);
}
