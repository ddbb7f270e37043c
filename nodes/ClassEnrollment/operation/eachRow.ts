import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { asUnknown, fateOf, isUnknown } from '../transport/serviceError';
import { type Change, valuesOf } from '../journal/change';
import { note, recall } from '../journal/journal';
import type { Execute, OperationRun } from './operation';
import {
	type Divide,
	divideBatch,
	hasFailed,
	readRows,
	type Row,
	toJobs,
	withOutcome,
	withoutReplaced,
} from './row';
import { failedItem, invalidError, stoppedError, unreadableError, type Words } from './rowErrors';

/**
 * How an operation handles its rows: the input items, or the entries of a list in each of them. These are methods, so that
 * tasks and results can be passed from one to the next without knowing what they are.
 */
export interface RowHandler<Task = unknown, Result = unknown> {
	divide: Divide<Task>;
	/** Says what a row changes; without it, the operation only reads. A retry does not repeat a change. */
	changeOf?(task: Task, itemIndex: number, service: string): Change;
	/** Does what one row asks for, or a batch of them. The result of a change must be JSON. */
	perform(client: Client, tasks: [Task, ...Task[]]): Promise<Result>;
	/**
	 * Makes the JSON of a row's output items from what came of it.
	 * @param sent what was sent about its subject, now or in an earlier try, without lists
	 */
	toOutput(task: Task, result: Result, sent: IDataObject): IDataObject[];
	/** What errors call the rows; without it, they are items that are processed. */
	words?: Words;
}

/**
 * An operation that handles the input items, or the entries of their lists, one by one or in batches. All are checked
 * before the first request. With "continue on fail" each row that fails becomes an error item; otherwise nothing more is
 * started after the first, and its error says what was done.
 */
export function eachRow<Task, Result>(
	toHandler: (run: OperationRun) => RowHandler<Task, Result>,
): Execute {
	return async (run) => {
		const handler: RowHandler = toHandler(run);
		const { words } = handler;
		const { rows, batchSize } = readRows(run.items, handler.divide);
		for (const row of rows) await check(run, handler, row);
		const invalid = rows.filter(hasFailed);
		if (invalid.length > 0 && !run.continueOnFail) throw invalidError(run, invalid, rows, words);

		const valid = rows.filter((row) => !hasFailed(row));
		const unique = batchSize === undefined ? valid : withoutReplaced(valid);
		recallRows(run, unique);
		const open = unique.filter(({ state }) => state.is !== 'done');
		const failed = await performAll(run, handler, toJobs(open, batchSize));
		// A run that succeeds needs no record, since n8n does not try again.
		if (run.isPartOfRun || invalid.length > 0 || failed) note(run.earlierTries, open);
		const settled = rows.map(withOutcome);
		if (failed && !run.continueOnFail) throw stoppedError(run, failed, settled, words);
		return settled.flatMap((row) => toItems(run, handler, row));
	};
}

/** Reads what a row asks for; a row that cannot be used gets the error. */
async function check(run: OperationRun, { changeOf }: RowHandler, row: Row): Promise<void> {
	if (hasFailed(row)) return;
	try {
		row.task = row.read?.();
		row.client = await run.session.clientFor(row.itemIndex);
		if (!changeOf) return;
		if (run.earlierTries.isUnreadable) throw unreadableError();
		row.change = changeOf(row.task, row.itemIndex, row.client.service);
	} catch (error) {
		row.error = error;
	}
}

/** Takes over what earlier tries have made of the rows. */
function recallRows({ earlierTries, isPartOfRun }: OperationRun, rows: Row[]): void {
	// Most runs are the first try, and this would take as long as everything else.
	if (earlierTries.notes.size === 0) return;
	const changes = rows.flatMap(({ change }) => change ?? []);
	const states = recall(earlierTries, changes, !isPartOfRun);
	for (const [index, state] of states.entries()) rows[index]!.state = state;
}

/** Performs the jobs; returns the first row that failed. */
async function performAll(run: OperationRun, { perform }: RowHandler, jobs: Row[][][]) {
	const { session, continueOnFail } = run;
	let failed: Row | undefined;
	const performJob = async (job: Row[][]) => {
		for (const batch of job) {
			try {
				const [first, ...others] = batch.map(({ task }) => task);
				const result = await perform(batch[0]!.client!, [first, ...others]);
				for (const row of batch) {
					row.state = { is: 'done', sent: row.change ? valuesOf(row.change) : {}, result };
				}
			} catch (error) {
				if (isUnknown(error)) for (const row of batch) row.state = { is: 'unknown' };
				if (continueOnFail && fateOf(error) === 'rejected' && batch.length > 1) {
					job.push(...divideBatch(batch));
					continue;
				}
				for (const row of batch) row.error = row.state.is === 'unknown' ? asUnknown(error) : error;
				failed ??= batch[0];
				if (!continueOnFail) session.stop();
			}
		}
	};
	await Promise.all(jobs.map(performJob));
	return failed;
}

/** Returns what comes out of a row: its output items, or its error; nothing if it was not performed. */
function toItems(run: OperationRun, { toOutput, words }: RowHandler, row: Row) {
	const { itemIndex, task, state } = row;
	if (state.is !== 'done') return hasFailed(row) ? [failedItem(run, row, words)] : [];
	return toOutput(task, state.result, state.sent).map((json) => {
		// n8n would take such a field, if the service returned it, for a failure.
		delete json.error;
		return { json, pairedItem: { item: itemIndex } };
	});
}
