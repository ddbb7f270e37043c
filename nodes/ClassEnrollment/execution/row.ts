import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import type { NamedClient } from '../connection/session';
import type { ItemParameters } from '../fields/parameters';
import type { Change, ChangeSoFar } from './change';
import type { InputItem } from './operation';

/** A row, and what became of it: neither `made` nor `error` as long as nothing has. */
export interface Row extends ChangeSoFar {
	itemIndex: number;
	/** Its number in the item's list, counted from 1; without it, the item itself is the row. */
	number?: number;
	parameters: ItemParameters;
	/** What it asks for, once it has passed all checks. */
	task?: unknown;
	client?: NamedClient;
	change?: Change;
	/** A later row with the same change, which is performed in its place. */
	replacedBy?: Row;
	error?: unknown;
}

/** Returns the parameters of an item's row, or of each row of its list; throws InvalidValueError if there is none. */
export type RowsOf = (item: InputItem) => ItemParameters | ItemParameters[];

/** How the items of an operation are divided into rows, and the rows into batches. */
export interface Batching {
	rowsOf: RowsOf;
	/** At most how many changes of the same request are performed together; the last one with a subject stands for all. */
	batchSize: number;
}

// So that 100 rows that are all rejected take at most about 120 requests, and one among them about 20.
const MAX_SENT_ONE_BY_ONE = 16;

/** Returns the rows of all items. Where what they have in common cannot be used, each item is an invalid row. */
export function readRows(
	items: InputItem[],
	readBatching?: (items: InputItem[]) => Batching,
): { rows: Row[]; batchSize?: number } {
	try {
		const { rowsOf, batchSize } = readBatching?.(items) ?? {};
		return { rows: items.flatMap((item) => toRows(item, rowsOf)), batchSize };
	} catch (error) {
		return { rows: items.map(({ itemIndex, parameters }) => ({ itemIndex, parameters, error })) };
	}
}

function toRows(item: InputItem, rowsOf?: RowsOf): Row[] {
	const { itemIndex, parameters } = item;
	try {
		const rows = rowsOf?.(item) ?? parameters;
		if (!Array.isArray(rows)) return [{ itemIndex, parameters: rows }];
		return rows.map((parameters, index) => ({ itemIndex, number: index + 1, parameters }));
	} catch (error) {
		return [{ itemIndex, parameters, error }];
	}
}

/** Leaves out the rows in whose place a later one is performed. */
export function withoutReplaced(rows: Row[]): Row[] {
	const keys = rows.map(changeKey);
	const last = new Map(rows.map((row, index) => [keys[index], row]));
	for (const [index, row] of rows.entries()) {
		const replacement = last.get(keys[index]);
		if (replacement !== row) row.replacedBy = replacement;
	}
	return [...last.values()];
}

/** Divides the rows into jobs, which may be performed at the same time: batches that follow each other. */
export function toJobs(rows: Row[], batchSize?: number): Row[][][] {
	if (batchSize !== undefined) {
		const groups = Object.values(groupBy(rows, requestKey));
		return groups.flatMap((group) => chunk(group, batchSize).map((batch) => [batch]));
	}
	const groups = groupBy(rows, ({ change, itemIndex }) => change?.subject ?? itemIndex);
	return Object.values(groups).map((group) => group.map((row) => [row]));
}

/**
 * Divides a batch that was rejected in halves, and at last into single rows, so that everything that the service accepts
 * is done, and everything else fails with what the service said about it.
 */
export function divide(batch: Row[]): Row[][] {
	return chunk(batch, batch.length > MAX_SENT_ONE_BY_ONE ? Math.ceil(batch.length / 2) : 1);
}

const requestKey = ({ client, change }: Row) => `${client?.id} ${change?.request}`;

const changeKey = (row: Row) => `${requestKey(row)} ${row.change?.subject}`;

/** The row with what became of it, if another was performed in its place. */
export function withOutcome(row: Row): Row {
	const { itemIndex, number, parameters, replacedBy } = row;
	return replacedBy ? { ...replacedBy, itemIndex, number, parameters } : row;
}

export function hasFailed({ error }: Row): boolean {
	return error !== undefined;
}
