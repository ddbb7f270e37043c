import type { IDataObject } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import type { Client } from '../transport/client';
import { asUnknown, fateOf, isUnknown } from '../transport/serviceError';
import type { Change } from './change';
import { note, recall } from './earlierTries';
import type { Execute, InputItem, OperationRun } from './operation';
import {
	type Batching,
	divide,
	hasFailed,
	readRows,
	type Row,
	toJobs,
	withOutcome,
	withoutReplaced,
} from './row';
import { failedItem, invalidError, stoppedError, unreadableError, type Words } from './rowErrors';

/** How an operation handles its rows: the input items, or the entries of a list in each of them. */
export interface RowHandler<Task, Result> {
	/**
	 * Reads how the items are divided; throws InvalidValueError if that cannot be used. Without it, an item is a row, and
	 * each row is performed by itself, those with the same subject one after another.
	 */
	readBatching?: (items: InputItem[]) => Batching;
	/** Checks the parameters of a row; throws InvalidValueError if one cannot be used. */
	read: (parameters: ItemParameters) => Task;
	/** Says what a row changes; without it, the operation only reads. A retry does not repeat a change. */
	changeOf?: (task: Task, itemIndex: number, service: string) => Change;
	/** Does what one row asks for, or a batch of them. The result of a change must be JSON. */
	perform: (client: Client, tasks: [Task, ...Task[]]) => Promise<Result>;
	/** Makes the JSON of a row's output items from what was sent, now or in an earlier try, and what came of it. */
	toOutput: (task: Task, result: Result, body: IDataObject) => IDataObject[];
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
		const handler = toHandler(run);
		const { words } = handler;
		const { rows, batchSize } = readRows(run.items, handler.readBatching);
		for (const row of rows) await check(run, handler, row);
		const invalid = rows.filter(hasFailed);
		if (invalid.length > 0 && !run.continueOnFail) throw invalidError(run, invalid, rows, words);

		const valid = rows.filter((row) => !hasFailed(row));
		const unique = batchSize === undefined ? valid : withoutReplaced(valid);
		recallRows(run, unique);
		const open = unique.filter(({ made }) => !made);
		const failed = await performAll(run, handler, toJobs(open, batchSize));
		// A run that succeeds needs no record, since n8n does not try again.
		if (run.isPartOfRun || invalid.length > 0 || failed) {
			note(run.earlierTries, run.wordingHash, unique);
		}
		const settled = rows.map(withOutcome);
		if (failed && !run.continueOnFail) throw stoppedError(run, failed, settled, words);
		return settled.flatMap((row) => {
			const { itemIndex, task, made } = row;
			if (!made) return hasFailed(row) ? [failedItem(run, row, words)] : [];
			const output = handler.toOutput(task as Task, made.result as Result, made.body);
			return output.map((json) => {
				// n8n would take such a field, if the service returned it, for a failure.
				delete json.error;
				return { json, pairedItem: { item: itemIndex } };
			});
		});
	};
}

/** Reads what a row asks for. */
async function check<Task, Result>(
	{ session, earlierTries }: OperationRun,
	{ read, changeOf }: RowHandler<Task, Result>,
	row: Row,
): Promise<void> {
	if (hasFailed(row)) return;
	try {
		const task = read(row.parameters);
		row.task = task;
		row.client = await session.clientFor(row.itemIndex);
		if (!changeOf) return;
		if (earlierTries.isUnreadable) throw unreadableError();
		row.change = changeOf(task, row.itemIndex, row.client.service);
	} catch (error) {
		row.error = error;
	}
}

/** Takes over what earlier tries have made of the rows. */
function recallRows({ earlierTries, wordingHash, isPartOfRun }: OperationRun, rows: Row[]): void {
	// Most runs are the first try, and this would take as long as everything else.
	if (earlierTries.changes.size === 0) return;
	const changes = rows.flatMap(({ change }) => change ?? []);
	const known = recall(earlierTries, wordingHash, changes, !isPartOfRun);
	for (const [index, soFar] of known.entries()) Object.assign(rows[index]!, soFar);
}

/** Performs the jobs; returns the first row that failed. */
async function performAll<Task, Result>(
	run: OperationRun,
	handler: RowHandler<Task, Result>,
	jobs: Row[][][],
): Promise<Row | undefined> {
	const { session, continueOnFail } = run;
	let failed: Row | undefined;
	const performJob = async (job: Row[][]) => {
		for (const batch of job) {
			try {
				const tasks = batch.map(({ task }) => task) as [Task, ...Task[]];
				const result = await handler.perform(batch[0]!.client!, tasks);
				for (const row of batch) row.made = { body: row.change?.body ?? {}, result };
			} catch (error) {
				if (isUnknown(error)) for (const row of batch) row.isUnknown = true;
				if (continueOnFail && fateOf(error) === 'rejected' && batch.length > 1) {
					job.push(...divide(batch));
					continue;
				}
				for (const row of batch) row.error = row.isUnknown ? asUnknown(error) : error;
				failed ??= batch[0];
				if (!continueOnFail) session.stop();
			}
		}
	};
	await Promise.all(jobs.map(performJob));
	return failed;
}
