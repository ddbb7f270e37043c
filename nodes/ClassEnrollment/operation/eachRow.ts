import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Change, RowState } from '../journal/change';
import { addRows, isUnwritten } from '../journal/journal';
import { recall } from '../journal/recall';
import type { Client } from '../transport/client';
import type { Effect } from '../transport/fate';
import { asUnknown, effectOf, isUnknown } from '../transport/serviceError';
import type { Execute, InputItem, OperationRun } from './operation';
import {
	type Division,
	divideBatch,
	hasFailed,
	type Row,
	toJobs,
	toRows,
	withOutcome,
	withoutReplaced,
} from './row';
import { failedItem, invalidError, stoppedError, unreadableError, type Words } from './rowErrors';

/**
 * How an operation handles its rows: the input items, or the entries of a list in each of them. These are methods, so that
 * what one returns can be passed to the next without knowing what it is.
 */
export interface RowHandler<Source = unknown, Task = unknown, Result = unknown> {
	/** Says how the items are divided; throws InvalidValueError if they contradict each other. */
	divide(items: InputItem[]): Division<Source>;
	/** Returns what a row asks for; throws InvalidValueError if a value cannot be used. */
	read(source: Source): Task;
	/** Says what a row changes; without it, the operation only reads. A retry does not repeat a change. */
	changeOf?(task: Task, itemIndex: number, service: string): Change;
	/** Does what one row asks for, or a batch of them. The result of a change must be JSON. */
	perform(client: Client, tasks: [Task, ...Task[]]): Promise<Result>;
	/**
	 * Makes the JSON of a row's output items from what came of it.
	 * @param values what was said about the student, now or in an earlier try
	 */
	toOutput(task: Task, result: Result, values: IDataObject): IDataObject[];
	/** What errors call the rows; without it, they are items that are processed. */
	words?: Words<Source>;
}

/**
 * An operation that handles the input items, or the entries of their lists, one by one or in batches. All are checked
 * before the first request. With "continue on fail" each row that fails becomes an error item; otherwise nothing more is
 * started after the first, and its error says what was done.
 */
export function eachRow<Source, Task, Result>(
	toHandler: (run: OperationRun) => RowHandler<Source, Task, Result>,
): Execute {
	return async (run) => {
		const handler: RowHandler = toHandler(run);
		const { words } = handler;
		const { rows, batchSize } = toRows(run.items, handler.divide);
		for (const row of rows) await check(run, handler, row);
		const invalid = rows.filter(hasFailed);
		if (invalid.length > 0 && !run.continueOnFail) throw invalidError(run, invalid, rows);

		const valid = rows.filter((row) => !hasFailed(row));
		const unique = batchSize === undefined ? valid : withoutReplaced(valid);
		recallRows(run, unique);
		const open = unique.filter(({ state }) => state.is !== 'done');
		addRows(run.journal, open);
		const failed = await performAll(run, handler, toJobs(open, batchSize));
		const settled = rows.map(withOutcome);
		if (failed && !run.continueOnFail) throw stoppedError(run, failed, settled, words);
		return settled.flatMap((row) => toItems(run, handler, row));
	};
}

/** Reads what a row asks for; a row that cannot be used gets the error. */
async function check(run: OperationRun, { read, changeOf }: RowHandler, row: Row): Promise<void> {
	if (hasFailed(row)) return;
	try {
		row.task = read(row.source);
		row.client = await run.session.clientFor(row.itemIndex);
		if (!changeOf) return;
		if (run.journal.isUnreadable) throw unreadableError();
		row.change = changeOf(row.task, row.itemIndex, row.client.service);
	} catch (error) {
		row.error = error;
	}
}

/** Takes over what earlier tries have made of the rows. */
function recallRows({ journal, isPartOfRun }: OperationRun, rows: Row[]): void {
	// Most runs are the first try, and this would take as long as everything else.
	if (isUnwritten(journal)) return;
	const changes = rows.flatMap(({ change }) => change ?? []);
	const states = recall(journal, changes, !isPartOfRun);
	for (const [index, state] of states.entries()) rows[index]!.state = state;
}

/** Performs the jobs; returns the first row that failed. */
async function performAll(run: OperationRun, { perform }: RowHandler, jobs: Row[][][]) {
	const { session, continueOnFail } = run;
	let failed: Row | undefined;
	for (const [first] of jobs.flat()) first!.client!.expect(1);
	const performJob = async (job: Row[][]) => {
		for (const batch of job) {
			try {
				const [first, ...others] = batch.map(({ task }) => task);
				const result = await perform(batch[0]!.client!, [first, ...others]);
				for (const row of batch) {
					row.state = { is: 'done', values: row.change?.values ?? {}, result };
				}
			} catch (error) {
				const effect = effectOf(error);
				const inAll = isUnknown(error) ? 'unknown' : effect;
				for (const row of batch) row.state = stateAfter(row, inAll, batch.length);
				if (continueOnFail && effect === 'partly' && batch.length > 1) {
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

/** What has become of a row after its request, for so many rows, failed. What is unknown stays so until a try succeeds. */
function stateAfter({ state, change }: Row, effect: Effect, rowCount: number): RowState {
	if (!change || effect === 'unsent' || state.is === 'unknown') return state;
	if (effect === 'unknown') return { is: 'unknown' };
	const isAlone = rowCount === 1 && (change.classIds?.length ?? 1) === 1;
	if (effect === 'partly' && !isAlone) return { is: 'refusedTogether' };
	// Only a refusal of the row alone says more than that of the request before, which contained others.
	const mayBeDone = state.is === 'refusedTogether' && effect !== 'partly';
	return mayBeDone || state.is === 'outdated' ? state : { is: 'refused' };
}

/** Returns what comes out of a row: its output items, or its error. */
function toItems(
	run: OperationRun,
	{ toOutput, words }: RowHandler,
	row: Row,
): INodeExecutionData[] {
	const { itemIndex, task, state } = row;
	if (state.is !== 'done') return [failedItem(run, row, words)];
	return toOutput(task, state.result, state.values).map((json) => {
		// n8n would take such a field, if the service returned it, for a failure.
		delete json.error;
		return { json, pairedItem: { item: itemIndex } };
	});
}
