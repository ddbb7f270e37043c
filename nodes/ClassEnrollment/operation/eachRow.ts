import { memoize, pick, reject } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import { recall, record, type RowOutcome } from '../journal/journal';
import { type Asked, toChange, toOutput } from './asked';
import type { Execute, InputItem, OperationRun } from './operation';
import {
	type CheckedRow,
	type Division,
	type InvalidRow,
	isInvalid,
	type Row,
	type RowResult,
	toRows,
	type ValidRow,
} from './row';
import { failedItem, invalidError, stoppedError } from './rowErrors';
import { firstFailed, sendRows, type SendResult } from './send';

/** How an operation handles its rows: the input items, or the entries of a list in each of them. */
export interface RowHandler<Source = unknown> {
	/** Says how the items are divided; throws InvalidValueError if what they share cannot be used. */
	divide(items: InputItem[]): Division<Source>;
	/** Returns what a row asks for; throws InvalidValueError if a value cannot be used. */
	read(source: Source): Asked;
	/** Returns the address of a row's student, as it was entered, with which its error is to begin. */
	emailOf?(source: Source): unknown;
}

/** An operation whose rows are the input items, one request for each; see `eachRow`. */
export function eachItem(read: RowHandler<ItemParameters>['read']): Execute {
	return eachRow({ divide: () => ({ sourcesOf: ({ parameters }) => parameters }), read });
}

/**
 * An operation that handles the input items, or the entries of their lists, one by one or in batches. All are checked
 * before the first request. With "continue on fail" each row that fails becomes an error item; otherwise nothing more is
 * started after the first, and its error says what was done.
 */
export function eachRow<Source>(handler: RowHandler<Source>): Execute {
	return async (run) => {
		const { rows, batchSize } = toRows(run.items, handler.divide);
		const checked = await checkAll(run, handler as RowHandler, rows);
		const { unique, sentFor } = chooseLast(checked);
		const before = recall(run.journal, unique);
		const toSend = unique.filter((row) => before.get(row)!.outcome !== 'done');
		const sent = await sendRows(run, toSend, batchSize);
		for (const [{ change }, result] of sent) if (change) record(run.journal, change, result);

		const resultOf = (row: CheckedRow): RowResult => {
			if (isInvalid(row)) return { ...pick(row, 'outcome', 'error'), row, sentRow: row };
			const sentRow = sentFor(row);
			return { row, sentRow, ...combine(before.get(sentRow)!, sent.get(sentRow)) };
		};
		const results = checked.map(resultOf);
		const failed = firstFailed(sent);
		if (failed && !run.continueOnFail) throw stoppedError(run, resultOf(failed), results);
		return results.flatMap((result) => toItems(run, handler, result));
	};
}

/** Reads what all rows ask for. Without "continue on fail", it throws if one of them is invalid. */
async function checkAll(run: OperationRun, handler: RowHandler, rows: Row[]) {
	const checked: CheckedRow[] = [];
	for (const row of rows) checked.push(isInvalid(row) ? row : await check(run, handler, row));
	const invalid = checked.filter(isInvalid);
	if (invalid.length > 0 && !run.continueOnFail) throw invalidError(run, invalid, rows.length);
	return checked;
}

async function check(run: OperationRun, { read }: RowHandler, row: Row): Promise<CheckedRow> {
	let outcome: InvalidRow['outcome'] = 'rejected';
	try {
		const asked = read(row.source);
		outcome = 'notProcessed';
		const client = await run.session.clientFor(row.itemIndex);
		return { ...row, asked, client, change: toChange(run, asked, row.itemIndex, client.service) };
	} catch (error) {
		return { ...row, error, outcome };
	}
}

/** Of the rows with the same targets, chooses the last one, which is sent for all of them. A read is its own key. */
function chooseLast(rows: CheckedRow[]) {
	const keyOf = memoize((row: ValidRow) => row.change?.targets.join() ?? row);
	const valid = reject(rows, isInvalid) as ValidRow[];
	const last = new Map(valid.map((row) => [keyOf(row), row]));
	const sentFor = (row: ValidRow) => last.get(keyOf(row))!;
	return { unique: valid.filter((row) => sentFor(row) === row), sentFor };
}

/** What is certain after this attempt: only success ends the doubt that an earlier one left. */
function combine(before: RowOutcome, now?: SendResult): SendResult {
	if (!now || now.outcome === 'done' || before.outcome !== 'unknown') return now ?? before;
	return { outcome: 'unknown', error: now.error };
}

function toItems(
	run: OperationRun,
	{ emailOf }: RowHandler,
	result: RowResult,
): INodeExecutionData[] {
	const { row, sentRow } = result;
	if (isInvalid(sentRow) || result.outcome !== 'done') return [failedItem(run, result, emailOf)];
	return toOutput(sentRow.asked, result.done).map((json) => {
		// Retry On Fail would take an item with such a field, if the service returned it, for a failure.
		delete json.error;
		return { json, pairedItem: { item: row.itemIndex } };
	});
}
