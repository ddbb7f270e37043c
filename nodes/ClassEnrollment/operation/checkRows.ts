import type { RowHandler } from './eachRow';
import type { OperationRun } from './operation';
import { type CheckedRow, type InvalidRow, isInvalid, type Row, type ValidRow } from './row';
import { invalidError } from './rowErrors';
import { changeOf } from './rowRequest';

/** Reads the requests of all rows. Without "continue on fail", it throws if one of them is invalid. */
export async function checkRows(
	run: OperationRun,
	handler: RowHandler,
	rows: Row[],
): Promise<CheckedRow[]> {
	const checked: CheckedRow[] = [];
	for (const row of rows) checked.push(isInvalid(row) ? row : await checkRow(run, handler, row));
	const invalid = checked.filter(isInvalid);
	if (invalid.length > 0 && !run.continueOnFail) throw invalidError(run, invalid, rows.length);
	return checked;
}

async function checkRow(run: OperationRun, { read }: RowHandler, row: Row): Promise<CheckedRow> {
	const { item, number, source } = row;
	let outcome: InvalidRow['outcome'] = 'rejected';
	try {
		const request = read(source);
		// What can fail from here on is not this row's own.
		outcome = 'notProcessed';
		const client = await run.session.clientFor(item.itemIndex);
		const change = changeOf(run, request, item.itemIndex, client.service);
		return { item, number, source, request, client, change };
	} catch (error) {
		return { ...row, error, outcome };
	}
}

/**
 * Finds the rows to be sent: of those with the same targets only the last one. Each read is sent.
 * @returns these, and a function that returns the row that is sent for a row
 */
export function deduplicate(rows: CheckedRow[]) {
	const keyOf = (row: ValidRow) => row.change?.targets.join() ?? row;
	const last = new Map<unknown, ValidRow>();
	for (const row of rows) {
		if (isInvalid(row)) continue;
		const key = keyOf(row);
		// Keeps the order of the rows that are sent.
		last.delete(key);
		last.set(key, row);
	}
	return { unique: [...last.values()], sentRowOf: (row: ValidRow) => last.get(keyOf(row))! };
}
