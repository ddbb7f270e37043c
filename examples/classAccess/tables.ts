// What the data tables hold, as it is read. A cell that a person has typed may hold anything.
import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import type { Json } from '../codeNodes/n8n';
import { readDate, readLastDay } from '../reading/dates';
import { splitList } from '../reading/lists';
import { readText, UnreadableValue, withoutInvisible } from '../reading/text';
import {
	BUYER_COLUMNS,
	DAY,
	KINDS,
	SALE_COLUMNS,
	STUDENT_COLUMNS,
	PRODUCT_COLUMNS,
	type Kind,
	type Time,
} from './types';

/** What a cell is read as, by the type of its column. An empty text is '', any other empty cell null. */
interface Cells {
	string: string;
	/** As it is typed: it is checked when it is needed. */
	number: unknown;
	boolean: boolean | null;
	date: Time | null;
}
type Columns = Record<string, keyof Cells>;
export type Row<Of extends Columns> = { -readonly [Name in keyof Of]: Cells[Of[Name]] };

export type Buyer = Row<typeof BUYER_COLUMNS>;
export type Student = Row<typeof STUDENT_COLUMNS>;

export interface Product extends Omit<Row<typeof PRODUCT_COLUMNS>, 'months'> {
	months: number | null;
	/** What is wrong with the months, or empty. It is said when somebody buys the product. */
	problem: string;
}

/** What a row of `class_sales` gives: a class for each code of a product. `-` is no class. */
export interface Gift {
	/** Empty if the row names the class itself. */
	code: string;
	classId: string;
	months: number;
	/** To whom, as it was carried out last. */
	email?: string;
}

type SaleRow = Row<typeof SALE_COLUMNS>;
export interface Sale extends Pick<SaleRow, 'name' | 'classId' | 'isSubscription'> {
	id: number;
	kind: Kind;
	/** A row without one is a payment of its own. */
	paymentId: string;
	/** In lower case, and empty if none is said. */
	email: string;
	codes: string[];
	months: number | null;
	until: Time | null;
	/** Null: when it was recorded. */
	paidAt: Time | null;
	receivedAt: Time;
	/** What of it is known. */
	gifts: Gift[];
	isDone: boolean;
	/** What was noted when it was done. */
	notedProblem: string;
	/** What is wrong with it, or empty. With a wrong cell, it gives nothing. */
	problem: string;
}

/** What an item without a code counts as. */
export const WITHOUT_CODE = 'without-code';

const orEmpty = (value: unknown): string =>
	value === undefined || typeof value === 'object' ? '' : readText(String(value), '');

/**
 * Reads a cell that may hold anything.
 * @param problems gets what is wrong with it, in place of an exception: one cell mustn't keep everybody else waiting
 * @returns null if something is wrong with it
 */
function attempt<T>(problems: string[], read: () => T): T | null {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof UnreadableValue)) throw error;
		problems.push(error.message);
		return null;
	}
}

/**
 * Reads a row by the columns of its table.
 * @param problems gets which of its dates can't be read. Such a date counts as none.
 */
export function readRow<Of extends Columns>(
	columns: Of,
	row: Json,
	problems: string[] = [],
): Row<Of> {
	const readers: { [Type in keyof Cells]: (name: string) => Cells[Type] } = {
		string: (name) => orEmpty(row[name]),
		number: (name) => row[name],
		boolean: (name) => (typeof row[name] === 'boolean' ? row[name] : null),
		date: (name) => dateIn(row[name], name, problems),
	};
	const cells = Object.entries(columns).map(([name, type]) => [name, readers[type](name)] as const);
	return Object.fromEntries(cells) as Row<Of>;
}

const dateIn = (value: unknown, name: string, problems: string[]): Time | null =>
	attempt(problems, () => readDate(value, name)?.time ?? null);

/** Reads a row of `class_products`. */
export function readProduct(row: Json): Product {
	const problems: string[] = [];
	const cells = readRow(PRODUCT_COLUMNS, row);
	const months = attempt(problems, () => monthsOf(cells.months));
	return {
		...cells,
		classId: withoutInvisible(cells.classId),
		months,
		problem: problems.join(' '),
	};
}

/** Of a row without a number of its own. */
export const ownPaymentId = (id: number): string => `row ${id}`;

/** Whether a row has no number, and so is named after itself. */
export const isUnnumbered = ({ id, paymentId }: Pick<Sale, 'id' | 'paymentId'>): boolean =>
	paymentId === ownPaymentId(id);

/** Each row once, as it was read last, in the order in which they were recorded. */
export function eachOnce(sales: Sale[]): Sale[] {
	const rows = new Map(sales.map((sale) => [sale.id, sale]));
	return [...rows.values()].sort((a, b) => a.id - b.id);
}

/** Reads a row of `class_sales`. What is wrong with it is in `problem`: it never throws. */
export function readSale(row: Json): Sale {
	const problems: string[] = [];
	const cells = readRow({ ...SALE_COLUMNS, createdAt: 'date' }, row, problems);
	const sale: Sale = {
		...cells,
		id: Number(row.id),
		kind: (withoutInvisible(cells.kind).toLowerCase() || 'given') as Kind,
		classId: withoutInvisible(cells.classId),
		paymentId: cells.paymentId || ownPaymentId(Number(row.id)),
		email: cells.email.toLowerCase(),
		codes: attempt(problems, () => codesOf(cells.products)) ?? [],
		months: attempt(problems, () => monthsOf(cells.months)),
		until: attempt(problems, () => readLastDay(cells.until, 'until')?.time ?? null),
		paidAt: dateIn(cells.paidAt, 'paidAt', problems),
		receivedAt: cells.createdAt ?? 0,
		gifts: attempt(problems, () => giftsOf(cells.classes)) ?? [],
		isDone: false,
		notedProblem: cells.problem,
		problem: '',
	};
	problems.push(...problemsOf(sale, cells));
	const isGift = sale.kind === 'paid' || sale.kind === 'given';
	if (isGift && sale.codes.length === 0 && sale.classId === '') sale.codes.push(WITHOUT_CODE);
	const problem = problems.join(' ');
	// If somebody has changed it later, it may give nothing any more, which must be said.
	const isDone = cells.doneAt !== null && cells.problem.includes(problem);
	return { ...sale, isDone, problem };
}

/** What is wrong with a row whose cells can be read. */
function problemsOf(sale: Sale, cells: SaleRow): string[] {
	const { kind, email, codes, classId, months, until, paidAt, receivedAt } = sale;
	const gives = kind === 'paid' || kind === 'given';
	const needsPayment = kind === 'moved' || kind === 'refunded';
	const rules: Array<[isWrong: boolean, problem: string]> = [
		[!KINDS.includes(kind), `Unknown kind: "${kind}". Enter ${KINDS.join(', ')}.`],
		[
			kind !== 'ended' && until !== null && until <= (paidAt ?? receivedAt),
			`The end of access (until: "${cells.until}") isn't after the payment. Enter a later one in a row of kind given.`,
		],
		[kind === 'ended' && classId === '', 'Enter the classId that it ends.'],
		[
			kind === 'ended' && months !== null,
			'A row of kind ended has no months. Add it again with until, or with neither to end access at once.',
		],
		[needsPayment && cells.paymentId === '', `Enter the paymentId that is ${kind}.`],
		[kind === 'moved' && !isAddress(email), noAddress(sale)],
		[
			withoutInvisible(sale.paymentId) !== sale.paymentId,
			'The paymentId contains an invisible character. Add the row again with the right one.',
		],
		[gives && codes.length > 0 && classId !== '', 'Enter products or a classId, not both.'],
		[gives && months !== null && until !== null, 'Enter months or until, not both.'],
		// A day without a time lasts to its end, perhaps in another time zone.
		[
			paidAt !== null && paidAt > receivedAt + 2 * DAY,
			`A date is invalid. paidAt is in the future: "${cells.paidAt}".`,
		],
	];
	return rules.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []));
}

/** What is wrong with a row whose address is missing, or none. */
export const noAddress = ({ kind, email }: Sale): string =>
	email === ''
		? `A row of kind ${kind} has no email address. Add it again with one.`
		: `A row of kind ${kind} has "${email}", which is not an email address. It may contain an invisible character. Add it again with the right one.`;

/** A shop's list of codes in JSON, or what a person has typed, which is read as a cell of `class_products` is. */
function codesOf(text: string): string[] {
	// A code may begin with a bracket: [2027] Python
	const list = text.startsWith('[') ? listIn(text) : undefined;
	return list?.map((code) => readText(code, "A product's code") || WITHOUT_CODE) ?? splitList(text);
}

function listIn(text: string): unknown[] | undefined {
	try {
		return [JSON.parse(text)].flat() as unknown[];
	} catch {
		return undefined;
	}
}

function giftsOf(classes: string): Gift[] {
	const list = classes === '' ? [] : (listIn(classes) ?? [null]);
	return list.map((gift) => {
		const { code, classId, months, email } = (gift ?? {}) as Json;
		const given = {
			code: orEmpty(code),
			classId: orEmpty(classId),
			months: monthsOf(months) ?? 0,
			email: orEmpty(email),
		};
		if (given.classId !== '' && given.months > 0) return given;
		throw new UnreadableValue('Empty the column classes, which only Class access writes.');
	});
}

/** Whole months, or null for an empty cell. */
function monthsOf(value: unknown): number | null {
	if (value === null || value === undefined || value === '') return null;
	const months = Number(value);
	if (Number.isInteger(months) && months >= 1 && months <= 1200) return months;
	throw new UnreadableValue(
		`The months aren't a whole number from 1 to 1200: "${orEmpty(value)}".`,
	);
}

/** What another workflow has called with. */
export const readCall = (item: Json) => ({
	id: Number(item.id) || 0,
	email: orEmpty(item.email).toLowerCase(),
});

const COLUMNS: Columns = { ...SALE_COLUMNS, ...STUDENT_COLUMNS, ...BUYER_COLUMNS };

/** Times become texts, as n8n's nodes take dates, and no problem an empty cell. */
export const toItem = (step: object): Json =>
	Object.fromEntries(
		Object.entries(step).map(([name, value]: [string, unknown]) => {
			if (name === 'problem') return [name, value || null];
			const isTime = COLUMNS[name] === 'date' && typeof value === 'number';
			return [name, isTime ? new Date(value).toISOString() : value];
		}),
	);
