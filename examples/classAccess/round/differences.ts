// What the learning platform must be told, so that it agrees with what is paid.
import type { Book } from '../book/book';
import { keyOf, type DesiredAccess } from '../book/desired';
import type { Access, LockedBuyer, Snapshot } from '../state';
import type { Product } from '../tables/products';
import { readRow, type Student } from '../tables/rows';
import { STUDENT_COLUMNS, type Time } from '../types';

/**
 * Compares what the locked buyers should have with what the learning platform was told.
 * @param mayRemove whether a student may be removed whose access has ended, or was taken back before
 */
export function differences(
	{ students, products, now }: Snapshot,
	{ accesses }: Book,
	buyers: LockedBuyer[],
	mayRemove: (hasEnded: boolean) => boolean,
): Access[] {
	const rows = new Map(students.map((student) => [keyOf(student), student]));
	const keys = [...new Set([...rows.keys(), ...accesses.keys()])];
	return keys.flatMap((key): Access[] | Access => {
		const [row, desired] = [rows.get(key), accesses.get(key)];
		const buyer = buyers.find(({ email }) => email === (row ?? desired)!.email);
		// Somebody without a row isn't in the class, unless an execution has added them and died.
		const mayBeIn = row !== undefined || buyer?.isAbandoned === true;
		if (!buyer || (!mayBeIn && desired!.end <= now)) return [];
		// An owner has entered them, for ever.
		if (!desired && row!.inClass === true && row!.end === null) return [];
		const student = row ?? newStudent(desired!, products);
		const told = buyer.isAbandoned ? { ...student, inClass: null } : student;
		return differenceOf(told, desired, now, mayRemove);
	});
}

/** What is rejected for good isn't asked again, until a row of `class_sales` is about it or its time comes. */
function differenceOf(
	student: Student,
	desired: DesiredAccess | undefined,
	now: Time,
	mayRemove: (hasEnded: boolean) => boolean,
): Access {
	const end = endOf(student, desired, now);
	const isAgreed =
		end === null ? student.inClass === false : student.inClass === true && student.end === end;
	const access = { end, givenAt: desired?.givenAt ?? 0 };
	// Somebody may have removed them on the learning platform.
	const mayBeOut = desired?.isAskedAgain || (student.problem !== '' && desired?.hasOpenSale);
	if (isAgreed && !(end !== null && mayBeOut))
		return { ...access, student: { ...student, checkAt: end, problem: '' }, request: null };
	const isDue = student.checkAt !== null && student.checkAt <= now;
	if (student.problem !== '' && !isDue && !desired?.hasOpenSale)
		return { ...access, student, request: null };
	const hasEnded = student.end !== null && student.end <= now;
	const removal = mayRemove(hasEnded) || desired?.hasOpenSale ? 'remove' : 'withheld';
	return {
		...access,
		// If it isn't asked or answered in this round, it is in the next hour.
		student: { ...student, name: desired?.name || student.name, checkAt: now },
		request: end === null ? removal : 'add',
	};
}

/** Until when a student should be in a class, or null. Without a row of `class_sales`, nobody is removed before the end. */
function endOf({ end }: Student, desired: DesiredAccess | undefined, now: Time): Time | null {
	const wanted = desired ? desired.end : end;
	return wanted !== null && wanted > now ? wanted : null;
}

function newStudent({ email, classId, name }: DesiredAccess, products: Product[]): Student {
	const className = products.find((row) => row.classId === classId)?.className;
	return readRow(STUDENT_COLUMNS, { email, classId, name, className, inClass: false });
}
