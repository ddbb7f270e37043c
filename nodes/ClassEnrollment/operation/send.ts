import { chunk, flatMap, groupBy, map } from 'lodash';
import type { Done, RowResult } from '../journal/journal';
import { combineOutcomes, isAnswer, type NotDone } from '../transport/outcome';
import { failureOf, ServiceError } from '../transport/serviceError';
import type { OperationRun } from './operation';
import type { ValidRow } from './row';
import { sendRequest, type WriteRequest } from './rowRequest';

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
	const isBatch = batchSize !== undefined;

	/** @param largerBatch the outcome of the larger batch from which this one was split, if it was */
	async function sendBatch(batch: ValidRow[], largerBatch?: NotDone): Promise<void> {
		const requests = map(batch, 'request');
		try {
			const result = await sendRequest(batch[0]!.client, operation.endpoint, requests, isBatch);
			for (const row of batch) {
				results.set(row, { outcome: 'done', done: doneOf(row, result) });
			}
		} catch (error) {
			// Smaller requests may succeed: the service rejected something in this one.
			const isSplittable = batch.length > 1 && failureOf(error)?.outcome === 'rejected';
			if (continueOnFail && isSplittable) {
				const outcome = combineOutcomes(largerBatch, outcomeOfError(error));
				for (const part of split(batch)) await sendBatch(part, outcome);
				return;
			}
			// A failed write has ended the run before (`onFailedWrite` in `client.ts`), so that none took its place.
			if (!continueOnFail) session.stop();
			const outcome = outcomeOfRows(batch, error, largerBatch);
			for (const row of batch) results.set(row, { outcome, error });
		}
	}

	const jobs = toJobs(rows, batchSize).map(async (batches) => {
		for (const batch of batches) await sendBatch(batch);
	});
	await Promise.all(jobs);
	return results;
}

function doneOf({ email, change }: ValidRow, result: unknown): Done {
	const isLowerCase = email === change?.email;
	return { email: isLowerCase ? undefined : email, values: change?.values ?? {}, result };
}

/** The row whose failure ended the run: the first that failed, if possible one that was sent. */
export function firstFailed(results: Map<ValidRow, RowResult>): ValidRow | undefined {
	let first: ValidRow | undefined;
	for (const [row, { outcome, error }] of results) {
		if (outcome === 'done') continue;
		if (!failureOf(error)?.isUnsent) return row;
		first ??= row;
	}
	return first;
}

/** Makes jobs that may run side by side: the rows of a student, one after another, or a batch of a class (`deduplicate`: no student twice). */
function toJobs(rows: ValidRow[], batchSize?: number): ValidRow[][][] {
	if (batchSize === undefined) {
		const byStudent = groupBy(rows, ({ change, item }) => change?.email ?? item.itemIndex);
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

/** The outcome of a request that failed with this error; `unknown` of an error that is not the service's. */
const outcomeOfError = (error: unknown) =>
	error instanceof ServiceError ? (error.outcome as NotDone) : 'unknown';

/**
 * Returns the outcome of each row of a request that failed.
 * @param largerBatch the outcome of the larger batch from which it was split, if it was
 */
function outcomeOfRows(batch: ValidRow[], error: unknown, largerBatch?: NotDone): NotDone {
	const outcome = combineOutcomes(largerBatch, outcomeOfError(error));
	if (outcome === 'unknown') return 'unknown';
	const failure = failureOf(error)!;
	// In a batch, the students before the one that is rejected may have been added.
	if (batch.length > 1 && outcome === 'rejected') return 'unknown';
	// So may the student to the classes before the one that is rejected, or forbidden.
	const hasSeveralClasses = (batch[0]!.change?.targets.length ?? 1) > 1;
	if (hasSeveralClasses && isAnswer(failure)) return 'unknown';
	// The larger batch may have added the student. Only a no to the row alone says that it hasn't, but not "Conflict" (409).
	if (largerBatch && (outcome !== 'rejected' || failure.status === 409)) return 'unknown';
	return outcome;
}
