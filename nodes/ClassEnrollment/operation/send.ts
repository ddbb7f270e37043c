import { chunk, flatMap, groupBy, map } from 'lodash';
import { OPEN, type RowState } from '../journal/journal';
import type { Effect } from '../transport/outcome';
import { ServiceError } from '../transport/serviceError';
import { perform, type Writing } from './asked';
import type { OperationRun } from './operation';
import type { ValidRow } from './row';

/** What this attempt has made of a row, and why it is not done. */
interface Reply {
	state: RowState;
	error?: unknown;
}

// So that 100 rows that are all rejected take at most about 120 requests, and one among them about 20 (docs/how-it-works.md).
const MAX_SENT_ONE_BY_ONE = 16;

/**
 * Sends rows; returns what came of each, in the order in which that became known.
 * @param batchSize the most rows in a request; without it, each row is one
 */
export async function sendRows(
	{ operation, session, continueOnFail }: OperationRun,
	rows: ValidRow[],
	batchSize?: number,
): Promise<Map<ValidRow, Reply>> {
	const replies = new Map<ValidRow, Reply>();
	/** @param inLargerBatch what became of the rows in it: `rejectedInPart`, `unknown`, or `open` if there was none */
	async function sendBatch(batch: ValidRow[], inLargerBatch: RowState): Promise<void> {
		try {
			const asked = batch.map((row) => row.asked);
			const { client } = batch[0]!;
			const result = await perform(client, operation.endpoint, asked, batchSize !== undefined);
			for (const row of batch) {
				replies.set(row, { state: { is: 'done', values: row.change?.values ?? {}, result } });
			}
		} catch (error) {
			const state = stateBy(error, batch, inLargerBatch);
			// Ends the run. A failed write has ended it before (`onFailedWrite` in `client.ts`), so that none took its place.
			if (!continueOnFail) session.stop();
			else if (effectOf(error) === 'noneIfOne' && batch.length > 1) {
				for (const part of split(batch)) await sendBatch(part, state);
				return;
			}
			for (const row of batch) replies.set(row, { state, error });
		}
	}
	const jobs = toJobs(rows, batchSize).map(async (batches) => {
		for (const batch of batches) await sendBatch(batch, OPEN);
	});
	await Promise.all(jobs);
	return replies;
}

/** The row whose failure ended the run: the first that failed, if possible one that was sent. */
export function firstFailed(replies: Map<ValidRow, Reply>): ValidRow | undefined {
	const failed = [...replies].filter(([, { state }]) => state.is !== 'done');
	const [row] = failed.find(([, { error }]) => !failureOf(error)?.isUnsent) ?? failed[0] ?? [];
	return row;
}

const failureOf = (error: unknown) => (error instanceof ServiceError ? error.failure : undefined);

/** What the last try of a request that failed with this error has changed. */
const effectOf = (error: unknown): Effect => failureOf(error)?.effect ?? 'unknown';

/**
 * What a request that failed has made of its rows: what its last try says, unless an earlier try or the larger batch may have
 * done more. Two students are sent together and rejected: `rejectedInPart`, since one may have been added. Then each is sent
 * alone: 400 or 404 shows that this one was not added (`rejected`). Anything else, such as 429, leaves it `unknown`.
 */
function stateBy(error: unknown, batch: ValidRow[], inLargerBatch: RowState): RowState {
	const effect = effectOf(error);
	// An earlier try of the request, or the larger batch, may have taken effect, whatever the last response says.
	const wasUnknown = failureOf(error)?.mayHaveTakenEffect || inLargerBatch.is === 'unknown';
	if (wasUnknown || effect === 'unknown') return { is: 'unknown' };
	if (mayBeDoneInPart(effect, batch)) return { is: 'rejectedInPart' };
	// Only the service's no to this row alone shows that the larger batch did not do it.
	if (inLargerBatch.is === 'rejectedInPart' && effect !== 'noneIfOne') return { is: 'unknown' };
	return { is: effect === 'notReached' ? 'open' : 'rejected' };
}

function mayBeDoneInPart(effect: Effect, batch: ValidRow[]): boolean {
	const classCount = batch[0]!.change?.targets.length ?? 1;
	// 403 is about the class, which all rows of a batch share.
	if (effect === 'noneIfOneClass') return classCount > 1;
	return effect === 'noneIfOne' && (batch.length > 1 || classCount > 1);
}

/** Batches of rows that are sent one after another. */
type Job = ValidRow[][];

/** Makes jobs that may run side by side: a student's rows, one by one, or a batch of a class (`chooseLast`: no student twice). */
function toJobs(rows: ValidRow[], batchSize?: number): Job[] {
	if (batchSize === undefined) {
		const byStudent = groupBy(rows, ({ change, itemIndex }) => change?.email ?? itemIndex);
		return map(byStudent, (ofStudent) => chunk(ofStudent, 1));
	}
	const classOf = ({ client, asked }: ValidRow) =>
		`${client.service} ${(asked as Writing).classId}`;
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
