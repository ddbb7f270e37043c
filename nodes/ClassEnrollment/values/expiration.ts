import { DateTime, type Zone } from 'luxon';
import { findChoice } from './choice';
import { InvalidValueError, quote } from './invalidValue';
import { isPlausible, MAX_YEAR, readIsoDate } from './isoDate';
import { isBlank, retypeAdvice, textOf } from './text';
import { parseWholeNumber } from './wholeNumber';

const DATE_ADVICE =
	"Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z. To convert 31/12/2027: {{ DateTime.fromFormat($json.date, 'd/M/yyyy') }}, or with 'M/d/yyyy' if the month comes first.";
// As Excel writes 2027-12-31: 46752.
const SERIAL_NUMBER = /^\d{5}(\.\d+)?$/;
const SERIAL_ADVICE =
	"Convert the number of a day in a spreadsheet: {{ DateTime.fromISO('1899-12-30').plus({ days: $json.date }) }}.";

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
export function parseDate(value: unknown, label: string, zone: Zone): string {
	if (isBlank(value)) {
		const advice = "Enter a date. For access that never ends, set 'Access Expiration' to 'Never'.";
		throw new InvalidValueError(label, 'is empty', advice);
	}
	const date = toDateTime(value, zone);
	if (date && isPlausible(date)) return date.toUTC().toISO()!;
	const text = textOf(value);
	const advice = SERIAL_NUMBER.test(text) ? SERIAL_ADVICE : `${DATE_ADVICE}${retypeAdvice(text)}`;
	throw new InvalidValueError(label, `is not a date: ${quote(value)}`, advice);
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
	return readIsoDate(textOf(value), zone);
}
