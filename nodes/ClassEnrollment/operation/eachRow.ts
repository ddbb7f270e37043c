import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import { record, type RowResult } from '../journal/journal';
import { recall } from '../journal/recall';
import { combineOutcomes } from '../transport/outcome';
import { checkRows, deduplicate, type FindRows, type FoundRow } from './checkRows';
import type { Execute, InputItem, OperationRun } from './operation';
import { type CheckedRow, type FinishedRow, isInvalid } from './row';
import { failedItem, stoppedError } from './rowErrors';
import { type RowRequest, toOutput } from './rowRequest';
import { firstFailed, sendRows } from './send';

/** An operation whose rows are the input items, one request for each; see `eachRow`. */
export function eachItem(read: (parameters: ItemParameters) => RowRequest): Execute {
	const rowOf = (item: InputItem): FoundRow => {
		return { read: () => read(item), enteredEmail: () => item.get('email') };
	};
	return eachRow(() => ({ rowsOf: (item) => [rowOf(item)] }));
}

/**
 * An operation that handles the input items, or the entries of their lists, one by one or in batches: it checks all of
 * them, drops repeated ones, recalls what earlier attempts have done, sends the rest, and records it. With "continue on
 * fail" each row that fails becomes an error item; otherwise nothing more is started after the first, and its error says
 * what was done.
 */
export function eachRow(findRows: FindRows): Execute {
	return async (run) => {
		const { rows, batchSize } = checkRows(run, findRows);
		const { unique, sentRowOf } = deduplicate(rows);
		const earlier = recall(run.journal, unique);
		const toSend = unique.filter((row) => earlier.get(row)?.outcome !== 'done');
		const sent = await sendRows(run, toSend, batchSize);
		sent.forEach((result, { change }) => {
			if (change) record(run.journal, change, result);
		});

		const finish = (row: CheckedRow): FinishedRow => {
			if (isInvalid(row)) return { row, sentRow: row, result: row };
			const sentRow = sentRowOf(row);
			return { row, sentRow, result: combine(earlier.get(sentRow), sent.get(sentRow))! };
		};
		const failed = firstFailed(sent);
		if (failed && !run.continueOnFail) throw stoppedError(run, finish(failed), rows.map(finish));
		return rows.flatMap((row) => toItems(run, finish(row)));
	};
}

/** Combines the results of earlier attempts and of this one. */
function combine(earlier?: RowResult, now?: RowResult): RowResult | undefined {
	if (!now) return earlier;
	const outcome = combineOutcomes(earlier?.outcome, now.outcome);
	return outcome === 'unknown' ? { outcome, error: now.error } : now;
}

function toItems(run: OperationRun, finished: FinishedRow): INodeExecutionData[] {
	const { row, sentRow, result } = finished;
	if (isInvalid(sentRow) || result.outcome !== 'done') return [failedItem(run, finished)];
	return toOutput(run.operation, sentRow.request, result.receipt).map((json) => {
		// Retry On Fail would take an item with such a field, if the service returned it, for a failure.
		delete json.error;
		return { json, pairedItem: { item: row.item.itemIndex } };
	});
}
