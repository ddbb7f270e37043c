import chunk from 'lodash/chunk';
import { OPEN, type RowState } from '../journal/journal';
import { ServiceError } from '../transport/serviceError';
import { type JoinBodies, perform, type Writing } from './asked';
import type { OperationRun } from './operation';
import type { Settled, ValidRow } from './row';

/** One request for many rows of the same client and class. */
export interface BatchPolicy {
	/** The most rows in one. */
	size: number;
	join: JoinBodies;
}

/** What a request has made of a row, when earlier tries are left out of account. */
type Reply = Pick<Settled, 'state' | 'error'>;

// So that 100 rows that are all rejected take at most about 120 requests, and one among them about 20 (docs/how-it-works.md).
const MAX_SENT_ONE_BY_ONE = 16;

/** Sends rows; returns what came of each, in the order in which that became known. */
export async function sendRows(
	{ operation, session, continueOnFail }: OperationRun,
	rows: ValidRow[],
	batchPolicy?: BatchPolicy,
): Promise<Map<ValidRow, Reply>> {
	const replies = new Map<ValidRow, Reply>();
	/** @param before what became of the rows in a larger batch */
	async function send(batch: ValidRow[], before: RowState): Promise<void> {
		try {
			const asked = batch.map((row) => row.asked);
			const { client } = batch[0]!;
			const result = await perform(client, operation.endpoint, asked, batchPolicy?.join);
			for (const row of batch) {
				replies.set(row, { state: { is: 'done', values: row.change?.values ?? {}, result } });
			}
		} catch (error) {
			const state = stateBy(error, batch, before);
			// After a write, the client has stopped already, before another one could start.
			if (!continueOnFail) session.stop();
			else if (effectOf(error) === 'noneIfOne' && batch.length > 1) {
				for (const part of divide(batch)) await send(part, state);
				return;
			}
			for (const row of batch) replies.set(row, { state, error });
		}
	}
	const jobs = toJobs(rows, batchPolicy).map(async (batches) => {
		for (const batch of batches) await send(batch, OPEN);
	});
	await Promise.all(jobs);
	return replies;
}

/** The row whose failure ended the run. What was not sent does not say why. */
export function firstFailed(replies: Map<ValidRow, Reply>): ValidRow | undefined {
	const failed = [...replies].filter(([, { state }]) => state.is !== 'done');
	const [row] = failed.find(([, { error }]) => !failureOf(error)?.isUnsent) ?? failed[0] ?? [];
	return row;
}

const failureOf = (error: unknown) => (error instanceof ServiceError ? error.failure : undefined);

/** What the last try of a request that failed with this error has changed. */
const effectOf = (error: unknown) => failureOf(error)?.effect ?? 'unknown';

/**
 * What a request that failed has made of its rows, by what became of them in a larger batch:
 * - `open`: it did not reach the service. `rejected`: the service did nothing. `unknown`: nobody knows.
 * - `rejectedInPart`: the service rejected several targets (rows of a batch, or classes of a row), and may have done some.
 *   If a part is sent by itself then, only its own rejection shows that it was not done.
 */
function stateBy(error: unknown, batch: ValidRow[], before: RowState): RowState {
	const effect = effectOf(error);
	const classes = batch[0]!.change?.targets.length ?? 1;
	const isOneRejected = effect === 'noneIfOne' || effect === 'noneIfOneClass';
	const isAboutSeveral = classes > 1 || (effect === 'noneIfOne' && batch.length > 1);
	// When it was sent before, it may have taken effect, whatever the last response says.
	if (failureOf(error)?.isUnknown || effect === 'unknown' || before.is === 'unknown')
		return { is: 'unknown' };
	if (isOneRejected && isAboutSeveral) return { is: 'rejectedInPart' };
	if (before.is === 'rejectedInPart' && effect !== 'noneIfOne') return { is: 'unknown' };
	return { is: effect === 'notReached' ? 'open' : 'rejected' };
}

/** Divides the rows into jobs, which may be performed at the same time: batches that follow each other. */
function toJobs(rows: ValidRow[], batchPolicy?: BatchPolicy): ValidRow[][][] {
	if (batchPolicy) {
		const batches = groupByRequest(rows).flatMap((group) => chunk(group, batchPolicy.size));
		return batches.map((batch) => [batch]);
	}
	const groups = groupRows(rows, ({ change, itemIndex }) => change?.email ?? itemIndex);
	return groups.map((group) => chunk(group, 1));
}

/**
 * Divides a batch that was rejected in halves, and at last into single rows, so that everything that the service accepts
 * is done, and everything else fails with what the service said about it.
 */
function divide(batch: ValidRow[]): ValidRow[][] {
	return chunk(batch, batch.length > MAX_SENT_ONE_BY_ONE ? Math.ceil(batch.length / 2) : 1);
}

/** Groups the rows that one request may contain: changes with the same client and class. */
function groupByRequest(rows: ValidRow[]): ValidRow[][] {
	return groupRows(rows, ({ client }) => client).flatMap((ofClient) =>
		groupRows(ofClient, ({ asked }) => (asked as Writing).classId),
	);
}

/** Groups rows by anything; lodash would make a text of it for each row. */
function groupRows(rows: ValidRow[], keyOf: (row: ValidRow) => unknown): ValidRow[][] {
	const groups = new Map<unknown, ValidRow[]>();
	for (const row of rows) {
		const key = keyOf(row);
		const group = groups.get(key);
		if (group) group.push(row);
		else groups.set(key, [row]);
	}
	return [...groups.values()];
}
