import chunk from 'lodash/chunk';
import type { NamedClient } from '../connection/session';
import type { ItemParameters } from '../fields/parameters';
import type { Change, RowState } from '../journal/journal';
import type { Asked, JoinBodies, Writing } from './asked';
import type { InputItem } from './operation';

/** A row, and what became of it. */
export interface Row {
	itemIndex: number;
	/** Its number in the item's list, counted from 1; without it, the item itself is the row. */
	number?: number;
	/** Those of its item. */
	parameters: ItemParameters;
	/** Where it is read from. */
	source?: unknown;
	/** What it asks for, once it has passed all checks. */
	asked?: Asked;
	client?: NamedClient;
	/** What the journal needs to know of what it changes; undefined if it only reads. */
	change?: Change;
	/** The last row about the same student and classes, which is sent in its place. */
	replacedBy?: Row;
	/** What had become of it before this try. */
	recalled?: RowState;
	state: RowState;
	/** Why it cannot be done, or was not. */
	error?: unknown;
}

/** One request for many rows of the same client and class. */
export interface BatchPolicy {
	/** The most rows in one. */
	size: number;
	join: JoinBodies;
}

/** How the items of an operation are divided into rows, and these into requests. */
export interface Division<Source = unknown> {
	/** Returns what the row of an item, or each row of its list, is read from; throws InvalidValueError if there is none. */
	sourcesOf: (item: InputItem) => Source | Source[];
	/** Without it, each row is a request, those about the same student one after another. */
	batchPolicy?: BatchPolicy;
}

// So that 100 rows that are all rejected take at most about 120 requests, and one among them about 20 (docs/how-it-works.md).
const MAX_SENT_ONE_BY_ONE = 16;
const OPEN: RowState = { is: 'open' };

/**
 * Returns the rows of all items. Where what they have in common cannot be used, each item is an invalid row.
 * @param divide says how the items are divided; throws InvalidValueError if they contradict each other
 */
export function toRows(
	items: InputItem[],
	divide: (items: InputItem[]) => Division,
): { rows: Row[]; batchPolicy?: BatchPolicy } {
	try {
		const { sourcesOf, batchPolicy } = divide(items);
		return { rows: items.flatMap((item) => rowsOf(item, sourcesOf)), batchPolicy };
	} catch (error) {
		return { rows: items.map((item) => ({ ...toRow(item), error })) };
	}
}

function rowsOf(item: InputItem, sourcesOf: Division['sourcesOf']): Row[] {
	try {
		const found = sourcesOf(item);
		if (!Array.isArray(found)) return [toRow(item, found)];
		return found.map((source: unknown, index) => toRow(item, source, index + 1));
	} catch (error) {
		return [{ ...toRow(item), error }];
	}
}

function toRow({ itemIndex, parameters }: InputItem, source?: unknown, number?: number): Row {
	return { itemIndex, number, parameters, source, state: OPEN };
}

/** Marks the rows in whose place a later one is sent: about the same student, and the same class or classes. */
export function markReplaced(rows: Row[]): void {
	const changing = rows.filter(({ change }) => change);
	for (const group of groupRows(changing, ({ change }) => change!.targets.join())) {
		for (const row of group.slice(0, -1)) row.replacedBy = group.at(-1);
	}
}

/** Divides the rows into jobs, which may be performed at the same time: batches that follow each other. */
export function toJobs(rows: Row[], batchPolicy?: BatchPolicy): Row[][][] {
	if (batchPolicy) {
		const batches = groupByRequest(rows).flatMap((group) => chunk(group, batchPolicy.size));
		return batches.map((batch) => [batch]);
	}
	const groups = groupRows(rows, ({ change, itemIndex }) => change?.email ?? itemIndex);
	return groups.map((group) => chunk(group, 1));
}

/**
 * Divides a batch that was refused in halves, and at last into single rows, so that everything that the service accepts
 * is done, and everything else fails with what the service said about it.
 */
export function divideBatch(batch: Row[]): Row[][] {
	return chunk(batch, batch.length > MAX_SENT_ONE_BY_ONE ? Math.ceil(batch.length / 2) : 1);
}

/** Groups the rows that one request may contain: changes with the same client and class. */
function groupByRequest(rows: Row[]): Row[][] {
	return groupRows(rows, ({ client }) => client).flatMap((ofClient) =>
		groupRows(ofClient, ({ asked }) => (asked as Writing).classId),
	);
}

/** Groups rows by anything; lodash would make a text of it for each row. */
function groupRows(rows: Row[], keyOf: (row: Row) => unknown): Row[][] {
	const groups = new Map<unknown, Row[]>();
	for (const row of rows) {
		const key = keyOf(row);
		const group = groups.get(key);
		if (group) group.push(row);
		else groups.set(key, [row]);
	}
	return [...groups.values()];
}
