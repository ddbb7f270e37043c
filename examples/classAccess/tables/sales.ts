// The rows of `class_sales`.
import { isAddress } from '../../../nodes/ClassEnrollment/values/address';
import type { Json } from '../../codeNodes/n8n';
import { readLastDay } from '../../reading/dates';
import { splitList } from '../../reading/lists';
import { readText, UnreadableValue, withoutInvisible } from '../../reading/text';
import { isGiving, SALE_COLUMNS, type Kind, type Time } from '../types';
import { attempt, dateIn, monthsOf, orEmpty } from './cells';
import { NO_CLASS } from './products';
import { readRow, type Row } from './rows';
import { problemsOf } from './saleProblems';

/** What a row of `class_sales` gives: a class for each code of a product. `-` is no class. */
export interface Gift {
	/** Empty if the row names the class itself. */
	code: string;
	classId: string;
	months: number;
	/** To whom, as it was carried out last. */
	email?: string;
}

export type SaleRow = Row<typeof SALE_COLUMNS>;
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
	/** Whom it was about when it was carried out last. An owner may have corrected it since. */
	formerEmails: string[];
	isDone: boolean;
	/** What was noted when it was done. */
	notedProblem: string;
	/** What is wrong with it, or empty. With a wrong cell, it gives nothing. */
	problem: string;
}

/** What is kept of a row that gives nothing itself, with whom it was about. */
export const NOTHING: Gift = { code: '', classId: NO_CLASS, months: 1 };
const isNothing = ({ code, classId }: Gift): boolean => code === '' && classId === NO_CLASS;

/** What an item without a code counts as. */
export const WITHOUT_CODE = 'without-code';

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
	const kept = attempt(problems, () => giftsOf(cells.classes)) ?? [];
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
		gifts: kept.filter((gift) => !isNothing(gift)),
		formerEmails: kept.map(({ email = '' }) => email).filter(isAddress),
		isDone: false,
		notedProblem: cells.problem,
		problem: '',
	};
	problems.push(...problemsOf(sale, cells));
	if (isGiving(sale.kind) && sale.codes.length === 0 && sale.classId === '')
		sale.codes.push(WITHOUT_CODE);
	const problem = problems.join(' ');
	// If somebody has changed it later, it may give nothing any more, which must be said.
	const isDone = cells.doneAt !== null && cells.problem.includes(problem);
	return { ...sale, isDone, problem };
}

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

/** What another workflow has called with. */
export const readCall = (item: Json) => ({
	id: Number(item.id) || 0,
	email: orEmpty(item.email).toLowerCase(),
});
