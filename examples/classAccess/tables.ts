// What the data tables hold, as it is read. A cell that a person has typed may hold anything.
import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { readDate } from '../reading/dates';
import { splitList } from '../reading/lists';
import { readText, UnreadableValue } from '../reading/text';
import type { Kind, Time } from './types';

export type Json = Record<string, unknown>;

/** What a row of `class_sales` gives: a class for each code of a product. `-` is no class. */
export interface Gift {
	/** Empty if the row names the class itself. */
	code: string;
	classId: string;
	months: number;
}

/** A row of `class_sales`. */
export interface Sale {
	id: number;
	kind: Kind;
	/** A row without one is a payment of its own. */
	paymentId: string;
	/** In lower case, and empty if none is said. */
	email: string;
	name: string;
	codes: string[];
	classId: string;
	months: number | null;
	until: Time | null;
	/** Null: when it was recorded. */
	paidAt: Time | null;
	receivedAt: Time;
	isSubscription: boolean;
	/** What of it is known. */
	gifts: Gift[];
	isDone: boolean;
	/** What was noted when it was done. */
	notedProblem: string;
	/** What is wrong with its cells, or undefined. Then it gives nothing. */
	problem?: string;
}

/** A row of `class_students`. */
export interface Student {
	email: string;
	name: string;
	classId: string;
	className: string;
	/** What the learning platform was last told. Null: unknown. */
	inClass: boolean | null;
	end: Time | null;
	problem: string | null;
	checkAt: Time | null;
	since: Time | null;
	unsureUntil: Time | null;
	/** Which of its dates can't be read, if any. */
	unreadable?: string;
}

/** A row of `class_buyers`. */
export interface Buyer {
	email: string;
	lockedBy: string;
	lockedUntil: Time;
	linkedAt: Time | null;
	linkUnknownAt: Time | null;
}

/** A row of `class_products`. */
export interface Product {
	product: string;
	classId: string;
	className: string;
	/** As it is typed: it is checked when somebody buys it. */
	months: unknown;
}

/** What an item without a code counts as. */
export const WITHOUT_CODE = 'without-code';

const DAY = 86_400_000;
/** As long as the most months that may be entered. */
const MAX_YEARS = 100;
const FOR_EVER: Time = Date.UTC(9999, 0, 1);

const KINDS = ['paid', 'refunded', 'moved', 'given', 'ended', 'allow'];

const orEmpty = (value: unknown) =>
	value === undefined || typeof value === 'object' ? '' : readText(String(value), '');

/**
 * Reads a cell that may hold anything.
 * @param problems gets what is wrong with it, in place of an exception: one cell mustn't keep everybody else waiting
 */
function attempt<T>(problems: string[], read: () => T, otherwise: T): T {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof UnreadableValue)) throw error;
		problems.push(error.message);
		return otherwise;
	}
}

/** Reads the dates of a row by the names of their columns. Null: empty, or unreadable. */
const dateReader =
	(row: Json, problems: string[]) =>
	(column: string): Time | null =>
		attempt(problems, () => readDate(row[column], column)?.time ?? null, null);

/** Reads a row of `class_sales`. What is wrong with it is in `problem`: it never throws. */
export function readSale(row: Json): Sale {
	const problems: string[] = [];
	const dateIn = dateReader(row, problems);
	const kind = orEmpty(row.kind).toLowerCase() || 'given';
	if (!KINDS.includes(kind)) problems.push(`Unknown kind: "${kind}". Enter ${KINDS.join(', ')}.`);
	const email = orEmpty(row.email).toLowerCase();
	const sale: Sale = {
		id: Number(row.id),
		kind: kind as Kind,
		paymentId: orEmpty(row.paymentId) || `row ${Number(row.id)}`,
		email,
		name: orEmpty(row.name),
		codes: attempt(problems, () => codesOf(row.products), []),
		classId: orEmpty(row.classId),
		months: attempt(problems, () => monthsOf(row.months), null),
		until: dateIn('until'),
		paidAt: dateIn('paidAt'),
		receivedAt: dateIn('createdAt') ?? 0,
		isSubscription: row.isSubscription === true,
		gifts: attempt(problems, () => giftsOf(orEmpty(row.classes)), []),
		isDone: dateIn('doneAt') !== null,
		notedProblem: orEmpty(row.problem),
	};
	const start = sale.paidAt ?? sale.receivedAt;
	if (kind !== 'ended' && sale.until !== null && sale.until <= start)
		problems.push(
			`The end of access (until: "${orEmpty(row.until)}") isn't after the payment. Enter a later one in a row of kind given.`,
		);
	if (kind === 'ended' && sale.classId === '') problems.push('Enter the classId that it ends.');
	if (kind === 'moved' && orEmpty(row.paymentId) === '')
		problems.push('Enter the paymentId that moves.');
	if ((kind === 'moved' || kind === 'ended') && !isAddress(email)) problems.push(noAddress(email));
	const gives = kind === 'paid' || kind === 'given';
	if (gives && sale.codes.length > 0 && sale.classId !== '')
		problems.push('Enter products or a classId, not both.');
	if (gives && sale.months !== null && sale.until !== null)
		problems.push('Enter months or until, not both.');
	problems.push(...typosIn(sale, row));
	if (gives && sale.codes.length === 0 && sale.classId === '') sale.codes.push(WITHOUT_CODE);
	return problems.length > 0 ? { ...sale, problem: problems.join(' ') } : sale;
}

/** Dates so far ahead are typos, or of another calendar. Access for ever ends in 9999. */
function typosIn({ paidAt, until, receivedAt }: Sale, row: Json): string[] {
	const typos: string[] = [];
	// A day without a time lasts to its end, perhaps in another time zone.
	if (paidAt !== null && paidAt > receivedAt + 2 * DAY)
		typos.push(`A date is invalid. paidAt is in the future: "${orEmpty(row.paidAt)}".`);
	const isFarAhead = until !== null && until > receivedAt + MAX_YEARS * 366 * DAY;
	if (isFarAhead && until < FOR_EVER)
		typos.push(
			`A date is invalid. until is more than ${MAX_YEARS} years ahead: "${orEmpty(row.until)}". For ever is 9999-12-31.`,
		);
	return typos;
}

export const noAddress = (email: string): string =>
	email === ''
		? 'There is no email address. Add a row with one.'
		: `"${email}" is not an email address. It may contain an invisible character. Add a row with the right one.`;

/** A shop's list of codes in JSON, or what a person has typed, which is read as a cell of `class_products` is. */
function codesOf(products: unknown): string[] {
	const text = orEmpty(products);
	if (text === '') return [];
	const list = text.startsWith('[') ? listIn(text) : undefined;
	if (!list) return splitList(text);
	return list.map((code) => readText(code, "A product's code") || WITHOUT_CODE);
}

function listIn(text: string): unknown[] | undefined {
	try {
		return [JSON.parse(text)].flat() as unknown[];
	} catch {
		return undefined; // a code may begin with a bracket: [2027] Python
	}
}

function giftsOf(classes: string): Gift[] {
	const list = classes === '' ? [] : listIn(classes);
	const isGift = (gift: unknown) =>
		typeof gift === 'object' && gift !== null && 'classId' in gift && 'months' in gift;
	if (list?.every(isGift)) return list as Gift[];
	throw new UnreadableValue('Empty the column classes, which only Class access writes.');
}

/** Whole months, or null for an empty cell. */
export function monthsOf(value: unknown): number | null {
	if (value === null || value === undefined || value === '') return null;
	const months = Number(value);
	if (Number.isInteger(months) && months >= 1 && months <= 1200) return months;
	throw new UnreadableValue(
		`The months aren't a whole number from 1 to 1200: "${orEmpty(value)}".`,
	);
}

/** Reads a row of `class_students`. With an unreadable date, nothing is asked until a row of `class_sales` is about the student. */
export function readStudent(row: Json): Student {
	const problems: string[] = [];
	const student = studentIn(row, dateReader(row, problems));
	if (problems.length === 0) return student;
	const unreadable = `${student.email}, class ${student.classId} in class_students: ${problems.join(' ')}`;
	return { ...student, checkAt: null, problem: unreadable, unreadable };
}

const studentIn = (row: Json, dateIn: (column: string) => Time | null): Student => ({
	email: orEmpty(row.email),
	name: orEmpty(row.name),
	classId: orEmpty(row.classId),
	className: orEmpty(row.className),
	inClass: typeof row.inClass === 'boolean' ? row.inClass : null,
	end: dateIn('end'),
	problem: orEmpty(row.problem) || null,
	checkAt: dateIn('checkAt'),
	since: dateIn('since'),
	unsureUntil: dateIn('unsureUntil'),
});

/** Reads a row of `class_buyers`, which has no column for a problem: an unreadable date counts as none. */
export function readBuyer(row: Json): Buyer {
	const dateIn = dateReader(row, []);
	return {
		email: orEmpty(row.email),
		lockedBy: orEmpty(row.lockedBy),
		lockedUntil: dateIn('lockedUntil') ?? 0,
		linkedAt: dateIn('linkedAt'),
		linkUnknownAt: dateIn('linkUnknownAt'),
	};
}

export const readProduct = (row: Json): Product => ({
	product: orEmpty(row.product),
	classId: orEmpty(row.classId),
	className: orEmpty(row.className),
	months: row.months,
});

/** What another workflow has called with. */
export const readCall = (item: Json) => ({
	id: Number(item.id ?? NaN),
	paymentId: orEmpty(item.paymentId),
	email: orEmpty(item.email).toLowerCase(),
});

const DATES = ['end', 'checkAt', 'since', 'unsureUntil', 'linkedAt', 'linkUnknownAt', 'doneAt'];

/** Times become texts, as n8n's nodes take dates. */
export const toItem = (step: object): Json =>
	Object.fromEntries(
		Object.entries(step).map(([name, value]) => {
			const isTime = DATES.includes(name) && typeof value === 'number';
			return [name, isTime ? new Date(value).toISOString() : (value as unknown)];
		}),
	);
