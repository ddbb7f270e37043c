import { memoize, pick, reject } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import { assertNoTemplates } from '../fields/fixedValues';
import type { ItemParameters } from '../fields/parameters';
import { record, type RowResult } from '../journal/journal';
import { recall } from '../journal/recall';
import { type RowRequest, changeOf, toOutput } from './rowRequest';
import type { Execute, InputItem, OperationRun } from './operation';
import {
	type CheckedRow,
	type RowSource,
	type InvalidRow,
	isInvalid,
	type Row,
	type FinishedRow,
	toRows,
	type ValidRow,
} from './row';
import { failedItem, invalidError, stoppedError } from './rowErrors';
import { firstFailed, sendRows } from './send';

/** How an operation handles its rows: the input items, or the entries of a list in each of them. */
export interface RowHandler<Source = unknown> {
	/** Returns where the rows come from; throws InvalidValueError if a parameter that the items share is invalid. */
	divide(items: InputItem[]): RowSource<Source>;
	/** Returns the request of a row; throws InvalidValueError if a value is invalid. */
	read(source: Source): RowRequest;
	/** Returns the student's address as entered: the error of the row begins with it. */
	emailOf?(source: Source): unknown;
}

/** An operation whose rows are the input items, one request for each; see `eachRow`. */
export function eachItem(read: RowHandler<ItemParameters>['read']): Execute {
	return eachRow({ divide: () => ({ rowsIn: ({ parameters }) => parameters }), read });
}

/**
 * An operation that handles the input items, or the entries of their lists, one by one or in batches. All are checked
 * before the first request. With "continue on fail" each row that fails becomes an error item; otherwise nothing more is
 * started after the first, and its error says what was done.
 */
export function eachRow<Source>(handler: RowHandler<Source>): Execute {
	return async (run) => {
		const { rows, batchSize } = toRows(run.items, (items) => {
			assertNoTemplates(run.operation.fields, run.node.parameters);
			return handler.divide(items);
		});
		const checked = await checkAll(run, handler, rows);
		const { unique, representativeOf } = deduplicate(checked);
		const before = recall(run.journal, unique);
		const toSend = unique.filter((row) => before.get(row)!.outcome !== 'done');
		const sent = await sendRows(run, toSend, batchSize);
		for (const [{ change }, result] of sent) if (change) record(run.journal, change, result);

		const resultOf = (row: CheckedRow): FinishedRow => {
			if (isInvalid(row)) return { ...pick(row, 'outcome', 'error'), row, sentRow: row };
			const sentRow = representativeOf(row);
			return { row, sentRow, ...combine(before.get(sentRow)!, sent.get(sentRow)) };
		};
		const results = checked.map(resultOf);
		const failed = firstFailed(sent);
		if (failed && !run.continueOnFail) throw stoppedError(run, resultOf(failed), results);
		return results.flatMap((result) => toItems(run, handler, result));
	};
}

/** Reads the requests of all rows. Without "continue on fail", it throws if one of them is invalid. */
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
		const request = read(row.source);
		outcome = 'notProcessed';
		const client = await run.session.clientFor(row.itemIndex);
		return {
			...row,
			request,
			client,
			change: changeOf(run, request, row.itemIndex, client.service),
		};
	} catch (error) {
		return { ...row, error, outcome };
	}
}

/** Of the rows with the same targets, chooses the last one to represent the others. Each read represents itself. */
function deduplicate(rows: CheckedRow[]) {
	const keyOf = memoize((row: ValidRow) => row.change?.targets.join() ?? row);
	const valid = reject(rows, isInvalid) as ValidRow[];
	const last = new Map(valid.map((row) => [keyOf(row), row]));
	const representativeOf = (row: ValidRow) => last.get(keyOf(row))!;
	return { unique: valid.filter((row) => representativeOf(row) === row), representativeOf };
}

/** Combines the results of earlier attempts and of this one: only success ends `unknown`. */
function combine(before: RowResult, now?: RowResult): RowResult {
	if (!now || now.outcome === 'done' || before.outcome !== 'unknown') return now ?? before;
	return { outcome: 'unknown', error: now.error };
}

function toItems(
	run: OperationRun,
	{ emailOf }: RowHandler,
	result: FinishedRow,
): INodeExecutionData[] {
	const { row, sentRow } = result;
	if (isInvalid(sentRow) || result.outcome !== 'done') return [failedItem(run, result, emailOf)];
	return toOutput(sentRow.request, result.done).map((json) => {
		// Retry On Fail would take an item with such a field, if the service returned it, for a failure.
		delete json.error;
		return { json, pairedItem: { item: row.itemIndex } };
	});
}
