import chunk from 'lodash/chunk';
import type { Send } from '../../transport/client';
import type { ServiceError } from '../../transport/serviceError';
import type { Row, Student } from './students';

/** A row that passed all checks and was not sent by an earlier try. */
export interface PendingRow extends Row {
	/** Its place among all rows, which is also its place in the output. */
	position: number;
	send: Send;
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
	/** What the service said of a student, where the class does not exist. */
	missing?: ServiceError;
}

/** Students of one request. */
export interface Batch {
	target: TargetClass;
	entries: Entry[];
	/** How many requests of this batch may be rejected before its students are sent one by one. */
	rejectable: { parts: number };
}

// So that a batch that is rejected throughout takes few more requests than it has students.
const STUDENTS_PER_REJECTED_PART = 8;

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
			rejectable: { parts: Math.ceil(part.length / STUDENTS_PER_REJECTED_PART) },
		}));
	});
}
