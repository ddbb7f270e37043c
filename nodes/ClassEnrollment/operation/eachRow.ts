import partition from 'lodash/partition';
import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import { note, OPEN, recall, type RowState } from '../journal/journal';
import { type Asked, toChange, toOutput } from './asked';
import type { Execute, InputItem, OperationRun } from './operation';
import {
	type Division,
	type InvalidRow,
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
	/** Says how the items are divided; throws InvalidValueError if they contradict each other. */
	divide(items: InputItem[]): Division<Source>;
	/** Returns what a row asks for; throws InvalidValueError if a value cannot be used. */
	read(source: Source, run: OperationRun): Asked;
	/** Returns the address of a row's student, as it was entered, where the rows are not the items. */
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
		const { journal, continueOnFail } = run;
		const { rows, batchPolicy } = toRows(run.items, handler.divide);
		const checked: Array<InvalidRow | ValidRow> = [];
		for (const row of rows) checked.push(await check(run, handler as RowHandler, row));
		const [invalid, valid] = partition(checked, isInvalid);
		if (invalid.length > 0 && !continueOnFail) throw invalidError(run, invalid, rows.length);

		/** The row that is sent for those with the same targets: the last one. */
		const sentFor = new Map(valid.map((row) => [targetsOf(row), row]));
		const unique = valid.filter((row) => sentFor.get(targetsOf(row)) === row);
		const before = recall(
			journal,
			unique.flatMap(({ change }) => change ?? []),
		);
		const beforeOf = ({ change }: ValidRow) => before.get(change) ?? OPEN;
		const toSend = unique.filter((row) => beforeOf(row).is !== 'done');
		const replies = await sendRows(run, toSend, batchPolicy);
		const settle = (row: InvalidRow | ValidRow): Settled => {
			if (isInvalid(row)) return { row, sent: row, state: OPEN, error: row.error };
			const sent = sentFor.get(targetsOf(row))!;
			const { state, error } = replies.get(sent) ?? { state: OPEN };
			return { row, sent, state: stateAfter(beforeOf(sent), state), error };
		};
		for (const row of toSend) if (row.change) note(journal, row.change, settle(row).state);
		const failed = firstFailed(replies);
		const settled = checked.map(settle);
		if (failed && !continueOnFail) throw stoppedError(run, settle(failed), settled);
		return settled.flatMap((row) => toItems(run, handler, row));
	};
}

/** Of rows with the same ones, only the last is sent. What only reads has none. */
const targetsOf = (row: ValidRow) => row.change?.targets.join() ?? row;

/** Reads what a row asks for. */
async function check(
	run: OperationRun,
	{ read }: RowHandler,
	row: Row | InvalidRow,
): Promise<InvalidRow | ValidRow> {
	if (isInvalid(row)) return row;
	try {
		const asked = read(row.source, run);
		const client = await run.session.clientFor(row.itemIndex);
		return { ...row, asked, client, change: toChange(run, asked, row.itemIndex, client.service) };
	} catch (error) {
		return { ...row, error };
	}
}

/**
 * What has become of a row that earlier tries have made `before` (at the left) of, and this one `now` (above):
 *
 * | before     | `done` | `open`     | `rejected` | `rejectedInPart` | `unknown` |
 * | ---------- | ------ | ---------- | ---------- | ---------------- | --------- |
 * | `open`     | `done` | `open`     | `rejected` | `rejectedInPart` | `unknown` |
 * | `outdated` | `done` | `outdated` | `outdated` | `rejectedInPart` | `unknown` |
 * | `unknown`  | `done` | `unknown`  | `unknown`  | `unknown`        | `unknown` |
 *
 * What is `done` is not sent again, and what was rejected in part is `unknown` to the next try. What is unknown stays so until
 * a try succeeds; what was done stays done when a correction of it is rejected.
 */
function stateAfter(before: RowState, now: RowState): RowState {
	if (now.is === 'done') return now;
	if (now.is === 'open' || before.is === 'unknown') return before;
	return now.is === 'rejected' && before.is === 'outdated' ? before : now;
}

/** Returns what comes out of a row: its output items, or its error. */
function toItems(
	run: OperationRun,
	{ emailOf }: RowHandler,
	settled: Settled,
): INodeExecutionData[] {
	const { row, sent, state } = settled;
	if (isInvalid(sent) || state.is !== 'done') return [failedItem(run, settled, emailOf)];
	return toOutput(sent.asked, state).map((json) => {
		// n8n would take such a field, if the service returned it, for a failure.
		delete json.error;
		return { json, pairedItem: { item: row.itemIndex } };
	});
}
