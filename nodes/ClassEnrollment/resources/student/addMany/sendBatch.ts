import chunk from 'lodash/chunk';
import type { IDataObject } from 'n8n-workflow';
import { idOf } from '../../../classes/idOf';
import { readAllClasses } from '../../../classes/readClasses';
import { isNotFound, isRejection, type ServiceError } from '../../../transport/serviceError';
import type { Batch, Entry, TargetClass } from './batches';

const REJECTIONS_BEFORE_DOUBT = 20;

/** How to send students, and what to do with those that were added and those that were not. */
export interface BatchHandler {
	/** Whether to send what the service rejects again in smaller parts. */
	mayDivide: boolean;
	send: (target: TargetClass, entries: Entry[]) => Promise<IDataObject>;
	added: (entry: Entry, response: IDataObject) => void;
	failed: (entry: Entry, error: unknown) => void;
}

/**
 * Returns a function that sends a batch. What the service rejects is sent again in halves, and at last one by one, so
 * that every student whom the service accepts is added, and each other one fails with what the service said of them.
 * Every other error is that of all students in the request, and a class that does not exist ends all further requests
 * for it.
 */
export function createBatchSender(handler: BatchHandler): (batch: Batch) => Promise<void> {
	return async function sendBatch(batch) {
		const { target, entries, splits } = batch;
		const fail = (error: unknown) => entries.forEach((entry) => handler.failed(entry, error));
		if (target.notFoundError) return fail(target.notFoundError);
		try {
			const response = await handler.send(target, entries);
			target.hasAdded = true;
			entries.forEach((entry) => handler.added(entry, response));
		} catch (error) {
			const isRejected = handler.mayDivide && isRejection(error);
			if (isRejected) await checkClassExists(target, error);
			if (!isRejected || entries.length === 1 || target.notFoundError) return fail(error);
			const size = splits.left-- > 0 ? Math.ceil(entries.length / 2) : 1;
			for (const part of chunk(entries, size)) await sendBatch({ ...batch, entries: part });
		}
	};
}

/** Looks a class up in the class list, once, when the service has rejected so much for it that it may not exist. */
async function checkClassExists(target: TargetClass, rejection: ServiceError): Promise<void> {
	target.rejections++;
	if (target.hasAdded || target.rejections < REJECTIONS_BEFORE_DOUBT) return;
	target.exists ??= isInClassList(target);
	if (!(await target.exists) && !target.hasAdded) target.notFoundError = rejection;
}

async function isInClassList({ send, classId }: TargetClass): Promise<boolean> {
	try {
		const { classes, missing } = await readAllClasses(send);
		return missing > 0 || classes.some((entry) => idOf(entry) === classId);
	} catch (error) {
		// As long as it may exist, no student is given up. But if not even the list is found, neither is the class.
		return !isNotFound(error);
	}
}
