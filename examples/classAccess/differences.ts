// What the learning platform must be told, so that it agrees with what is paid.
import type { Book } from './book';
import { keyOf, type Access } from './desired';
import type { Product, Student } from './tables';
import type { Time } from './types';

/** A request about a student: to be in the class until `end`, or, if that is null, not to be in it. */
export interface AccessChange {
	email: string;
	classId: string;
	name: string;
	end: Time | null;
	/** The student is in the class for certain, and not at the end. So a rejected removal was not done before. */
	isSurelyIn: boolean;
}

/** Everybody of the locked buyers: who has a row, and who should have one. */
export function peopleOf({
	emails,
	abandoned,
	accesses,
	students,
	products,
	now,
}: Book): Student[] {
	const keys = new Set([...students.keys(), ...accesses.keys()]);
	const people = [...keys].map(
		(key) => students.get(key) ?? newStudent(accesses.get(key)!, products),
	);
	// A dead execution may also have added whom it has no row of.
	const isKnown = (student: Student) =>
		students.has(keyOf(student)) ||
		abandoned.includes(student.email) ||
		wanted(accesses, student, now) !== null;
	return people
		.filter((student) => emails.includes(student.email) && isKnown(student))
		.map((student) =>
			abandoned.includes(student.email) ? { ...student, inClass: null } : student,
		);
}

const newStudent = ({ email, classId, name }: Access, products: Product[]): Student => ({
	email,
	classId,
	name,
	inClass: false,
	end: null,
	problem: '',
	className: products.find((row) => row.classId === classId)?.className ?? '',
	checkAt: null,
	since: null,
	unsureUntil: null,
});

/** Until when a student should be in a class, or null: not any more. */
export function wanted(accesses: Book['accesses'], student: Student, now: Time): Time | null {
	const access = accesses.get(keyOf(student));
	// Without a row that says so, nobody is removed before the end.
	if (!access) return student.end !== null && student.end > now ? student.end : null;
	return access.end > now ? access.end : null;
}

/** The requests. What was rejected for good isn't asked again, until a row is about it or its time comes. */
export function differences(book: Book): AccessChange[] {
	return peopleOf(book).flatMap((student) => {
		const { email, classId, inClass, checkAt, problem } = student;
		const { accesses, now, keysOfOpenSales: touched } = book;
		const end = wanted(accesses, student, now);
		const isDue = touched.has(keyOf(student)) || (checkAt !== null && checkAt <= now);
		const isRejected = problem !== '' && !isDue;
		if (isRejected || isTold(student, end)) return [];
		const isSurelyIn = inClass === true && student.end !== null && student.end > now;
		const name = accesses.get(keyOf(student))?.name || student.name;
		return [{ email, classId, name, end, isSurelyIn }];
	});
}

/** Whether the learning platform was told so last, for certain. */
export const isTold = ({ inClass, end }: Student, wantedEnd: Time | null): boolean =>
	wantedEnd === null ? inClass === false : inClass === true && end === wantedEnd;
