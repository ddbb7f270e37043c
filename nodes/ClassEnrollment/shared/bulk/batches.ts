import type { IDataObject } from 'n8n-workflow';
import { isRefusal } from '../transport/errors';
import type { Student } from './rows';

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
		const rowsBefore = entries.get(key)?.rows ?? [];
		entries.set(key, { student: row.student, rows: [...rowsBefore, row] });
	}
	return [...classes].flatMap(([classId, entries]) =>
		chunks([...entries.values()], size).map((chunk) => ({ classId, entries: chunk })),
	);
}

export interface BatchOutcome<Row> {
	added: (entry: Entry<Row>, answer: IDataObject) => void;
	failed: (entry: Entry<Row>, error: unknown) => void;
}

/**
 * Sends a batch. One that the service refuses is halved, and again, until the students at fault stand alone;
 * for every other error the whole batch fails.
 * @param halve whether to halve at all
 */
export async function sendBatch<Row>(
	{ classId, entries }: Batch<Row>,
	send: (batch: Batch<Row>) => Promise<IDataObject>,
	halve: boolean,
	outcome: BatchOutcome<Row>,
): Promise<void> {
	try {
		const answer = await send({ classId, entries });
		entries.forEach((entry) => outcome.added(entry, answer));
	} catch (error) {
		if (!halve || entries.length === 1 || !isRefusal(error)) {
			entries.forEach((entry) => outcome.failed(entry, error));
			return;
		}
		const halves = chunks(entries, Math.ceil(entries.length / 2));
		await Promise.all(
			halves.map(async (half) => await sendBatch({ classId, entries: half }, send, halve, outcome)),
		);
	}
}

function chunks<Element>(elements: Element[], size: number): Element[][] {
	const count = Math.ceil(elements.length / size);
	return Array.from({ length: count }, (_, index) =>
		elements.slice(index * size, (index + 1) * size),
	);
}
