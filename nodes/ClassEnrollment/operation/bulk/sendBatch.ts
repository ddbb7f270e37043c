import chunk from 'lodash/chunk';
import type { IDataObject } from 'n8n-workflow';
import { CLASSES_PER_PAGE, createPageReader } from '../../classes/classPages';
import { idOf, readClasses } from '../../classes/readClasses';
import { isNotFound, isRejection, type ServiceError } from '../../transport/serviceError';
import type { Batch, Entry, TargetClass } from './batches';

const REJECTIONS_BEFORE_DOUBT = 20;
// So that a batch that is rejected throughout takes few more requests than it has students.
const STUDENTS_PER_REJECTED_PART = 8;

/** How to send students, and what to do with those that were added and those that were not. */
export interface BatchHandler {
	/** Whether to send what the service rejects again in smaller parts. */
	mayDivide: boolean;
	send: (target: TargetClass, entries: Entry[]) => Promise<IDataObject>;
	added: (entry: Entry, response: IDataObject) => void;
	failed: (entry: Entry, error: unknown) => void;
}

/**
 * Sends a batch. What the service rejects is sent again in halves, and at last one by one, so that every student whom
 * the service accepts is added, and each other one fails with what the service said of them. Every other error is that
 * of all students in the request, and a class that does not exist ends all further requests for it.
 */
export async function sendBatch(batch: Batch, handler: BatchHandler): Promise<void> {
	const { target, entries } = batch;
	let partsToReject = Math.ceil(entries.length / STUDENTS_PER_REJECTED_PART);

	const sendPart = async (part: Entry[]): Promise<void> => {
		if (target.missing) return part.forEach((entry) => handler.failed(entry, target.missing));
		try {
			const response = await handler.send(target, part);
			target.hasAdded = true;
			part.forEach((entry) => handler.added(entry, response));
		} catch (error) {
			const rejected = handler.mayDivide && isRejection(error);
			if (rejected) await doubtClass(target, error);
			if (!rejected || part.length === 1 || target.missing) {
				return part.forEach((entry) => handler.failed(entry, error));
			}
			const size = partsToReject-- > 0 ? Math.ceil(part.length / 2) : 1;
			for (const smaller of chunk(part, size)) await sendPart(smaller);
		}
	};
	await sendPart(entries);
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
