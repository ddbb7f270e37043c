import type { NamedClient } from '../connection/session';
import type { ItemParameters } from '../fields/parameters';
import type { Change, RowOutcome } from '../journal/journal';
import type { Asked } from './asked';
import type { InputItem } from './operation';

/** What an operation handles at once: an item, or an entry of the list in it. */
export interface Row {
	itemIndex: number;
	/** Its number in the item's list, counted from 1; without it, the item itself is the row. */
	number?: number;
	/** Those of its item. */
	parameters: ItemParameters;
	/** What `read` of its operation takes. */
	source?: unknown;
}

/** A row that cannot be sent, and why. */
export interface InvalidRow extends Row {
	error: unknown;
	/** `rejected` if its own values are wrong, `notProcessed` if something is that it shares with other rows. */
	outcome: 'rejected' | 'notProcessed';
}

/** A row that has passed all checks. */
export interface ValidRow extends Row {
	asked: Asked;
	client: NamedClient;
	/** What the journal needs to know of what it changes; undefined if it only reads. */
	change?: Change;
}

export type CheckedRow = InvalidRow | ValidRow;

/** What came of a row in this attempt and earlier ones, and why it is not done. */
export type RowResult = RowOutcome & {
	row: CheckedRow;
	/** The row that was sent for it: itself, or the last one about the same student and classes. */
	sentRow: CheckedRow;
	error?: unknown;
};

/** How the items of an operation are divided into rows, and these into requests. */
export interface Division<Source = unknown> {
	/** Returns what the row of an item is read from, or an array of that for its list; throws InvalidValueError without any. */
	sourcesOf: (item: InputItem) => Source | Source[];
	/** The most rows of a class in one request. Without it, each row is one, and those of a student follow each other. */
	batchSize?: number;
}

export const isInvalid = (row: Row): row is InvalidRow => 'error' in row;

/**
 * Returns the rows of all items. Where what they have in common cannot be used, each item is an invalid row.
 * @param divide says how the items are divided; throws InvalidValueError if what they share cannot be used
 */
export function toRows(
	items: InputItem[],
	divide: (items: InputItem[]) => Division,
): { rows: Array<Row | InvalidRow>; batchSize?: number } {
	try {
		const { sourcesOf, batchSize } = divide(items);
		return { rows: items.flatMap((item) => rowsOf(item, sourcesOf)), batchSize };
	} catch (error) {
		return { rows: items.map((item) => ({ ...item, error, outcome: 'notProcessed' })) };
	}
}

function rowsOf(item: InputItem, sourcesOf: Division['sourcesOf']): Array<Row | InvalidRow> {
	const { itemIndex, parameters } = item;
	try {
		const found = sourcesOf(item);
		if (!Array.isArray(found)) return [{ itemIndex, parameters, source: found }];
		return found.map((source: unknown, n) => ({ itemIndex, number: n + 1, parameters, source }));
	} catch (error) {
		return [{ itemIndex, parameters, error, outcome: 'rejected' }];
	}
}
