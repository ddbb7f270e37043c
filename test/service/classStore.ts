import { randomUUID } from 'node:crypto';
import { Refusal } from './refusal';

export interface Class {
	id: string;
	name: string;
	/** ISO 8601 in UTC, as is `updatedAt`. */
	createdAt: string;
	updatedAt: string;
	countStudents: number;
}

export interface Student {
	name?: string;
	email: string;
	/** ISO 8601 in UTC. */
	expirationDate?: string;
}

/** Makes of an address what is the same for the same student. */
export type KeyOf = (email: string) => string;

const inLowerCase: KeyOf = (email) => email.toLowerCase();

export type ClassStore = ReturnType<typeof createClassStore>;

interface Entry {
	class: Class;
	/** By email, in lower case unless the service distinguishes case. */
	enrollments: Map<string, Student>;
}

/** Keeps the classes and their enrollments in memory. Throws a `Refusal` for an unknown class or student. */
export function createClassStore() {
	const entries = new Map<string, Entry>();

	function find(id: string): Entry {
		const entry = entries.get(id);
		if (!entry) throw new Refusal(`Class not found: ${id}`);
		return entry;
	}

	/** Sets `updatedAt` (ISO 8601; default: now). */
	function touchClass(id: string, updatedAt = new Date().toISOString()): void {
		find(id).class.updatedAt = updatedAt;
	}

	/** All classes with their enrollments, in the order in which they were added. */
	const listClasses = () =>
		[...entries.values()].map((entry) => ({
			...entry.class,
			students: [...entry.enrollments.values()],
		}));

	return {
		/** Adds a class and returns it. Defaults: a UUID, the current time, 0 students. */
		addClass(details: { name: string } & Partial<Class>): Class {
			const createdAt = details.createdAt ?? new Date().toISOString();
			const added: Class = {
				id: details.id ?? randomUUID(),
				name: details.name,
				createdAt,
				updatedAt: details.updatedAt ?? createdAt,
				countStudents: details.countStudents ?? 0,
			};
			entries.set(added.id, { class: added, enrollments: new Map() });
			return { ...added };
		},

		deleteClass: (id: string) => void entries.delete(find(id).class.id),

		/** Changes the name and `updatedAt`. */
		renameClass(id: string, name: string): void {
			find(id).class.name = name;
			touchClass(id);
		},

		touchClass,
		listClasses,

		/** The enrollments of one class, in the order of their first addition. */
		studentsOf: (id: string) => [...find(id).enrollments.values()],

		/** Whether a student is in a class. */
		isIn: (id: string, email: string, keyOf = inLowerCase) =>
			find(id).enrollments.has(keyOf(email)),

		/** Enrolls the students in every class of `ids`, and replaces existing enrollments. All or nothing. */
		enroll(ids: string[], students: Student[], keyOf = inLowerCase): void {
			for (const { class: target, enrollments } of ids.map(find)) {
				for (const student of students) {
					const key = keyOf(student.email);
					if (!enrollments.has(key)) target.countStudents++;
					enrollments.set(key, student);
				}
				touchClass(target.id);
			}
		},

		/** Ends the enrollment of a student in every class of `ids`. All or nothing. */
		remove(ids: string[], email: string, keyOf = inLowerCase): void {
			const key = keyOf(email);
			const targets = ids.map(find);
			const without = targets.find(({ enrollments }) => !enrollments.has(key));
			if (without) throw new Refusal(`Student ${email} not found in class ${without.class.id}`);
			for (const { class: target, enrollments } of targets) {
				enrollments.delete(key);
				target.countStudents--;
				touchClass(target.id);
			}
		},

		/** Everything but `updatedAt`, to compare. */
		toJSON: () => listClasses().map(({ updatedAt, ...others }) => others),
	};
}
