import { DateTime, type Zone } from 'luxon';

// Earlier and later years are typos.
const MIN_YEAR = 1900;
export const MAX_YEAR = 9999;
// Luxon would read "2027" as a year, and "00:00Z" before the name of a time zone as midnight there.
const ISO_DATE = /^\d{4}-\d{2}-\d{2}([T ][^[]*)?$/;

/**
 * Reads an ISO 8601 text, with a blank or a T before the time.
 * @param zone that of a text without an offset; without it, Luxon's default
 * @returns undefined if it is no real date, or of a year that is a typo
 */
export function readIsoDate(text: string, zone?: Zone): DateTime | undefined {
	if (!ISO_DATE.test(text)) return undefined;
	// In the offset of the text, if it has one: to convert it to a zone takes longer than to read it.
	const date = DateTime.fromISO(text.replace(' ', 'T'), { zone, setZone: true });
	return isPlausible(date) ? date : undefined;
}

/** Whether it is a real date, of a year that is no typo. */
export function isPlausible(date: DateTime): boolean {
	// The year of an invalid date is NaN.
	const { year } = date.toUTC();
	return year >= MIN_YEAR && year <= MAX_YEAR;
}
