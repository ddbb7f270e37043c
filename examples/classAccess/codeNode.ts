import { readDate, address, text } from './readSale';
import { plan, type Given } from './plan';
import type { Answer, Kind, Product, Round, SaleRow, Step, Student, Time } from './rounds';

type Json = Record<string, unknown>;

/** What the Code node has read with n8n's `$`. */
export interface Read {
	now: Time;
	me: string;
	isByHand: boolean;
	sales: Json[];
	products: Json[];
	listed?: Json[];
	openSales: Json[];
	due: Json[];
	/** The earlier steps of this execution, and the items that each node has output, by run. */
	steps: Json[][];
	runs: Record<
		'students' | 'sales' | 'noted' | 'added' | 'removed' | 'sent' | 'counted',
		(run: number) => Json[]
	>;
}

// n8n may give a date as an object.
const time = (value: unknown): Time | null =>
	value instanceof Date ? value.getTime() : (readDate(value) ?? null);
const number = (value: unknown, or: number) =>
	value === null || value === undefined ? or : Number(value);
const orNull = (value: unknown) =>
	value === null || value === undefined || value === '' ? null : String(value);

export const toSale = (row: Json): SaleRow => ({
	id: Number(row.id),
	// A row by hand may have none.
	paymentId: text(row.paymentId) || `row ${Number(row.id)}`,
	kind: (text(row.kind).toLowerCase() || 'paid') as Kind,
	email: address(row.email),
	name: text(row.name),
	classId: text(row.classId),
	product: text(row.product),
	months: number(row.months, 12),
	until: time(row.until),
	paidAt: time(row.paidAt) ?? time(row.createdAt) ?? 0,
	rowCount: number(row.rowCount, 1),
	receivedAt: time(row.createdAt) ?? 0,
	doneAt: time(row.doneAt),
	problem: orNull(row.problem),
});

export const toStudent = (row: Json): Student => ({
	id: Number(row.id),
	email: address(row.email),
	classId: text(row.classId),
	name: text(row.name),
	end: time(row.end),
	checkAt: time(row.checkAt),
	acting: orNull(row.acting),
	openedAt: time(row.openedAt),
	linkClaimedAt: time(row.linkClaimedAt),
	linkSentAt: time(row.linkSentAt),
	problem: orNull(row.problem),
	changedBy: orNull(row.changedBy),
});

const toProduct = ({ product, classId, months }: Json): Product => ({
	product: text(product),
	classId: text(classId),
	months: months === null || months === undefined ? null : Number(months),
});

const rows = (items: Json[]) => items.filter(({ id }) => id !== undefined && id !== null);
const DATES = [
	'end',
	'checkAt',
	'openedAt',
	'linkClaimedAt',
	'linkSentAt',
	'paidAt',
	'until',
	'doneAt',
];

/** Tells the canvas what to do next. Dates become texts. */
export function tell(step: Step): Json {
	const dates = Object.entries(step).map(([name, value]) => [
		name,
		DATES.includes(name) && typeof value === 'number'
			? new Date(value).toISOString()
			: (value as unknown),
	]);
	return { ...(Object.fromEntries(dates) as Json), ...(step.next !== 'done' && { plan: step }) };
}

function rounds({ steps, runs }: Read): Round[] {
	const counts: Record<string, number> = {};
	return steps.map((items) => {
		const round: Round = { steps: items.map(({ plan: step }) => step as Step) };
		const { next } = round.steps[0]!;
		const run = (counts[next] = (counts[next] ?? -1) + 1);
		const answers: Partial<Record<string, Json[]>> = {};
		if (next === 'look') {
			round.students = rows(runs.students(run)).map(toStudent);
			round.sales = rows(runs.sales(run)).map(toSale);
		}
		if (next === 'note') round.students = rows(runs.noted(run)).map(toStudent);
		if (next === 'count') round.students = rows(runs.counted(run)).map(toStudent);
		if (next === 'add') answers[next] = runs.added(run);
		if (next === 'remove') answers[next] = runs.removed(run);
		if (next === 'link') answers[next] = runs.sent(run);
		if (answers[next]) round.answers = answers[next] as Answer[];
		return round;
	});
}

/** What the Code node outputs. */
export function next(read: Read): Json[] {
	const given: Given = {
		...{ now: read.now, me: read.me, sales: read.sales, isByHand: read.isByHand },
		products: rows(read.products).map(toProduct),
		...(read.listed && { listed: read.listed.map(({ id }) => text(id)).filter(Boolean) }),
		openSales: rows(read.openSales).map(toSale),
		due: rows(read.due).map(toStudent),
		past: rounds(read),
	};
	const steps = plan(given);
	const [first] = steps;
	// A failure ends the execution here, so that nobody misses it, unless the caller shows it, as shops do.
	if (first?.next === 'done' && first.result === 'failed' && given.sales[0]?.returnFailure !== true)
		throw new Error(first.reason);
	return steps.map(tell);
}
