import { DateTime } from 'luxon';

import { isPlausible, readIsoDate } from '../../nodes/ClassEnrollment/values/isoDate';
import { readText, UnreadableValue } from './text';

/**
 * How else a shop writes dates, as its documentation says: as a number of seconds or milliseconds since 1970, or in a form of
 * Luxon such as `dd/MM/yyyy HH:mm:ss`. Empty: only in ISO 8601.
 */
export type DateForm = string;

/** A date that was read. */
export interface Moment {
	/** Milliseconds since 1970, at most `LAST_END`. Of a day without a time, its last one in the workflow's time zone. */
	time: number;
	/** As a table holds it: a day (`2027-01-31`), or with its time in UTC (`2027-01-31T10:00:00.000Z`). */
	text: string;
}

/** Platforms and databases know no later end. */
export const LAST_END = Date.UTC(9999, 11, 30);
/** Earlier dates are the zero of some program, such as 1970-01-01 or 1900-01-01. */
const FIRST_YEAR = 2000;
/** No access ends in later years: they are typos, or of another calendar. For ever is 9999. */
const LAST_YEAR = 2199;

// Of the years 2001 to 2286. A number that is shorter is none of a date.
const NUMBERS: Record<string, RegExp> = { seconds: /^\d{10}$/, milliseconds: /^\d{13}$/ };
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const MIDNIGHT = /[T ]0?0:00(:00(\.0+)?)?Z?$/;

/**
 * Reads a date in ISO 8601, as the node Class Enrollment does, or in the form of a shop. A text without an offset is in the
 * workflow's time zone. Nothing is guessed.
 * @param name what the date is, for the message
 * @returns null for nothing
 * @throws UnreadableValue for what is no real date in these forms, such as `2026-02-30`, `05/04/2026`, or `365`
 */
export function readDate(value: unknown, name: string, form: DateForm = ''): Moment | null {
	const text = value instanceof Date ? value.toISOString() : readText(value, name);
	if (text === '') return null;
	const iso = readIsoDate(text);
	const date = iso ?? inForm(text, form);
	const isDay = iso ? ISO_DAY.test(text) : !hasTime(form);
	if (date && isPlausible(date) && date.year >= FIRST_YEAR)
		return isDay ? dayOf(date) : momentOf(date);
	const other = form === '' ? '' : ` or in the form ${form}`;
	throw new UnreadableValue(
		`A date is invalid. ${name} is "${text}", not a date such as 2027-01-31 or 2027-01-31T12:00:00Z${other}.`,
	);
}

/**
 * Reads the last day of access, as a person has typed or exported it. Databases and spreadsheets write a day as its midnight.
 * @throws UnreadableValue as `readDate` does, and for a year in which no access ends
 */
export function readLastDay(value: unknown, name: string, form: DateForm = ''): Moment | null {
	const text = value instanceof Date ? value.toISOString() : readText(value, name);
	const end = readDate(text.replace(MIDNIGHT, ''), name, form);
	const year = end ? DateTime.fromMillis(end.time).year : 0;
	if (year > LAST_YEAR && year < 9999)
		throw new UnreadableValue(
			`A date is invalid. ${name} is in the year ${year}: "${text}". For ever is 9999-12-31.`,
		);
	return end;
}

function inForm(text: string, form: DateForm): DateTime | undefined {
	const digits = NUMBERS[form];
	if (!digits) return form === '' ? undefined : DateTime.fromFormat(text, form);
	if (!digits.test(text)) return undefined;
	return DateTime.fromMillis(Number(text) * (form === 'seconds' ? 1000 : 1));
}

/** Whether dates in this form have a time: a number has, and a form with hours. */
const hasTime = (form: DateForm): boolean => form in NUMBERS || /h/i.test(form);

const dayOf = (date: DateTime): Moment => ({
	time: Math.min(date.endOf('day').toMillis(), LAST_END),
	text: date.toISODate()!,
});

const momentOf = (date: DateTime): Moment => ({
	time: Math.min(date.toMillis(), LAST_END),
	text: date.toUTC().toISO()!,
});
