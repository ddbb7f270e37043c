import { memoize, reject } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import { note, OPEN, recall, type RowState } from '../journal/journal';
import { type Asked, toChange, toOutput } from './asked';
import type { Execute, InputItem, OperationRun } from './operation';
import {
	type CheckedRow,
	type Division,
	isInvalid,
	type Row,
	type Settled,
	toRows,
	type ValidRow,
} from './row';
import { failedItem, invalidError, stoppedError } from './rowErrors';
import { firstFailed, sendRows } from './send';

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
		const toSend = unique.filter((row) => before.get(row)!.is !== 'done');
		const replies = await sendRows(run, toSend, batchSize);

		const settle = (row: CheckedRow): Settled => {
			if (isInvalid(row)) return { row, sentRow: row, state: OPEN, error: row.error };
			const sentRow = sentFor(row);
			// What an earlier attempt has done was not sent.
			const reply = replies.get(sentRow) ?? { state: OPEN };
			const state = stateAfter(before.get(sentRow)!, reply.state);
			return { row, sentRow, state, error: reply.error };
		};
		const settled = checked.map(settle);
		for (const { row, state } of settled)
			if (!isInvalid(row) && row.change && replies.has(row)) note(run.journal, row.change, state);
		const failed = firstFailed(replies);
		if (failed && !run.continueOnFail) throw stoppedError(run, settle(failed), settled);
		return settled.flatMap((row) => toItems(run, handler, row));
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
	try {
		const asked = read(row.source);
		const client = await run.session.clientFor(row.itemIndex);
		return { ...row, asked, client, change: toChange(run, asked, row.itemIndex, client.service) };
	} catch (error) {
		return { ...row, error };
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

/**
 * What has become of a row by earlier attempts and this one. Only success ends `unknown`. What was done with other values
 * stays `outdated` if its correction was rejected, or was not sent.
 */
function stateAfter(before: RowState, now: RowState): RowState {
	if (now.is === 'done') return now;
	if (now.is === 'open' || before.is === 'unknown') return before;
	return now.is === 'rejected' && before.is === 'outdated' ? before : now;
}

function toItems(
	run: OperationRun,
	{ emailOf }: RowHandler,
	settled: Settled,
): INodeExecutionData[] {
	const { row, sentRow, state } = settled;
	if (isInvalid(sentRow) || state.is !== 'done') return [failedItem(run, settled, emailOf)];
	return toOutput(sentRow.asked, state).map((json) => {
		// Retry On Fail would take an item with such a field, if the service returned it, for a failure.
		delete json.error;
		return { json, pairedItem: { item: row.itemIndex } };
	});
}
