import { DateTime, type Zone } from 'luxon';
import { findChoice } from './choice';
import { InvalidValueError, quote } from './invalidValue';
import { isBlank, textOf } from './text';
import { parseWholeNumber } from './wholeNumber';

// Earlier and later years are typos.
const MIN_YEAR = 1900;
const MAX_YEAR = 9999;
// Luxon would read "2027" as a year, and "00:00Z" before the name of a time zone as midnight there.
const ISO_DATE = /^\d{4}-\d{2}-\d{2}([T ][^[]*)?$/;

const DATE_ADVICE =
	"Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z. To convert 31/12/2027: {{ DateTime.fromFormat($json.date, 'd/M/yyyy') }}, or with 'M/d/yyyy' if the month comes first.";

export const DURATION_UNITS = [
	{ name: 'Days', value: 'days' },
	{ name: 'Weeks', value: 'weeks' },
	{ name: 'Months', value: 'months' },
	{ name: 'Years', value: 'years' },
] as const;

/**
 * Returns a point in time as ISO 8601 in UTC with milliseconds; throws InvalidValueError if it is empty or no real date.
 * @param value a Luxon DateTime, a Date, or an ISO 8601 text
 * @param zone that of a text without an offset: the workflow's
 */
export function parseDate(value: unknown, source: string, zone: Zone): string {
	if (isBlank(value)) {
		const advice = "Enter a date. For access that never ends, set 'Access Expiration' to 'Never'.";
		throw new InvalidValueError(source, 'is empty', advice);
	}
	const utc = toDateTime(value, zone)?.toUTC();
	// The year of an invalid date is NaN.
	if (utc && utc.year >= MIN_YEAR && utc.year <= MAX_YEAR) return utc.toISO()!;
	throw new InvalidValueError(source, `is not a date: ${quote(value)}`, DATE_ADVICE);
}

/**
 * Adds a calendar duration to a point in time: one month after January 31 is the end of February.
 * @param from the start, in the time zone whose calendar counts
 * @returns ISO 8601 in UTC with milliseconds; throws InvalidValueError if amount or unit cannot be used
 */
export function parseDurationEnd(amount: unknown, unit: unknown, from: DateTime): string {
	const { value } = findChoice(unit, DURATION_UNITS, 'Duration Unit');
	const end = from.plus({ [value]: parseWholeNumber(amount, 'Duration', 1) }).toUTC();
	if (end.year <= MAX_YEAR) return end.toISO()!;
	const problem = `is too long: ${quote(amount)}`;
	throw new InvalidValueError('Duration', problem, 'Enter a smaller number.');
}

function toDateTime(value: unknown, zone: Zone): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value);
	const text = textOf(value);
	return ISO_DATE.test(text) ? DateTime.fromISO(text.replace(' ', 'T'), { zone }) : undefined;
}
