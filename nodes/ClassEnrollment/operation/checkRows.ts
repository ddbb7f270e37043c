import { attempt } from 'lodash';
import { assertNoTemplates } from '../fields/fixedValues';
import { isBlank } from '../values/text';
import type { InputItem, OperationRun } from './operation';
import { type CheckedRow, type InvalidRow, isInvalid, type Row, type ValidRow } from './row';
import { invalidError } from './rowErrors';
import { changeOf, type RowRequest, type WriteRequest } from './rowRequest';

/** How an operation handles its rows: the input items, or the entries of a list in each of them. */
export interface RowHandler<Source = unknown> {
	/** Returns where the rows come from; throws InvalidValueError if a parameter that the items share is invalid. */
	findSources(items: InputItem[]): RowSources<Source>;
	/** Returns the request of a row; throws InvalidValueError if a value is invalid. */
	read(source: Source): RowRequest;
	/** Returns the student's address as entered: the error of the row begins with it. */
	emailOf?(source: Source): unknown;
}

/** Where the rows of the items come from, and how many go into a request. */
export interface RowSources<Source = unknown> {
	/** Returns the source of an item's only row, or an array with the sources of its rows; throws InvalidValueError if there are none. */
	sourcesIn: (item: InputItem) => Source | Source[];
	/** The most rows of a class in one request. Without it, each row is a request, and those of a student follow each other. */
	batchSize?: number;
}

interface CheckedRows extends Pick<RowSources, 'batchSize'> {
	rows: CheckedRow[];
}

/** Checks the rows of all items, and reads their requests. Without "continue on fail", it throws if one of them is invalid. */
export function checkRows(run: OperationRun, handler: RowHandler): CheckedRows {
	const checked = checkItems(run, handler);
	const invalid = checked.rows.filter(isInvalid);
	if (invalid.length === 0 || run.continueOnFail) return checked;
	throw invalidError(run, invalid, checked.rows.length);
}

/** If a parameter that the items share is invalid, each item is an invalid row. */
function checkItems(run: OperationRun, handler: RowHandler): CheckedRows {
	const { items, node, operation } = run;
	try {
		assertNoTemplates(operation.fields, node.parameters);
		const { sourcesIn, batchSize } = handler.findSources(items);
		return { rows: items.flatMap((item) => checkItem(run, handler, item, sourcesIn)), batchSize };
	} catch (error) {
		return { rows: items.map((item) => ({ item, error, outcome: 'notProcessed' })) };
	}
}

function checkItem(
	run: OperationRun,
	handler: RowHandler,
	item: InputItem,
	sourcesIn: RowSources['sourcesIn'],
): CheckedRow[] {
	try {
		const sources = sourcesIn(item);
		if (!Array.isArray(sources)) return [checkRow(run, handler, sources, { item })];
		return sources.map((source: unknown, n) =>
			checkRow(run, handler, source, { item, number: n + 1 }),
		);
	} catch (error) {
		return [{ item, error, outcome: 'rejected' }];
	}
}

function checkRow(
	run: OperationRun,
	{ read, emailOf }: RowHandler,
	source: unknown,
	{ item, number }: Row,
): CheckedRow {
	let outcome: InvalidRow['outcome'] = 'rejected';
	try {
		const request = read(source);
		const { email } = request as Partial<WriteRequest>;
		// What can fail from here on is not this row's own.
		outcome = 'notProcessed';
		const client = run.session.clientFor(item.itemIndex);
		const change = changeOf(run, request, item.itemIndex, client.service);
		return { item, number, email, request, client, change };
	} catch (error) {
		return { item, number, error, outcome, email: enteredEmail(() => emailOf?.(source)) };
	}
}

/** Returns an address as it was entered, trimmed; undefined if there is none. */
function enteredEmail(read: () => unknown): string | undefined {
	// An Error, where it cannot be read.
	const email: unknown = attempt(read);
	return typeof email === 'string' && !isBlank(email) ? email.trim() : undefined;
}

/**
 * Finds the rows to be sent: of those with the same targets only the last one. Each read is sent.
 * @returns these, and a function that returns the row that is sent for a row
 */
export function deduplicate(rows: CheckedRow[]) {
	const valid = rows.filter((row): row is ValidRow => !isInvalid(row));
	const keyOf = (row: ValidRow) => row.change?.targets.join() ?? row;
	const last = new Map(valid.map((row) => [keyOf(row), row]));
	const sentRowOf = (row: ValidRow) => last.get(keyOf(row))!;
	return { unique: valid.filter((row) => sentRowOf(row) === row), sentRowOf };
}
