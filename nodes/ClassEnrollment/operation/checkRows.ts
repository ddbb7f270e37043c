import { attempt } from 'lodash';
import { assertNoTemplates } from '../fields/templates';
import { isBlank } from '../values/text';
import type { InputItem, OperationRun } from './operation';
import { type CheckedRow, type InvalidRow, isInvalid, type Row, type ValidRow } from './row';
import { invalidError } from './rowErrors';
import { changeOf, type RowRequest, type WriteRequest } from './rowRequest';

/** Finds the rows of the input items; throws InvalidValueError if a parameter that the items share is invalid. */
export type FindRows = (items: InputItem[]) => FoundRows;

export interface FoundRows {
	/** Returns the rows of an item; throws InvalidValueError if there are none. */
	rowsOf: (item: InputItem) => FoundRow[];
	/** The most rows of a class in one request. Without it, each row is a request, and those of a student follow each other. */
	batchSize?: number;
}

/** A row that is not read yet. */
export interface FoundRow extends Pick<Row, 'numberInList'> {
	/** Returns its request; throws InvalidValueError if a value is invalid. */
	read: () => RowRequest;
	/** Returns the student's address as it was entered, with which the error of an invalid row begins. */
	enteredEmail: () => unknown;
}

/** Checks the rows of all items, and reads their requests. Without "continue on fail", it throws if one of them is invalid. */
export function checkRows(run: OperationRun, findRows: FindRows) {
	const { rows, batchSize } = checkItems(run, findRows);
	const invalid = rows.filter(isInvalid);
	if (invalid.length > 0 && !run.continueOnFail) throw invalidError(run, invalid, rows.length);
	return { rows, batchSize };
}

/** If a parameter that the items share is invalid, each item is an invalid row. */
function checkItems(
	run: OperationRun,
	findRows: FindRows,
): { rows: CheckedRow[]; batchSize?: number } {
	const { items, node, operation } = run;
	try {
		assertNoTemplates(operation.fields, node.parameters);
		const { rowsOf, batchSize } = findRows(items);
		return { rows: items.flatMap((item) => checkItem(run, item, rowsOf)), batchSize };
	} catch (error) {
		return { rows: items.map((item) => ({ item, error, outcome: 'notProcessed' })) };
	}
}

/** If an item has no rows, it is an invalid row itself. */
function checkItem(run: OperationRun, item: InputItem, rowsOf: FoundRows['rowsOf']): CheckedRow[] {
	try {
		return rowsOf(item).map((found) => checkRow(run, item, found));
	} catch (error) {
		return [{ item, error, outcome: 'rejected' }];
	}
}

function checkRow(
	run: OperationRun,
	item: InputItem,
	{ numberInList, read, enteredEmail }: FoundRow,
): CheckedRow {
	let outcome: InvalidRow['outcome'] = 'rejected';
	try {
		const request = read();
		const { email } = request as Partial<WriteRequest>;
		// What can fail from here on is not this row's own.
		outcome = 'notProcessed';
		const client = run.clients.forItem(item.itemIndex);
		const change = changeOf(run, request, item.itemIndex, client.serviceName);
		return { item, numberInList, email, request, client, change };
	} catch (error) {
		const entered: unknown = attempt(enteredEmail);
		const email = typeof entered === 'string' && !isBlank(entered) ? entered.trim() : undefined;
		return { item, numberInList, error, outcome, email };
	}
}

/**
 * Finds the rows to be sent. Of those with the same targets only the last one is, since the last write wins. Each read is sent.
 * @returns these, and a function that returns the row that is sent for a row
 */
export function deduplicate(rows: CheckedRow[]) {
	const valid = rows.filter((row): row is ValidRow => !isInvalid(row));
	const keyOf = (row: ValidRow) => row.change?.targets.join() ?? row;
	const last = new Map<unknown, ValidRow>();
	/** The last name of each student so far. */
	const names = new Map<unknown, unknown>();
	for (const row of valid) {
		const student = row.email?.toLowerCase();
		if (last.has(keyOf(row))) keepName(row, names.get(student));
		last.set(keyOf(row), row);
		names.set(student, row.change?.values.name ?? names.get(student));
	}
	const sentRowOf = (row: ValidRow) => last.get(keyOf(row))!;
	return { unique: valid.filter((row) => sentRowOf(row) === row), sentRowOf };
}

/** Gives a row without a name the last name of its student: sent after the row in whose place it is sent, it would change no name. */
function keepName({ request, change }: ValidRow, name: unknown): void {
	const { values } = request as WriteRequest;
	if (typeof name !== 'string' || !change || !values || values.name !== undefined) return;
	values.name = name;
	change.values.name = name;
}
