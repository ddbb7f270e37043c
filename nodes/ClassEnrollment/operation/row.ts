import type { NamedClient } from '../connection/clients';
import type { Change, RowResult } from '../journal/journal';
import type { RowRequest } from './rowRequest';
import type { InputItem } from './operation';

/** An item, or an entry of the list in it. */
export interface Row {
	item: InputItem;
	/** Counted from 1; without it, the item itself is the row. */
	numberInList?: number;
	/** The student's address as it was entered, trimmed, if there is one. */
	email?: string;
}

/** A row that cannot be sent, and why. */
export interface InvalidRow extends Row {
	error: unknown;
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

export const isInvalid = (row: Row): row is InvalidRow => 'error' in row;
