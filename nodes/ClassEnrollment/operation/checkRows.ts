import { attempt, forEachRight } from 'lodash';
import { isBlank } from '../values/text';
import type { RowHandler } from './eachRow';
import type { OperationRun } from './operation';
import {
	type CheckedRow,
	type FoundRow,
	type InvalidRow,
	isInvalid,
	type RowsOf,
	type ValidRow,
} from './row';
import { invalidError } from './rowErrors';
import { changeOf } from './rowRequest';

/** Reads the requests of all rows. Without "continue on fail", it throws if one of them is invalid. */
export function checkRows(run: OperationRun, handler: RowHandler, rowsOf: RowsOf): CheckedRow[] {
	const check = (row: FoundRow | InvalidRow) =>
		isInvalid(row) ? row : checkRow(run, handler, row);
	const checked = run.items.flatMap((item) => rowsOf(item).map(check));
	const invalid = checked.filter(isInvalid);
	if (invalid.length > 0 && !run.continueOnFail) throw invalidError(run, invalid, checked.length);
	return checked;
}

function checkRow(
	run: OperationRun,
	{ read, emailOf }: RowHandler,
	{ item, number, source }: FoundRow,
): CheckedRow {
	let outcome: InvalidRow['outcome'] = 'rejected';
	try {
		const request = read(source);
		// What can fail from here on is not this row's own.
		outcome = 'notProcessed';
		const client = run.session.clientFor(item.itemIndex);
		const change = changeOf(run, request, item.itemIndex, client.service);
		return { item, number, request, client, change };
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
	const keyOf = (row: ValidRow) => row.change?.targets.join() ?? row;
	const last = new Map<unknown, ValidRow>();
	const replacements = new Map<ValidRow, ValidRow>();
	forEachRight(rows, (row) => {
		if (isInvalid(row)) return;
		const key = keyOf(row);
		const later = last.get(key);
		if (later) replacements.set(row, later);
		else last.set(key, row);
	});
	const unique = [...last.values()].reverse();
	return { unique, sentRowOf: (row: ValidRow) => replacements.get(row) ?? row };
}
