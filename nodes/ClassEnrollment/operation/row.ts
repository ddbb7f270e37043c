import type { NamedClient } from '../connection/session';
import type { Change, RowResult } from '../journal/journal';
import type { RowRequest } from './rowRequest';
import type { InputItem } from './operation';

/** An item, or an entry of the list in it. */
export interface Row {
	item: InputItem;
	/** Its number in the item's list, counted from 1; without it, the item itself is the row. */
	number?: number;
}

/** A row with what its request is read from: the argument of `read` of its operation. */
export interface FoundRow extends Row {
	source: unknown;
}

/** A row that cannot be sent, and why. */
export interface InvalidRow extends Row {
	error: unknown;
	/** The student's address as it was entered, trimmed, if there is one. */
	email?: string;
	/** `rejected` if its own values are wrong, `notProcessed` if something is that it shares with other rows. */
	outcome: 'rejected' | 'notProcessed';
}

/** A row that has passed all checks. */
export interface ValidRow extends Row {
	request: RowRequest;
	client: NamedClient;
	/** Its change, for the journal; undefined if it only reads. */
	change?: Change;
}

export type CheckedRow = InvalidRow | ValidRow;

export interface FinishedRow {
	row: CheckedRow;
	/** The row that was sent for it: itself, or the last one about the same student and classes. */
	sentRow: CheckedRow;
	/** Its result in this attempt and earlier ones. */
	result: RowResult;
}

/** Where the rows of the items come from, and how many go into a request. */
export interface RowSources<Source = unknown> {
	/** Returns the source of an item's only row, or an array with the sources of its rows; throws InvalidValueError if there are none. */
	sourcesIn: (item: InputItem) => Source | Source[];
	/** The most rows of a class in one request. Without it, each row is a request, and those of a student follow each other. */
	batchSize?: number;
}

/** Returns the rows of an item. */
export type RowsOf = (item: InputItem) => Array<FoundRow | InvalidRow>;

export const isInvalid = (row: Row): row is InvalidRow => 'error' in row;

/**
 * Looks for the rows of the items. If a parameter that they share is invalid, each item is an invalid row.
 * @param findSources returns where the rows come from; throws InvalidValueError if a shared parameter is invalid
 */
export function findRows(
	items: InputItem[],
	findSources: (items: InputItem[]) => RowSources,
): { rowsOf: RowsOf; batchSize?: number } {
	try {
		const { sourcesIn, batchSize } = findSources(items);
		return { rowsOf: (item) => rowsFrom(item, sourcesIn), batchSize };
	} catch (error) {
		return { rowsOf: (item) => [{ item, error, outcome: 'notProcessed' }] };
	}
}

function rowsFrom(item: InputItem, sourcesIn: RowSources['sourcesIn']): ReturnType<RowsOf> {
	try {
		const found = sourcesIn(item);
		if (!Array.isArray(found)) return [{ item, source: found }];
		return found.map((source: unknown, n) => ({ item, number: n + 1, source }));
	} catch (error) {
		return [{ item, error, outcome: 'rejected' }];
	}
}
