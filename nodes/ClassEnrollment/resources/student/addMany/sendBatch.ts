import chunk from 'lodash/chunk';
import type { IDataObject } from 'n8n-workflow';
import { fateOf, mayHaveChanged } from '../../../transport/serviceError';
import type { Batch, Entry } from './batches';

// So that 100 students who are all rejected take at most about 120 requests, and one among them about 20.
const MAX_SENT_ONE_BY_ONE = 16;

/** How to send students, and what to do with those who were added and those who were not. */
export interface BatchHandler {
	/** Whether to split a rejected request and send the parts. */
	mayDivide: boolean;
	send: (batch: Batch) => Promise<IDataObject>;
	added: (entry: Entry, response: IDataObject) => void;
	failed: (entry: Entry, error: unknown) => void;
}

/**
 * Returns a function that sends a batch. What the service rejects is sent again in halves, and at last one by one, so
 * that every student whom the service accepts is added, and every other student fails with what the service said
 * about them. Any other error applies to all students in the request.
 */
export function createBatchSender(handler: BatchHandler): (batch: Batch) => Promise<void> {
	return async function sendBatch(batch) {
		const { entries } = batch;
		try {
			const response = await handler.send(batch);
			entries.forEach((entry) => handler.added(entry, response));
		} catch (error) {
			if (mayHaveChanged(error)) markAsUnknown(entries);
			if (handler.mayDivide && fateOf(error) === 'rejected' && entries.length > 1) {
				const { length } = entries;
				const size = length > MAX_SENT_ONE_BY_ONE ? Math.ceil(length / 2) : 1;
				for (const part of chunk(entries, size)) await sendBatch({ ...batch, entries: part });
			} else {
				entries.forEach((entry) => handler.failed(entry, error));
			}
		}
	};
}

function markAsUnknown(entries: Entry[]): void {
	for (const { rows } of entries) for (const row of rows) row.mayBeAdded = true;
}
