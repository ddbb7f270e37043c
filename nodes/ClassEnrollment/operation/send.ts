import { chunk, flatMap, groupBy, map } from 'lodash';
import type { RowResult } from '../journal/journal';
import { combineOutcomes, isAnswer, type NotDone } from '../transport/outcome';
import { failureOf, ServiceError } from '../transport/serviceError';
import type { OperationRun } from './operation';
import type { ValidRow } from './row';
import { sendRequest, type WriteRequest } from './rowRequest';

/** The rows of one request. */
type Batch = ValidRow[];

// So that 100 rows that are all rejected take at most about 120 requests, and one among them about 20 (docs/how-it-works.md).
const MAX_SENT_ONE_BY_ONE = 16;

/**
 * Sends rows; returns their results, in the order in which they finished.
 * @param batchSize the most rows in a request; without it, each row is a request
 */
export async function sendRows(
	{ operation, clients, continueOnFail }: OperationRun,
	rows: ValidRow[],
	batchSize?: number,
): Promise<Map<ValidRow, RowResult>> {
	const results = new Map<ValidRow, RowResult>();
	const isBatch = batchSize !== undefined;

	/** @param outcomeOfLarger the outcome of the larger batch, if this is a part of one that was rejected */
	async function sendBatch(batch: Batch, outcomeOfLarger?: NotDone): Promise<void> {
		const { client } = batch[0]!;
		try {
			const reply = await sendRequest(client, operation.endpoint, map(batch, 'request'), isBatch);
			for (const row of batch) {
				const receipt = { values: row.change?.values ?? {}, reply };
				results.set(row, { outcome: 'done', receipt });
			}
		} catch (error) {
			const outcome = combineOutcomes(outcomeOfLarger, outcomeOfRequest(error));
			// At last, the service rejected something in this batch. It may accept the rest.
			const isSplittable = batch.length > 1 && failureOf(error)?.outcome === 'rejected';
			if (continueOnFail && isSplittable) {
				for (const part of split(batch)) await sendBatch(part, outcome);
				return;
			}
			if (!continueOnFail) clients.end();
			const ofRows = outcomeOfRows(batch, error, outcome, outcomeOfLarger);
			for (const row of batch) results.set(row, { outcome: ofRows, error });
		}
	}

	const sending = toQueues(rows, batchSize).map(async (queue) => {
		for (const batch of queue) await sendBatch(batch);
	});
	await Promise.all(sending);
	return results;
}

/** The row whose failure ended the run: the first that failed, if possible one that was sent. */
export function firstFailed(results: Map<ValidRow, RowResult>): ValidRow | undefined {
	const failed = [...results].filter(([, { outcome }]) => outcome !== 'done');
	const [row] = failed.find(([, { error }]) => !failureOf(error)?.isUnsent) ?? failed[0] ?? [];
	return row;
}

/** Makes queues of batches. Queues are sent side by side; in a queue, a batch waits for the one before it. */
function toQueues(rows: ValidRow[], batchSize?: number): Batch[][] {
	if (batchSize === undefined) {
		const byStudent = groupBy(rows, ({ email, item }) => email?.toLowerCase() ?? item.itemIndex);
		return map(byStudent, (ofStudent) => chunk(ofStudent, 1));
	}
	const classOf = ({ client, request }: ValidRow) =>
		`${client.serviceName} ${(request as WriteRequest).classId}`;
	const batches = flatMap(groupBy(rows, classOf), (ofClass) => chunk(ofClass, batchSize));
	// `deduplicate` leaves no student twice in a class, so no batch has to wait.
	return batches.map((batch) => [batch]);
}

/**
 * Splits a batch that was rejected in halves, and at last into single rows, so that everything that the service accepts
 * is done, and everything else fails with what the service said about it.
 */
function split(batch: Batch): Batch[] {
	return chunk(batch, batch.length > MAX_SENT_ONE_BY_ONE ? Math.ceil(batch.length / 2) : 1);
}

/** The outcome of a request that failed with this error; `unknown` of an error that is not the service's. */
const outcomeOfRequest = (error: unknown) =>
	error instanceof ServiceError ? (error.outcome as NotDone) : 'unknown';

/** Returns the outcome of each row of a request that failed: `unknown` if the service may have done a part of it. */
function outcomeOfRows(
	batch: Batch,
	error: unknown,
	outcome: NotDone,
	outcomeOfLarger?: NotDone,
): NotDone {
	const failure = failureOf(error);
	const isRejected = outcome === 'rejected';
	// The students before the one that it rejects. If the class is forbidden, it is so for all of them.
	const someStudents = batch.length > 1 && isRejected;
	// The classes before the one that it rejects or forbids.
	const hasSeveralClasses = (batch[0]!.change?.targets.length ?? 1) > 1;
	const someClasses = hasSeveralClasses && failure !== undefined && isAnswer(failure);
	// This student, in the larger batch: "Conflict" (409) may mean just that. Any other rejection of the student alone says no.
	const inLarger = outcomeOfLarger !== undefined && (!isRejected || failure?.status === 409);
	return someStudents || someClasses || inLarger ? 'unknown' : outcome;
}
