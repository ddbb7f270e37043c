import { DateTime, type Zone } from 'luxon';
import { findChoice } from './choice';
import { InvalidValueError, isNot, quote, type ValueSource } from './invalidValue';
import { adviceFor, formatsOf, MIN_YEAR } from './spreadsheetDate';
import { isBlank, textOf } from './text';
import { parseWholeNumber } from './wholeNumber';

const MAX_YEAR = 9999;
// More than any date has. No pattern sees a longer text.
const MAX_LENGTH = 64;
// From MIN_YEAR on.
const UTC_MOMENT = /^(19|[2-9]\d)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
// With a time zone's name after it, Luxon would read "00:00Z" as midnight there. It would also read "2027" as a year.
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?!\d)[^[]*$/;
// Luxon would accept any offset.
const IMPOSSIBLE_OFFSET = /^.{10}T.*[+-](?!(0\d|1[0-4])(:?[0-5]\d)?$)/;
const ISO_DAY_LENGTH = 'YYYY-MM-DD'.length;
const SECONDS_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;

export const DURATION_UNITS = [
	{ name: 'Days', value: 'days' },
	{ name: 'Weeks', value: 'weeks' },
	{ name: 'Months', value: 'months' },
	{ name: 'Years', value: 'years' },
] as const;

/**
 * Returns a point in time as ISO 8601 in UTC with milliseconds; throws InvalidValueError if it is empty or no real date.
 * @param value a Luxon DateTime, a Date, or an ISO 8601 text
 * @param now returns a time in the time zone of a text without an offset: the workflow's
 */
export function parseDate(value: unknown, source: ValueSource, now: () => DateTime): string {
	if (isBlank(value)) {
		const advice = "Enter a date. For access that never ends, set 'Access Expiration' to 'Never'.";
		throw new InvalidValueError(source, 'is empty', advice);
	}
	const moment = parseUtcMoment(value);
	if (moment !== undefined) return moment;
	const utc = toDateTime(value, now().zone)?.toUTC();
	// The year of an invalid date is NaN.
	if (utc && utc.year >= MIN_YEAR && utc.year <= MAX_YEAR) return utc.toISO()!;
	const problem = `${isNot(source)} a date: ${quote(value)}`;
	throw new InvalidValueError(source, problem, adviceFor(toDateText(value), source));
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

/** Whether a value is a date after the day of `now`, also in a form that `parseDate` refuses, such as 31/01/2027. */
export function isFutureDate(value: unknown, now: DateTime): boolean {
	if (DateTime.isDateTime(value) || value instanceof Date) return value.valueOf() > now.valueOf();
	const text = toDateText(value);
	if (ISO_DATE.test(text)) return Date.parse(text.slice(0, ISO_DAY_LENGTH)) > now.valueOf();
	// Luxon is slow, and many columns contain dates of the past.
	const year = Number(/\d{4}/.exec(text)?.[0]);
	if (!(year >= now.year)) return false;
	return formatsOf(text).some((format) => DateTime.fromFormat(text, format) > now);
}

/** Handles the usual form of dates without Luxon, which is much slower; imports contain thousands of dates. */
function parseUtcMoment(value: unknown): string | undefined {
	if (typeof value !== 'string' || !UTC_MOMENT.test(value)) return undefined;
	const text = new Date(value).toJSON() as string | null;
	// JavaScript would turn February 30 into March 2.
	return text?.startsWith(value.slice(0, SECONDS_LENGTH)) ? text : undefined;
}

function toDateText(value: unknown): string {
	const text = textOf(value);
	return text.length > MAX_LENGTH ? '' : text;
}

function toDateTime(value: unknown, zone: Zone): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value);
	const text = toDateText(value);
	if (!ISO_DATE.test(text)) return undefined;
	const iso = text
		.replace(/^(.{10})(?: +|t)/, '$1T')
		.replace(/ +(?=[Zz+-])/, '')
		.replace('z', 'Z');
	return IMPOSSIBLE_OFFSET.test(iso) ? undefined : DateTime.fromISO(iso, { zone });
}
