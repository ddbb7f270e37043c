import type { Answer } from '../codeNodes/answer';
import { failure as failureOf } from '../codeNodes/failure';
import {
	isListed,
	nameOf,
	numberOf,
	readStudents,
	type Row,
	type Student,
	type Table,
} from './readStudents';

/** What the canvas does next with an item. */
export type Step =
	| { next: 'remove'; email: string; expiresAt: unknown }
	| ({ next: 'note' } & Row)
	| { result: string; email?: string; expiresAt?: unknown; next: 'done' };

/** What n8n knows when it asks. */
export interface State {
	/** All rows of the table. They are read once more after the requests, during which somebody may buy again. */
	rows: Row[];
	/** Milliseconds since 1970. */
	now: number;
	/** The day to be noted, as text. */
	today: string;
	isByHand: boolean;
	/** The students whose removal was requested in this execution, in the order of `answers`. */
	requested: Array<{ email: string }>;
	answers: Answer[];
	/** Whether the table has been written in this execution. */
	isNoted: boolean;
}

/** So many students at once, if they are also more than this part of all, look like a mistake. */
const MANY = 20;
const PART = 0.3;
const NO_ROWS =
	'The table has no rows, so nobody is removed. If it had some, it was emptied, or it has a new name: give it the old one back. If nobody has access yet, this ends with the first row.';

/** Says what to do next: remove who is due, then note who is out, then end. Throws what an owner must know. */
export function next(state: State): Step[] {
	const isOver = state.requested.length > 0 || state.isNoted;
	const twice = isOver ? undefined : findRepeated(state.rows);
	if (twice)
		throw failure(
			`n8n has read ${nameOf(twice)} twice, so that another row may be missing, and nobody is removed. Update n8n.`,
		);
	const table = readStudents(state.rows, state.now);
	const due = table.students.filter(({ end }) => end < state.now);
	if (state.isByHand) return show(table, due);
	if (isOver) return conclude(state, table);
	// Create Table makes another one if the table has a new name.
	if (!state.rows.some(isListed)) throw failure(NO_ROWS);
	const brake = tooMany(table, due);
	if (brake && table.permissions.length === 0) throw failure(brake, ...table.problems);
	if (due.length > 0) return due.map((student) => ({ next: 'remove', ...shown(student) }));
	if (table.permissions.length > 0) return note(table.permissions, state.today);
	return end(table.problems, "Nobody's day has come.");
}

/** Older versions of n8n read a table of more than 1,000 rows in no certain order: some rows twice, and as many not at all. */
function findRepeated(rows: Row[]): Row | undefined {
	const read = new Set<unknown>();
	return rows.find((row) => {
		const number = numberOf(row);
		const isRepeated = number !== undefined && read.has(number);
		read.add(number);
		return isRepeated;
	});
}

const shown = ({ email, rows }: Student) => ({ email, expiresAt: rows.at(-1)?.expiresAt });
const note = (rows: Row[], removedAt: string): Step[] =>
	rows.map((row) => ({ ...row, removedAt, next: 'note' }));
const sentences = (...parts: string[]) => parts.filter(Boolean).join(' ');
/** n8n's Retry would begin after the table was read, and only repeat the same. */
const failure = (...problems: string[]) =>
	failureOf(sentences(...problems, "The next night does what is left, so don't select Retry."));

function end(problems: string[], result: string): Step[] {
	if (problems.length > 0) throw failure(...problems);
	return [{ result, next: 'done' }];
}

/** Shows whom the night would remove. n8n counts a Retry as none by hand. */
function show(table: Table, due: Student[]): Step[] {
	const { students, problems, permissions } = table;
	if (problems.length > 0)
		throw failureOf(sentences(...problems, "Don't select Retry, which would remove who is due."));
	const brake = tooMany(table, due);
	const isAllowed = brake !== '' && permissions.length > 0;
	const count = `${due.length} of the ${students.length} students who are still in`;
	const endless = students.filter(({ end }) => end === Infinity).length;
	const result = sentences(
		'By hand, nobody is removed.',
		brake && !isAllowed ? brake : `The night would remove ${count}.`,
		isAllowed ? 'You have allowed it.' : '',
		endless > 0 ? `Without expiresAt, so that access never ends: ${endless}.` : '',
	);
	return [
		{ result, next: 'done' },
		...due.map((student): Step => {
			return { result: 'would be removed', ...shown(student), next: 'done' };
		}),
	];
}

/** Says that so many students are due at once that the table is probably wrong. Empty otherwise. */
function tooMany({ students }: Table, due: Student[]): string {
	if (due.length < MANY || due.length <= PART * students.length) return '';
	return `${due.length} of ${students.length} students would be removed at once, so nobody is. To see who, select Execute workflow, and open Whose Day Has Come. If the dates in the table are right, add a row with the word allow as email: then the next night removes them.`;
}

/** Notes who is out of the class, and then says who isn't. */
function conclude({ requested, answers, isNoted, now, today }: State, table: Table): Step[] {
	const results = requested.map(({ email }, index) => ({ email, answer: answers[index] ?? {} }));
	const removed = results.filter(({ answer }) => answer.deleted === true);
	const isOut = ({ status, outcome, deleted }: Answer) => {
		if (deleted === true) return true;
		if (outcome !== 'rejected') return false;
		// Somebody else was removed just now, so address, token, and class are right. The student probably isn't in the class.
		if (removed.length > 0) return status === 400 || status === 404 || status === 422;
		// One student alone, as it is after a removal by hand. The class was right before; a 404 may be another Base URL.
		return results.length === 1 && table.hasRemoved && (status === 400 || status === 422);
	};
	const goingOn = table.students.filter(({ end }) => end >= now);
	const emails = new Set(goingOn.map(({ email }) => email));
	const again = results.filter(({ email }) => emails.has(email));
	const over = results.filter(({ email }) => !emails.has(email));
	const out = over.filter(({ answer }) => isOut(answer));
	const names = new Set(out.map(({ email }) => email));
	const rows = table.students.filter(({ email }) => names.has(email)).flatMap(({ rows }) => rows);
	// A permission is used up by the night that removes somebody.
	if (!isNoted && rows.length > 0) return note([...rows, ...table.permissions], today);
	const left = over.filter(({ answer }) => !isOut(answer));
	const rejected = out.filter(({ answer }) => answer.deleted !== true);
	const result = [`Removed: ${removed.length}.`, ...describeRejected(rejected)];
	const problems = [
		...describeLeft(left, removed.length),
		...again.filter(mayBeOut).map(describeAgain),
		...table.problems,
	];
	// A failure is all that an owner sees. Where nobody else was removed, every removal may be rejected.
	if (rejected.length > 0) problems.unshift(...result);
	return end(problems, sentences(...result));
}

interface Result {
	email: string;
	answer: Answer;
}

/**
 * Names the students who were rejected, and are noted as removed. Nobody knows whether the learning platform rejects only who isn't
 * in the class, so that a person must look.
 */
function describeRejected(rejected: Result[]): string[] {
	if (rejected.length === 0) return [];
	return [
		`Rejected, but noted as removed: ${rejected.length}, as they probably weren't in the class any more.`,
		...describeReasons(rejected),
		'Look in your learning platform, as no night asks again.',
	];
}

const mayBeOut = ({ answer: { deleted, outcome } }: Result) =>
	deleted === true || outcome === 'unknown';

/** Says of a student whose access goes on by a row that was entered during the removals that they may be out. */
const describeAgain = ({ email }: Result) =>
	`During the removal of ${email}, a row was entered by which access goes on. No night adds them again: if they aren't in the class in your learning platform, add them.`;

/** Names the students who may still be in the class, and why. */
function describeLeft(left: Result[], removedCount: number): string[] {
	if (left.length === 0) return [];
	const isRejected = left.some(({ answer }) => answer.outcome === 'rejected');
	const advice =
		"If a rejected student isn't in the class, enter a day as removedAt in their row. If all are rejected, check the class in Remove From Class.";
	return [
		`${left.length} of the students whose day has come may still be in the class (${removedCount} removed).`,
		...describeReasons(left),
		isRejected ? advice : '',
	];
}

/** Says of each reason to whom it happened. */
function describeReasons(results: Result[]): string[] {
	const byReason = new Map<string, { reason: string; emails: string[] }>();
	for (const { email, answer } of results) {
		const reason = (answer.error ?? 'No answer. Check the credential of Remove From Class')
			.replace(`${email}: `, '')
			.replace(/ \[item \d+\]/, '')
			.replace(/\.?$/, '.');
		const key = reason.replaceAll(email, '');
		const known = byReason.get(key) ?? { reason, emails: [] };
		byReason.set(key, { ...known, emails: [...known.emails, email] });
	}
	return [...byReason.values()].map(({ reason, emails }) => `${emails.join(', ')}: ${reason}`);
}
