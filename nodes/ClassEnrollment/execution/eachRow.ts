import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import type { IDataObject } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import type { NamedClient } from '../connection/session';
import type { Client } from '../transport/client';
import { asUnknown, fateOf, isUnknown } from '../transport/serviceError';
import { type Change, note, recall } from './earlierTries';
import type { Execute, InputItem, OperationRun } from './operation';
import { outputItem } from './output';
import { failedItem, invalidError, stoppedError, type Words } from './rowErrors';

// So that 100 rows that are all rejected take at most about 120 requests, and one among them about 20.
const MAX_SENT_ONE_BY_ONE = 16;

/** Returns the parameters of an item's row, or of each row of its list; throws InvalidValueError if there is none. */
export type RowsOf = (item: InputItem) => ItemParameters | ItemParameters[];

/** How the items of an operation are divided into rows, and the rows into batches. */
export interface Batching {
	rowsOf: RowsOf;
	/** At most how many changes of the same request are performed together; the last one with a subject stands for all. */
	batchSize: number;
}

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
	changeOf?: (task: Task) => Omit<Change, 'itemIndex' | 'number'>;
	/** Does what one row asks for, or a batch of them. */
	perform: (client: Client, tasks: [Task, ...Task[]]) => Promise<Result>;
	/** Makes the JSON of a row's output items. */
	toOutput: (task: Task, result: Result) => IDataObject[];
	/** What errors call the rows; without it, they are items that are processed. */
	words?: Words;
}

/** A row, and what became of it: neither `output` nor `error` as long as nothing has. */
export interface Row {
	itemIndex: number;
	/** Its number in the item's list, counted from 1; without it, the item itself is the row. */
	number?: number;
	parameters: ItemParameters;
	/** What it asks for, once it has passed all checks. */
	task?: unknown;
	client?: NamedClient;
	change?: Change;
	/** A later row with the same change, which is performed in its place. */
	replacedBy?: Row;
	output?: IDataObject[];
	error?: unknown;
	/** Whether it may have been done, although no try succeeded. */
	isUnknown?: boolean;
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
		if (invalid.length > 0 && !run.continueOnFail) {
			throw invalidError(run, invalid, rows, words);
		}

		const valid = rows.filter((row) => !hasFailed(row));
		const unique = batchSize === undefined ? valid : withoutReplaced(valid);
		const open = unique.filter(({ output }) => !output);
		const failed = await performAll(run, handler, toJobs(open, batchSize));
		const settled = rows.map((row) => withOutcome(row));
		// n8n only tries again if something failed.
		if (run.isWave || !settled.every(({ output }) => output)) {
			for (const row of settled) if (row.change) note(run.earlierTries, row.change, row);
		}
		if (failed && !run.continueOnFail) throw stoppedError(run, failed, settled, words);
		return settled.flatMap((row) => {
			if (hasFailed(row)) return [failedItem(run, row, words)];
			return (row.output ?? []).map((json) => outputItem(json, row.itemIndex));
		});
	};
}

function readRows(
	items: InputItem[],
	readBatching?: (items: InputItem[]) => Batching,
): { rows: Row[]; batchSize?: number } {
	try {
		const { rowsOf, batchSize } = readBatching?.(items) ?? {};
		return { rows: items.flatMap((item) => toRows(item, rowsOf)), batchSize };
	} catch (error) {
		return { rows: items.map(({ itemIndex, parameters }) => ({ itemIndex, parameters, error })) };
	}
}

function toRows(item: InputItem, rowsOf?: RowsOf): Row[] {
	const { itemIndex, parameters } = item;
	try {
		const rows = rowsOf?.(item) ?? parameters;
		if (!Array.isArray(rows)) return [{ itemIndex, parameters: rows }];
		return rows.map((parameters, index) => ({ itemIndex, number: index + 1, parameters }));
	} catch (error) {
		return [{ itemIndex, parameters, error }];
	}
}

/** Reads what a row asks for, and what earlier tries have made of it. */
async function check<Task, Result>(
	{ session, earlierTries }: OperationRun,
	{ read, changeOf }: RowHandler<Task, Result>,
	row: Row,
): Promise<void> {
	if (hasFailed(row)) return;
	try {
		const { itemIndex, number, parameters } = row;
		const task = read(parameters);
		row.client = await session.clientFor(itemIndex);
		row.task = task;
		if (!changeOf) return;
		row.change = { itemIndex, number, ...changeOf(task) };
		Object.assign(row, recall(earlierTries, row.change));
	} catch (error) {
		row.error = error;
	}
}

/** Leaves out the rows in whose place a later one is performed. */
function withoutReplaced(rows: Row[]): Row[] {
	const last = new Map(rows.map((row) => [changeKey(row), row]));
	for (const row of rows) {
		const replacement = last.get(changeKey(row));
		if (replacement !== row) row.replacedBy = replacement;
	}
	return [...last.values()];
}

/** Divides the rows into jobs, which may be performed at the same time: batches that follow each other. */
function toJobs(rows: Row[], batchSize?: number): Row[][][] {
	if (batchSize !== undefined) {
		const groups = Object.values(groupBy(rows, requestKey));
		return groups.flatMap((group) => chunk(group, batchSize).map((batch) => [batch]));
	}
	const groups = groupBy(rows, ({ change, itemIndex }) => change?.subject ?? itemIndex);
	return Object.values(groups).map((group) => group.map((row) => [row]));
}

const requestKey = ({ client, change }: Row) => `${client?.id} ${change?.request}`;
const changeKey = (row: Row) => `${requestKey(row)} ${row.change?.subject}`;

/** Performs the jobs; returns the first row that failed. */
async function performAll<Task, Result>(
	run: OperationRun,
	{ perform, toOutput }: RowHandler<Task, Result>,
	jobs: Row[][][],
): Promise<Row | undefined> {
	const { session, continueOnFail } = run;
	let failed: Row | undefined;
	const performJob = async (job: Row[][], number: number) => {
		await session.pauseBefore(number);
		for (const batch of job) {
			try {
				const tasks = batch.map(({ task }) => task) as [Task, ...Task[]];
				const result = await perform(batch[0]!.client!, tasks);
				for (const row of batch) row.output = toOutput(row.task as Task, result);
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

/**
 * Divides a batch that was rejected in halves, and at last into single rows, so that everything that the service accepts
 * is done, and everything else fails with what the service said about it.
 */
function divide(batch: Row[]): Row[][] {
	return chunk(batch, batch.length > MAX_SENT_ONE_BY_ONE ? Math.ceil(batch.length / 2) : 1);
}

function withOutcome(row: Row): Row {
	if (!row.replacedBy) return row;
	const { output, error, isUnknown } = row.replacedBy;
	return { ...row, output, error, isUnknown };
}

function hasFailed({ error }: Row): boolean {
	return error !== undefined;
}
