import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import type { NamedClient } from '../connection/session';
import type { ItemParameters } from '../fields/parameters';
import type { Change, RowState } from '../journal/change';
import type { InputItem } from './operation';

/** What an item says of a row. */
export interface RowSource<Task = unknown> {
	/** Returns what it asks for; throws InvalidValueError if a value cannot be used. */
	read: () => Task;
	/** Returns whom it is about, as the item says it, such as an email address. */
	subject?: () => unknown;
}

/** A row, and what became of it. */
export interface Row extends Partial<RowSource> {
	itemIndex: number;
	/** Its number in the item's list, counted from 1; without it, the item itself is the row. */
	number?: number;
	/** Those of its item. */
	parameters: ItemParameters;
	/** What it asks for, once it has passed all checks. */
	task?: unknown;
	client?: NamedClient;
	change?: Change;
	/** The last row with the same change, which is performed in its place. */
	replacedBy?: Row;
	state: RowState;
	/** Why it cannot be done, or was not. */
	error?: unknown;
}

/** How the items of an operation are divided into rows, and the rows into batches. */
export interface Division<Task = unknown> {
	/** Returns the row of an item, or those of its list; throws InvalidValueError if there is none. */
	rowsOf: (item: InputItem) => RowSource<Task> | Array<RowSource<Task>>;
	/**
	 * At most how many changes with the same destination are performed together; the last one with a subject stands for
	 * all. Without it, each row is performed by itself, those with the same subject one after another.
	 */
	batchSize?: number;
}

/** Says how the items are divided; throws InvalidValueError if they contradict each other. */
export type Divide<Task = unknown> = (items: InputItem[]) => Division<Task>;

// So that 100 rows that are all rejected take at most about 120 requests, and one among them about 20.
const MAX_SENT_ONE_BY_ONE = 16;
const OPEN: RowState = { is: 'open' };

/** Takes each item for a row. */
export function rowPerItem<Task>(read: (parameters: ItemParameters) => Task): Divide<Task> {
	return () => ({ rowsOf: ({ parameters }) => ({ read: () => read(parameters) }) });
}

/** Returns the rows of all items. Where what they have in common cannot be used, each item is an invalid row. */
export function readRows(items: InputItem[], divide: Divide): { rows: Row[]; batchSize?: number } {
	try {
		const { rowsOf, batchSize } = divide(items);
		return { rows: items.flatMap((item) => toRows(item, rowsOf)), batchSize };
	} catch (error) {
		return { rows: items.map((item) => toRow(item, { error })) };
	}
}

function toRows(item: InputItem, rowsOf: Division['rowsOf']): Row[] {
	try {
		const found = rowsOf(item);
		if (!Array.isArray(found)) return [toRow(item, found)];
		return found.map((source, index) => toRow(item, source, index + 1));
	} catch (error) {
		return [toRow(item, { error })];
	}
}

function toRow(item: InputItem, { read, subject, error }: Partial<Row>, number?: number): Row {
	const { itemIndex, parameters } = item;
	return { itemIndex, number, parameters, read, subject, error, state: OPEN };
}

/** Leaves out the rows in whose place a later one is performed. */
export function withoutReplaced(rows: Row[]): Row[] {
	const keys = rows.map((row) => `${batchKey(row)} ${row.change?.subject}`);
	const last = new Map(rows.map((row, index) => [keys[index], row]));
	for (const [index, row] of rows.entries()) row.replacedBy = last.get(keys[index]);
	return [...last.values()];
}

/** Divides the rows into jobs, which may be performed at the same time: batches that follow each other. */
export function toJobs(rows: Row[], batchSize?: number): Row[][][] {
	if (batchSize !== undefined) {
		const groups = Object.values(groupBy(rows, batchKey));
		return groups.flatMap((group) => chunk(group, batchSize).map((batch) => [batch]));
	}
	const groups = groupBy(rows, ({ change, itemIndex }) => change?.subject ?? itemIndex);
	return Object.values(groups).map((group) => group.map((row) => [row]));
}

/**
 * Divides a batch that was rejected in halves, and at last into single rows, so that everything that the service accepts
 * is done, and everything else fails with what the service said about it.
 */
export function divideBatch(batch: Row[]): Row[][] {
	return chunk(batch, batch.length > MAX_SENT_ONE_BY_ONE ? Math.ceil(batch.length / 2) : 1);
}

/** What the rows of a batch have in common. */
const batchKey = ({ client, change }: Row) => `${client?.key} ${change?.destination}`;

/** The row with what became of the one that was performed in its place. */
export function withOutcome(row: Row): Row {
	const { itemIndex, number, parameters, subject, replacedBy } = row;
	if (!replacedBy || replacedBy === row) return row;
	return { ...replacedBy, itemIndex, number, parameters, subject };
}

export function hasFailed({ error }: Row): boolean {
	return error !== undefined;
}
