import { DateTime } from 'luxon';

import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { readLastDay } from '../reading/dates';
import { ifReadable, readText, withoutInvisible } from '../reading/text';
import { readEnd } from './readEnd';

/** A row of the table: `email`, `expiresAt`, `removedAt`, and its number, by which n8n or Google Sheets finds it. */
export type Row = Record<string, unknown>;

/** A student who is still in the class. */
export interface Student {
	/** As it was entered first, if that is an address. */
	email: string;
	/** The last end of their rows, in milliseconds since 1970. Who has bought twice has two rows. */
	end: number;
	rows: Row[];
}

export interface Table {
	students: Student[];
	/** What is wrong with rows that can't be read. Their students are never removed. */
	problems: string[];
	/** Rows with which the owner allows that many students are removed at once. */
	permissions: Row[];
	/** Whether a student of this table has been removed before. */
	hasRemoved: boolean;
}

const DAY = 86_400_000;
const DAY_FORMS = ['d/M/yyyy', 'M/d/yyyy', 'd.M.yyyy'];
/** In place of an address, in a row that allows to remove many students at once. */
const ALLOW = 'allow';

const isFilled = (value: unknown) => String(value ?? '').trim() !== '';
/** A day has a digit, however it is written. One to come may be meant as the last day of access. */
const isIn = ({ removedAt }: Row, now: number, daysOf: DayReader) =>
	!/[1-9]/.test(String(removedAt ?? '')) || isToCome(daysOf(removedAt), now);
const isPermission = ({ email }: Row) => plainAddress(email) === ALLOW;

/** An address as it is compared: without case, and as it looks. Another spelling of it may say that access goes on. */
const plainAddress = (email: unknown) =>
	withoutInvisible(String(email).normalize('NFC')).trim().toLowerCase();
const lettersOf = (address: string) => address.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Reads the rows of the table.
 * @param now milliseconds since 1970
 */
export function readStudents(rows: Row[], now: number): Table {
	const daysOf = createDayReader();
	const out = new Set(rows.filter((row) => !isIn(row, now, daysOf)));
	const open = rows.filter(
		(row) => !out.has(row) && (isFilled(row.email) || isFilled(row.expiresAt)),
	);
	const removed = [...out].filter((row) => !isPermission(row));
	const students = new Map<string, Student>();
	// Until when access may go on, as far as it can be read.
	const unreadable = new Map<string, number>();
	const problems: string[] = [];
	for (const row of open.filter((each) => !isPermission(each))) {
		const key = plainAddress(row.email);
		try {
			const student = readStudent(row);
			const known = students.get(key) ?? { ...student, rows: [] };
			const { email } = isAddress(known.email) ? known : student;
			const end = Math.max(known.end, student.end);
			students.set(key, { email, end, rows: [...known.rows, row] });
		} catch (error) {
			problems.push(`${nameOf(row)}: ${(error as Error).message}`);
			unreadable.set(key, Infinity);
		}
	}
	for (const [key, { email, end, rows: own }] of students) {
		// Another row of the student may have the address without what nobody sees.
		if (isAddress(email)) continue;
		problems.push(
			`${nameOf(own[0]!)}: "${email}" is not an email address. Type it again, or delete the row.`,
		);
		unreadable.set(key, Math.max(end, unreadable.get(key) ?? 0));
	}
	for (const row of removed) {
		const key = plainAddress(row.email);
		const change = changeOf(row, now, daysOf);
		if (change === undefined || students.has(key) || unreadable.has(key)) continue;
		problems.push(
			`${nameOf(row)}: ${key} was removed on ${String(row.removedAt).trim()}, ${change}. If they have got access again, empty removedAt. Otherwise, delete the row.`,
		);
	}
	// A row may be about a student in another form, or mistyped: mailto:ana@example.com, ana@example,com
	const doubts = [...unreadable].map(([key, end]) => ({ letters: lettersOf(key), end }));
	const goesOn = ([key, { end }]: [string, Student]) => {
		const letters = lettersOf(key);
		return doubts.some((doubt) => doubt.end > end && doubt.letters.includes(letters));
	};
	const readable = [...students].filter(([key]) => !unreadable.has(key));
	// What can't be read may say that access goes on.
	const held = readable.filter(goesOn);
	const waiting = held.flatMap(([, { email, end }]) => (end < now ? email : []));
	if (waiting.length > 0) {
		problems.push(
			`Not removed, as a row that can't be read may be about them: ${waiting.join(', ')}.`,
		);
	}
	const listed = rows.filter(isListed);
	const missing = ['email', 'expiresAt'].find((column) =>
		listed.every((row) => row[column] === undefined),
	);
	return {
		students: readable.filter((entry) => !held.includes(entry)).map(([, student]) => student),
		// Once, if it is wrong with each row.
		problems: missing && listed.length > 0 ? [`The table has no column ${missing}.`] : problems,
		permissions: open.filter(isPermission),
		hasRemoved: removed.length > 0,
	};
}

/**
 * Returns a function that reads the days that a cell may mean, however an owner or a spreadsheet has written it: none, if it is no
 * day in a known form. It reads each text once, as that takes long, and many students have the same day.
 */
function createDayReader() {
	const known = new Map<string, number[]>();
	return (removedAt: unknown): number[] => {
		const days = known.get(String(removedAt)) ?? readDays(removedAt);
		known.set(String(removedAt), days);
		return days;
	};
}

type DayReader = ReturnType<typeof createDayReader>;

function readDays(removedAt: unknown): number[] {
	const read = (form?: string) => ifReadable(() => readLastDay(removedAt, 'removedAt', form));
	const iso = read();
	const days = iso ? [iso] : DAY_FORMS.flatMap((form) => read(form) ?? []);
	return days.map(({ time }) => dayOf(time));
}

/** Whether a day has not come yet for certain. Tomorrow may be today where the owner is. */
const isToCome = (days: number[], now: number): boolean =>
	days.length > 0 && days.every((day) => day > now + DAY);

/**
 * What was changed in the row of a student who was removed before, so that they may be in again: a new day was entered that has
 * come, or what is no day. Undefined: nothing.
 */
function changeOf(
	{ removedAt, expiresAt }: Row,
	now: number,
	daysOf: DayReader,
): string | undefined {
	const end = ifReadable(() => readEnd(expiresAt));
	if (end === undefined) return 'and its expiresAt is no day';
	if (end >= now) return undefined;
	const days = daysOf(removedAt);
	const isLater = days.length > 0 && days.every((day) => day < dayOf(end));
	return isLater ? 'before expiresAt' : undefined;
}

const dayOf = (time: number) => DateTime.fromMillis(time).startOf('day').toMillis();

/** Whether it is a row: of an empty table, n8n outputs an item without fields. */
export const isListed = (row: Row): boolean => Object.keys(row).length > 0;
/** That of Google Sheets, where an owner's own column may be called id, or of n8n. */
export const numberOf = ({ id, row_number: number }: Row): unknown => number ?? id;
export const nameOf = (row: Row): string => `Row ${String(numberOf(row))}`;

function readStudent(row: Row): Omit<Student, 'rows'> {
	const email = readText(row.email, 'email');
	if (email === '') throw new Error('There is no email.');
	if (isFilled(row.removedAt))
		throw new Error(
			`${email}: removedAt is "${String(row.removedAt)}", not a day that has come. Enter that of the removal, or empty it.`,
		);
	if (row.expiresAt === undefined) throw new Error(`${email}: There is no column expiresAt.`);
	try {
		return { email, end: readEnd(row.expiresAt) };
	} catch (error) {
		throw new Error(`${email}: ${(error as Error).message}`);
	}
}
