import chunk from 'lodash/chunk';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../../transport/client';
import type { Row, Student } from './students';

/** A row that passed all checks. */
export interface PendingRow extends Row {
	client: Client;
	/** What became of it; undefined as long as nothing has. */
	outcome?: { is: 'added'; item: INodeExecutionData } | { is: 'failed'; error: unknown };
	/** Whether a request that contained it may have added it, although no try succeeded. */
	mayBeAdded: boolean;
}

/** A student who is sent once, even if several rows contain them. */
export interface Entry {
	student: Student;
	rows: PendingRow[];
}

/** The students of one request. */
export interface Batch {
	client: Client;
	classId: string;
	entries: Entry[];
}

/**
 * Divides students into requests: by credential and class, each email address once (whatever the case, the later row
 * winning).
 */
export function toBatches(rows: PendingRow[]): Batch[] {
	const byClient = new Map<Client, Map<string, Map<string, Entry>>>();
	for (const row of rows) {
		const byClass = getOrAdd(byClient, row.client, () => new Map<string, Map<string, Entry>>());
		const byAddress = getOrAdd(byClass, row.classId, () => new Map<string, Entry>());
		const { student } = row;
		const address = student.email.toLowerCase();
		const entry = getOrAdd(byAddress, address, () => ({ student, rows: [] }));
		entry.student = student;
		entry.rows.push(row);
	}
	return [...byClient].flatMap(([client, byClass]) =>
		[...byClass].flatMap(([classId, byAddress]) =>
			divide([...byAddress.values()]).map((entries) => ({ client, classId, entries })),
		),
	);
}

function divide(entries: Entry[]): Entry[][] {
	const sizes = entries.flatMap(({ rows }) => rows.map(({ batchSize }) => batchSize));
	return chunk(
		entries,
		sizes.reduce((least, size) => Math.min(least, size)),
	);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
	const value = map.get(key) ?? create();
	map.set(key, value);
	return value;
}
