import type { IDataObject } from 'n8n-workflow';
import { isRefusal } from '../transport/errors';
import type { Student } from './rows';

const REFUSED_BEFORE_GIVING_UP = 20;

/** A student that goes out once, though several rows may name it. */
export interface Entry<Row> {
	student: Student;
	rows: Row[];
}

export interface Batch<Row> {
	classId: string;
	entries: Array<Entry<Row>>;
}

/**
 * Puts students into requests: by class, each e-mail address once (in any case of letters, the later row winning),
 * at most `size` students in a request.
 */
export function intoBatches<Row extends { classId: string; student: Student }>(
	rows: Row[],
	size: number,
): Array<Batch<Row>> {
	const classes = new Map<string, Map<string, Entry<Row>>>();
	for (const row of rows) {
		const entries = classes.get(row.classId) ?? new Map<string, Entry<Row>>();
		classes.set(row.classId, entries);
		const key = row.student.email.toLowerCase();
		const entry = entries.get(key) ?? { student: row.student, rows: [] };
		entry.student = row.student;
		entry.rows.push(row);
		entries.set(key, entry);
	}
	return [...classes].flatMap(([classId, entries]) =>
		chunks([...entries.values()], size).map((chunk) => ({ classId, entries: chunk })),
	);
}

interface BatchOutcome<Row> {
	added: (entry: Entry<Row>, answer: IDataObject) => void;
	failed: (entry: Entry<Row>, error: unknown) => void;
}

/**
 * Sends a batch. One that the service refuses is halved, and again, until the students at fault stand alone;
 * for every other error the whole batch fails.
 * @param mayHalve whether halving is still worth it
 */
export async function sendBatch<Row>(
	batch: Batch<Row>,
	send: (batch: Batch<Row>) => Promise<IDataObject>,
	mayHalve: () => boolean,
	outcome: BatchOutcome<Row>,
): Promise<void> {
	const { classId, entries } = batch;
	try {
		const answer = await send(batch);
		entries.forEach((entry) => outcome.added(entry, answer));
	} catch (error) {
		if (entries.length === 1 || !isRefusal(error) || !mayHalve()) {
			entries.forEach((entry) => outcome.failed(entry, error));
			return;
		}
		for (const half of chunks(entries, Math.ceil(entries.length / 2))) {
			await sendBatch({ classId, entries: half }, send, mayHalve, outcome);
		}
	}
}

/**
 * Tells for a class whether halving is worth it: not while many students were refused and none was added, for then
 * it is the class that the service refuses.
 */
export function createHalvingRule() {
	const addedTo = new Set<string>();
	const refusedIn = new Map<string, number>();
	return {
		added: (classId: string) => addedTo.add(classId),
		refused: (classId: string) => refusedIn.set(classId, (refusedIn.get(classId) ?? 0) + 1),
		mayHalve: (classId: string) =>
			addedTo.has(classId) || (refusedIn.get(classId) ?? 0) < REFUSED_BEFORE_GIVING_UP,
	};
}

function chunks<Element>(elements: Element[], size: number): Element[][] {
	const count = Math.ceil(elements.length / size);
	return Array.from({ length: count }, (_, index) =>
		elements.slice(index * size, (index + 1) * size),
	);
}
