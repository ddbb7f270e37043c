import { DateTime, type DurationLikeObject, type Zone } from 'luxon';
import { parseChoice } from './choice';
import { InvalidValueError, quote } from './invalidValue';
import { isBlank } from './text';
import { parseWholeNumber } from './wholeNumber';

// An earlier year is a typing error.
const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;
// From FIRST_YEAR on.
const UTC_MOMENT = /^(19|[2-9]\d)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
// Luxon would accept any offset.
const IMPOSSIBLE_OFFSET = /^.{10}T.*[+-](?!(0\d|1[0-4])(:?[0-5]\d)?$)/;
const SECONDS_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;

export const DURATION_UNITS = {
	days: 'Days',
	weeks: 'Weeks',
	months: 'Months',
	years: 'Years',
} as const;

/**
 * Checks a point in time.
 * @param value a Luxon DateTime, a Date, or an ISO 8601 text; one without an offset is in `zone`
 * @param zone the workflow's time zone
 * @returns ISO 8601 in UTC with milliseconds
 * @throws InvalidValueError if it is empty or not a real date
 */
export function parseDate(value: unknown, parameter: string, zone: Zone): string {
	if (isBlank(value)) {
		throw new InvalidValueError(
			parameter,
			'is empty',
			"Enter a date. Without one, access would never end; to allow that, set 'Access Expiration' to 'Never'.",
		);
	}
	return parseUtcMoment(value) ?? toUtc(toDateTime(value, zone), value, parameter);
}

/**
 * Adds a calendar duration to a point in time: one month after January 31 is the end of February.
 * @param from the start, in the time zone whose calendar counts
 * @returns ISO 8601 in UTC with milliseconds
 * @throws InvalidValueError if amount or unit cannot be used
 */
export function parseDurationEnd(amount: unknown, unit: unknown, from: DateTime): string {
	const duration: DurationLikeObject = {
		[parseChoice(unit, DURATION_UNITS, 'Duration Unit')]: parseWholeNumber(amount, 'Duration', 1),
	};
	const end = from.plus(duration).toUTC();
	const text = end.toISO();
	if (text !== null && end.year <= LAST_YEAR) return text;
	throw new InvalidValueError(
		'Duration',
		`is too long: ${quote(amount)}`,
		'Enter a smaller number.',
	);
}

/** Handles the usual form of dates without Luxon, which takes much longer: imports have thousands of them. */
function parseUtcMoment(value: unknown): string | undefined {
	if (typeof value !== 'string' || !UTC_MOMENT.test(value)) return undefined;
	const text = new Date(value).toJSON() as string | null;
	// JavaScript would turn February 30 into March 2.
	return text?.startsWith(value.slice(0, SECONDS_LENGTH)) ? text : undefined;
}

function toDateTime(value: unknown, zone: Zone): DateTime {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value);
	const text = typeof value === 'string' ? value.trim() : '';
	// Luxon would read "12:30" as today and "2027" as a year.
	if (!/^\d{4}-\d{2}-\d{2}(?!\d)/.test(text)) return DateTime.invalid('not an ISO 8601 date');
	const iso = text
		.replace(/^(.{10})(?: +|t)/, '$1T')
		.replace(/ +(?=[Zz+-])/, '')
		.replace('z', 'Z');
	if (IMPOSSIBLE_OFFSET.test(iso)) return DateTime.invalid('not an offset');
	return DateTime.fromISO(iso, { zone });
}

function toUtc(date: DateTime, value: unknown, parameter: string): string {
	const utc = date.toUTC();
	const text = utc.toISO();
	if (text === null || utc.year < FIRST_YEAR || utc.year > LAST_YEAR) {
		throw new InvalidValueError(
			parameter,
			`is not a date: ${quote(value)}`,
			'Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z.',
		);
	}
	return text;
}
