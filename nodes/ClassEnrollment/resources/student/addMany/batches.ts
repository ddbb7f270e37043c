import chunk from 'lodash/chunk';
import type { Send } from '../../../transport/client';
import type { ServiceError } from '../../../transport/serviceError';
import type { Row, Student } from './students';

/** A row that passed all checks. */
export interface PendingRow extends Row {
	/** Its place among all rows, which is also its place in the output. */
	position: number;
	send: Send;
	/** Added also means: by an earlier try of this run. */
	state: 'added' | 'notAdded' | 'unknown';
}

/** A student who is sent once, though several rows may name them. */
export interface Entry {
	student: Student;
	rows: PendingRow[];
}

/** A class to which students are added, with one credential. */
export interface TargetClass {
	classId: string;
	send: Send;
	entries: Map<string, Entry>;
	/** Whether the service accepted a student for it. */
	hasAdded: boolean;
	/** How many requests for it the service rejected. */
	rejections: number;
	/** Whether it is in the class list, once that was asked. */
	exists?: Promise<boolean>;
	/** What the service said when it rejected a student, once it is known that the class does not exist. */
	notFoundError?: ServiceError;
}

/** Students of one request. */
export interface Batch {
	target: TargetClass;
	entries: Entry[];
	/** How often its parts, which share this, may be halved before their students are sent one by one. */
	splits: { left: number };
}

// So that a batch that is rejected throughout takes few more requests than it has students.
const STUDENTS_PER_SPLIT = 8;

/**
 * Divides students into requests: by credential and class, each email address once (whatever the case, the later row
 * winning).
 */
export function toBatches(rows: PendingRow[]): Batch[] {
	const targets: TargetClass[] = [];
	const byCredential = new Map<Send, Map<string, TargetClass>>();
	for (const row of rows) {
		const { send, classId, student } = row;
		const byClass = byCredential.get(send) ?? new Map<string, TargetClass>();
		byCredential.set(send, byClass);
		const target = byClass.get(classId) ?? {
			classId,
			send,
			entries: new Map<string, Entry>(),
			hasAdded: false,
			rejections: 0,
		};
		if (!byClass.has(classId)) targets.push(target);
		byClass.set(classId, target);

		const address = student.email.toLowerCase();
		const entry = target.entries.get(address) ?? { student, rows: [] };
		target.entries.set(address, entry);
		entry.student = student;
		entry.rows.push(row);
	}
	return targets.flatMap((target) => {
		const entries = [...target.entries.values()];
		const size = entries.reduce(
			(least, { rows: [row] }) => Math.min(least, row!.batchSize),
			Infinity,
		);
		return chunk(entries, size).map((part) => ({
			target,
			entries: part,
			splits: { left: Math.ceil(part.length / STUDENTS_PER_SPLIT) },
		}));
	});
}
