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
	/** Milliseconds since 1970. Of a day without a time, its last one in the workflow's time zone. */
	time: number;
	/** As a table holds it: a day (`2027-01-31`), or with its time in UTC (`2027-01-31T10:00:00.000Z`). */
	text: string;
}

// Of the years 2001 to 2286. A number that is shorter is none of a date.
const NUMBERS: Record<string, RegExp> = { seconds: /^\d{10}$/, milliseconds: /^\d{13}$/ };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

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
	if (iso) return DAY.test(text) ? dayOf(iso) : momentOf(iso);
	const date = inForm(text, form);
	if (date && isPlausible(date)) return hasTime(form) ? momentOf(date) : dayOf(date);
	const other = form === '' ? '' : ` or in the form ${form}`;
	throw new UnreadableValue(
		`A date is invalid. ${name} is "${text}", not a date such as 2027-01-31 or 2027-01-31T12:00:00Z${other}.`,
	);
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
	time: date.endOf('day').toMillis(),
	text: date.toISODate()!,
});

const momentOf = (date: DateTime): Moment => ({
	time: date.toMillis(),
	text: date.toUTC().toISO()!,
});
