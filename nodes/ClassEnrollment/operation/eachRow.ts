import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import { note, recall, type RowState } from '../journal/journal';
import { ServiceError } from '../transport/serviceError';
import { type Asked, type JoinBodies, perform, toChange, toOutput } from './asked';
import type { Execute, InputItem, OperationRun } from './operation';
import { type Division, divideBatch, markReplaced, type Row, toJobs, toRows } from './row';
import { failedItem, invalidError, stoppedError } from './rowErrors';

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
		const { rows, batchPolicy } = toRows(run.items, handler.divide);
		for (const row of rows) await check(run, handler as RowHandler, row);
		const invalid = rows.filter(({ error }) => error);
		if (invalid.length > 0 && !run.continueOnFail) throw invalidError(run, invalid, rows);

		const valid = rows.filter(({ error }) => !error);
		markReplaced(valid);
		const unique = valid.filter(({ replacedBy }) => !replacedBy);
		recallRows(run, unique);
		const toSend = unique.filter(({ state }) => state.is !== 'done');
		const failed = await performAll(run, toJobs(toSend, batchPolicy), batchPolicy?.join);
		if (failed && !run.continueOnFail) throw stoppedError(run, failed, rows);
		return rows.flatMap((row) => toItems(run, handler, row));
	};
}

/** Reads what a row asks for; a row that cannot be used gets the error. */
async function check(run: OperationRun, { read }: RowHandler, row: Row): Promise<void> {
	if (row.error) return;
	try {
		row.asked = read(row.source, run);
		row.client = await run.session.clientFor(row.itemIndex);
		if (typeof row.asked === 'function') return;
		row.change = toChange(run, row.asked, row.itemIndex, row.client.service);
	} catch (error) {
		row.error = error;
	}
}

/** Takes over what earlier tries have made of the rows: of all, since either all are changes or none is. */
function recallRows({ journal }: OperationRun, rows: Row[]): void {
	const changes = rows.flatMap(({ change }) => change ?? []);
	for (const [index, state] of recall(journal, changes).entries()) {
		Object.assign(rows[index]!, { recalled: state, state });
	}
}

/** Performs the jobs, and notes what becomes of their rows; returns the first one that failed. */
async function performAll(run: OperationRun, jobs: Row[][][], join?: JoinBodies) {
	const { operation, session, continueOnFail, journal } = run;
	let failed: Row | undefined;
	const performJob = async (job: Row[][]) => {
		for (const batch of job) {
			try {
				const asked = batch.map((row) => row.asked!);
				const result = await perform(batch[0]!.client!, operation.endpoint, asked, join);
				for (const row of batch) {
					row.state = { is: 'done', values: row.change?.values ?? {}, result };
				}
			} catch (error) {
				// What was not sent does not say why the run ended.
				if (!failed || failureOf(failed.error)?.isUnsent) failed = batch[0];
				for (const row of batch) {
					row.state = stateAfter(row, error, batch.length);
					row.error = error;
				}
				if (!continueOnFail) session.stop();
				else if (effectOf(error) === 'noneIfOne' && batch.length > 1) {
					// The loop goes on with its parts. What becomes of the rows is known, and noted, only then.
					job.push(...divideBatch(batch));
					continue;
				}
			}
			for (const { change, state } of batch) if (change) note(journal, change, state);
		}
	};
	await Promise.all(jobs.map(performJob));
	return failed;
}

const failureOf = (error: unknown) => (error instanceof ServiceError ? error.failure : undefined);

/** What the last try of a request that failed with this error has changed. */
const effectOf = (error: unknown) => failureOf(error)?.effect ?? 'unknown';

/** What has become of a row after a request for so many rows failed. What is unknown stays so until a try succeeds. */
function stateAfter({ state, recalled, change }: Row, error: unknown, rowCount: number): RowState {
	// When it was sent before, it may have taken effect, whatever the last response says.
	const effect = failureOf(error)?.isUnknown ? 'unknown' : effectOf(error);
	if (!change || effect === 'notReached' || state.is === 'unknown') return state;
	if (effect === 'unknown') return { is: 'unknown' };
	if (effect === 'noneIfOne' && rowCount > 1) return { is: 'refusedTogether' };
	const isOneRefused = effect === 'noneIfOne' || effect === 'noneIfOneClass';
	if (isOneRefused && change.targets.length > 1) return { is: 'refusedInPart' };
	// After a refusal with others it may be done. Only a refusal of what it says, here by itself, shows that it is not.
	if (state.is === 'refusedTogether' && effect !== 'noneIfOne') return state;
	return recalled?.is === 'outdated' ? recalled : { is: 'refused' };
}

/** Returns what comes out of a row, or of the one that was sent in its place: its output items, or its error. */
function toItems(run: OperationRun, { emailOf }: RowHandler, row: Row): INodeExecutionData[] {
	const { asked, state } = row.replacedBy ?? row;
	if (state.is !== 'done') return [failedItem(run, row, emailOf)];
	return toOutput(asked!, state).map((json) => {
		// n8n would take such a field, if the service returned it, for a failure.
		delete json.error;
		return { json, pairedItem: { item: row.itemIndex } };
	});
}
