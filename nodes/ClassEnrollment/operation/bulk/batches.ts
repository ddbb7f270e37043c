import type { IDataObject } from 'n8n-workflow';
import { isRejection } from '../../transport/serviceError';
import type { Row, Student } from './students';

const REJECTED_BEFORE_GIVING_UP = 20;

/** A student who is sent once, though several rows may name them. */
export interface Entry<R> {
	student: Student;
	rows: R[];
}

export interface Batch<R> {
	classId: string;
	entries: Array<Entry<R>>;
}

/**
 * Divides students into requests: by class, each email address once (whatever the case, the later row winning).
 */
export function toBatches<R extends Row>(rows: R[]): Array<Batch<R>> {
	const classes = new Map<string, Map<string, Entry<R>>>();
	for (const row of rows) {
		const entries = classes.get(row.classId) ?? new Map<string, Entry<R>>();
		classes.set(row.classId, entries);
		const key = row.student.email.toLowerCase();
		const entry = entries.get(key) ?? { student: row.student, rows: [] };
		entry.student = row.student;
		entry.rows.push(row);
		entries.set(key, entry);
	}
	return [...classes].flatMap(([classId, byEmail]) => {
		const entries = [...byEmail.values()];
		const size = entries.reduce((least, { rows }) => Math.min(least, rows[0]!.batchSize), Infinity);
		return chunks(entries, size).map((chunk) => ({ classId, entries: chunk }));
	});
}

interface BatchOutcome<R> {
	added: (entry: Entry<R>, response: IDataObject) => void;
	failed: (entry: Entry<R>, error: unknown) => void;
}

/**
 * Sends a batch. One that the service rejects is halved, and again, until the students at fault stand alone;
 * for every other error the whole batch fails.
 * @param mayHalve whether halving is still worth it
 */
export async function sendBatch<R>(
	batch: Batch<R>,
	send: (batch: Batch<R>) => Promise<IDataObject>,
	mayHalve: () => boolean,
	outcome: BatchOutcome<R>,
): Promise<void> {
	const { classId, entries } = batch;
	try {
		const response = await send(batch);
		entries.forEach((entry) => outcome.added(entry, response));
	} catch (error) {
		if (entries.length === 1 || !isRejection(error) || !mayHalve()) {
			entries.forEach((entry) => outcome.failed(entry, error));
			return;
		}
		for (const half of chunks(entries, Math.ceil(entries.length / 2))) {
			await sendBatch({ classId, entries: half }, send, mayHalve, outcome);
		}
	}
}

/**
 * Tells for a class whether halving is worth it: not while many students were rejected and none was added, for then
 * it is the class that the service rejects.
 */
export function createHalvingRule() {
	const addedTo = new Set<string>();
	const rejectedIn = new Map<string, number>();
	return {
		added: (classId: string) => addedTo.add(classId),
		rejected: (classId: string) => rejectedIn.set(classId, (rejectedIn.get(classId) ?? 0) + 1),
		mayHalve: (classId: string) =>
			addedTo.has(classId) || (rejectedIn.get(classId) ?? 0) < REJECTED_BEFORE_GIVING_UP,
	};
}

function chunks<Element>(elements: Element[], size: number): Element[][] {
	const count = Math.ceil(elements.length / size);
	return Array.from({ length: count }, (_, index) =>
		elements.slice(index * size, (index + 1) * size),
	);
}
