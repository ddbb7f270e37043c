import { DateTime } from 'luxon';

import { isPlausible, readIsoDate } from '../../nodes/ClassEnrollment/values/isoDate';
import { readText, UnreadableValue, withoutInvisible } from './text';

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
const MIDNIGHT = /[T ](0?0:00(:00([.,]0+)?)?(Z|[+-]\d\d(:?\d\d)?)?|12:00(:00)? AM)$/i;
const TIME = / \d{1,2}:\d\d(:\d\d)?( [AP]M)?$/i;
const END_OF_DAY = /[T ]24:/;
/** For ever, as databases write it. West of Greenwich, its last hours are in a year that the node doesn't know. */
const FOR_EVER = /^(9999-12-31)[T ][\d:.,]+(Z|[+-][\d:]+)?$/i;
/** Without one of them, Luxon would take this year, this month, or its first day. With two, the last one counts. */
const PARTS = [/d+/g, /[ML]+/g, /y+/g];

/**
 * Reads a date in ISO 8601, as the node Class Enrollment does, or in the form of a shop. A text without an offset is in the
 * workflow's time zone. Nothing is guessed.
 * @param name what the date is, for the message
 * @returns null for nothing
 * @throws UnreadableValue for what is no real date in these forms, such as `2026-02-30`, `05/04/2026`, or `365`
 */
export function readDate(value: unknown, name: string, form: DateForm = ''): Moment | null {
	const text = textOf(value, name);
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

/** The text of a date, without what nobody sees. If nothing else is there, it isn't empty, but no date. */
function textOf(value: unknown, name: string): string {
	const text = value instanceof Date ? value.toISOString() : readText(value, name);
	return withoutInvisible(text).trim().replace(/\s/g, ' ').replace(FOR_EVER, '$1') || text;
}

/**
 * Reads the last day of access, as a person has typed or exported it. Databases and spreadsheets write a day as its midnight,
 * and n8n's data tables as that in the zone of whoever picks it.
 * @throws UnreadableValue as `readDate` does, and for a year in which no access ends
 */
export function readLastDay(value: unknown, name: string, form: DateForm = ''): Moment | null {
	const text = textOf(value, name);
	// 2027-01-31 00:00:00 is 2027-01-31. Another time stays.
	const withoutMidnight = text.replace(MIDNIGHT, '');
	const end = readDate(withoutMidnight, name, form && withTimeOf(withoutMidnight, form));
	if (!end) return null;
	const date = DateTime.fromMillis(end.time);
	if (date.year > LAST_YEAR && date.year < 9999)
		throw new UnreadableValue(
			`A date is invalid. ${name} is in the year ${date.year}: "${text}". For ever is 9999-12-31.`,
		);
	const isMidnight = end.time === date.startOf('day').toMillis() && !END_OF_DAY.test(text);
	return isMidnight ? dayOf(date) : end;
}

/** The form of a text: that of a day, and of the time behind it, if there is one. `dd/MM/yyyy` for `31/01/2027 10:00` is `dd/MM/yyyy H:mm`. */
function withTimeOf(text: string, form: DateForm): DateForm {
	const time = TIME.exec(text);
	if (!time) return form;
	const [, seconds, half] = time;
	return `${form} ${half ? 'h' : 'H'}:mm${seconds ? ':ss' : ''}${half ? ' a' : ''}`;
}

function inForm(text: string, form: DateForm): DateTime | undefined {
	const digits = NUMBERS[form];
	if (!digits) return form === '' ? undefined : DateTime.fromFormat(text, checkedForm(form));
	if (!digits.test(text)) return undefined;
	return DateTime.fromMillis(Number(text) * (form === 'seconds' ? 1000 : 1));
}

function checkedForm(form: DateForm): DateForm {
	const tokens = form.replace(/'[^']*'/g, '');
	if (PARTS.every((part) => tokens.match(part)?.length === 1)) return form;
	throw new UnreadableValue(
		`dates is "${form}". Enter seconds, milliseconds, or a form with one day, month, and year, such as dd/MM/yyyy HH:mm: mm are minutes.`,
	);
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
