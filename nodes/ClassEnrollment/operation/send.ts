import { chunk, flatMap, groupBy, map } from 'lodash';
import type { RowResult } from '../journal/journal';
import { isAnswer, type Outcome } from '../transport/outcome';
import { failureOf, ServiceError } from '../transport/serviceError';
import { perform, type WriteRequest } from './rowRequest';
import type { OperationRun } from './operation';
import type { ValidRow } from './row';

type NotDone = Exclude<Outcome, 'done'>;

// So that 100 rows that are all rejected take at most about 120 requests, and one among them about 20 (docs/how-it-works.md).
const MAX_SENT_ONE_BY_ONE = 16;

/**
 * Sends rows; returns their results, in the order in which they finished.
 * @param batchSize the most rows in a request; without it, each row is a request
 */
export async function sendRows(
	{ operation, session, continueOnFail }: OperationRun,
	rows: ValidRow[],
	batchSize?: number,
): Promise<Map<ValidRow, RowResult>> {
	const results = new Map<ValidRow, RowResult>();
	/** @param larger the outcome of the larger batch of which this is a part, if there was one */
	async function sendBatch(batch: ValidRow[], larger?: Outcome): Promise<void> {
		try {
			const requests = batch.map((row) => row.request);
			const { client } = batch[0]!;
			const result = await perform(client, operation.endpoint, requests, batchSize !== undefined);
			for (const row of batch) {
				const done = { values: row.change?.values ?? {}, result };
				results.set(row, { outcome: 'done', done });
			}
		} catch (error) {
			// Ends the run. A failed write has ended it before (`onFailedWrite` in `client.ts`), so that none took its place.
			if (!continueOnFail) session.stop();
			else if (failureOf(error)?.outcome === 'rejected' && batch.length > 1) {
				const outcome = larger === 'unknown' ? larger : outcomeOf(error);
				for (const part of split(batch)) await sendBatch(part, outcome);
				return;
			}
			const outcome = outcomeOfRows(error, batch, larger);
			for (const row of batch) results.set(row, { outcome, error });
		}
	}
	const jobs = toJobs(rows, batchSize).map(async (batches) => {
		for (const batch of batches) await sendBatch(batch);
	});
	await Promise.all(jobs);
	return results;
}

/** The row whose failure ended the run: the first that failed, if possible one that was sent. */
export function firstFailed(results: Map<ValidRow, RowResult>): ValidRow | undefined {
	const failed = [...results].filter(([, { outcome }]) => outcome !== 'done');
	const [row] = failed.find(([, { error }]) => !failureOf(error)?.isUnsent) ?? failed[0] ?? [];
	return row;
}

/** The outcome of a request that failed with this error; `unknown` of an error that is not the service's. */
const outcomeOf = (error: unknown) =>
	error instanceof ServiceError ? (error.outcome as NotDone) : 'unknown';

/**
 * Returns the outcome of each row of a request that failed. Two students are sent together and rejected: `unknown`, since one may
 * have been added. Then each is sent alone: 400 or 404 shows that this one was not added (`rejected`). Anything else, such as
 * 429, leaves it `unknown`.
 */
function outcomeOfRows(error: unknown, batch: ValidRow[], larger?: Outcome): NotDone {
	const outcome = outcomeOf(error);
	if (outcome === 'unknown' || larger === 'unknown') return 'unknown';
	// Of several, the service may have done some before it came to the one that it rejects, or that the token doesn't allow.
	const hasSeveralClasses = (batch[0]!.change?.targets.length ?? 1) > 1;
	const failure = failureOf(error);
	if (hasSeveralClasses && failure && isAnswer(failure)) return 'unknown';
	if (outcome === 'rejected') return batch.length > 1 ? 'unknown' : 'rejected';
	// Only a no to this row alone shows that the larger batch has not done it.
	return larger ? 'unknown' : outcome;
}

/** Batches of rows that are sent one after another. */
type Job = ValidRow[][];

/** Makes jobs that may run side by side: a student's rows, one by one, or a batch of a class (`deduplicate`: no student twice). */
function toJobs(rows: ValidRow[], batchSize?: number): Job[] {
	if (batchSize === undefined) {
		const byStudent = groupBy(rows, ({ change, itemIndex }) => change?.email ?? itemIndex);
		return map(byStudent, (ofStudent) => chunk(ofStudent, 1));
	}
	const classOf = ({ client, request }: ValidRow) =>
		`${client.service} ${(request as WriteRequest).classId}`;
	const batches = flatMap(groupBy(rows, classOf), (ofClass) => chunk(ofClass, batchSize));
	return batches.map((batch) => [batch]);
}

/**
 * Splits a batch that was rejected in halves, and at last into single rows, so that everything that the service accepts
 * is done, and everything else fails with what the service said about it.
 */
function split(batch: ValidRow[]): ValidRow[][] {
	return chunk(batch, batch.length > MAX_SENT_ONE_BY_ONE ? Math.ceil(batch.length / 2) : 1);
}
