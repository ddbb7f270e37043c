import chunk from 'lodash/chunk';
import type { IDataObject } from 'n8n-workflow';
import { CLASSES_PER_PAGE, createPageReader } from '../../classes/classPages';
import { idOf, readClasses } from '../../classes/readClasses';
import { isNotFound, isRejection, type ServiceError } from '../../transport/serviceError';
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
		const { target, entries, rejectable } = batch;
		const fail = (error: unknown) => entries.forEach((entry) => handler.failed(entry, error));
		if (target.missing) return fail(target.missing);
		try {
			const response = await handler.send(target, entries);
			target.hasAdded = true;
			entries.forEach((entry) => handler.added(entry, response));
		} catch (error) {
			const isRejected = handler.mayDivide && isRejection(error);
			if (isRejected) await doubtClass(target, error);
			if (!isRejected || entries.length === 1 || target.missing) return fail(error);
			const size = rejectable.parts-- > 0 ? Math.ceil(entries.length / 2) : 1;
			for (const part of chunk(entries, size)) await sendBatch({ ...batch, entries: part });
		}
	};
}

/** Looks a class up in the class list, once, when the service has rejected so much for it that it may not exist. */
async function doubtClass(target: TargetClass, rejection: ServiceError): Promise<void> {
	target.rejections++;
	if (target.hasAdded) return;
	if (!isNotFound(rejection) && target.rejections < REJECTIONS_BEFORE_DOUBT) return;
	target.exists ??= isInClassList(target);
	if (!(await target.exists)) target.missing = rejection;
}

async function isInClassList({ send, classId }: TargetClass): Promise<boolean> {
	const readPage = createPageReader(send, {});
	const options = { pageSize: CLASSES_PER_PAGE, limit: Infinity };
	try {
		const { classes, missing } = await readClasses(readPage, options);
		return missing > 0 || classes.some((entry) => idOf(entry) === classId);
	} catch (error) {
		// As long as it may exist, no student is given up. But where not even the list is found, nothing is.
		return !isNotFound(error);
	}
}
