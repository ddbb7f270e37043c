// What is written when the learning platform has answered.
import { studentAfterRequest, type RequestOutcome } from './answers';
import { keyOf } from './desired';
import type { Book } from './book';
import { isTold, peopleOf, wanted } from './differences';
import type { Payment } from './payments';
import type { Sale, Student } from './tables';

/** The students of the locked buyers, as the answers leave them. */
export function studentsAfter(book: Book, outcomes: RequestOutcome[]): Student[] {
	const byKey = new Map(outcomes.map((outcome) => [keyOf(outcome.request), outcome]));
	return peopleOf(book).map((student) => {
		const outcome = byKey.get(keyOf(student));
		if (outcome) return studentAfterRequest(student, outcome, book.now);
		const end = wanted(book.accesses, student, book.now);
		if (isTold(student, end)) return { ...student, checkAt: end, problem: '' };
		// Nothing was asked, since it was rejected for good, mustn't be removed now, or there was no time.
		const isDue = student.checkAt !== null && student.checkAt <= book.now;
		return student.problem !== '' || isDue ? student : { ...student, checkAt: book.now };
	});
}

/** Students whose row is to be written: those of which something is known that their row doesn't say. */
export function changedStudents(book: Book, after: Student[]): Student[] {
	return after.filter((student) => {
		const before = book.students.get(keyOf(student));
		return (
			!before ||
			Object.entries(student).some(([name, value]) => before[name as keyof Student] !== value)
		);
	});
}

/** Rows of `class_sales` that are carried out: all addresses of their payment were looked at after they had been recorded. */
export function finishedSales(book: Book, visited: string[]): Sale[] {
	const isVisited = (email: string) => visited.includes(email);
	const ofPayments = book.payments
		.filter(({ emails }) => emails.every(isVisited))
		.flatMap((payment) => payment.sales.map((sale) => checkedSale(book, payment, sale)));
	const endings = book.endings.map((sale) => checkedEnding(book, sale));
	return [...ofPayments, ...endings].filter(({ isDone }) => !isDone);
}

/** An end by hand, with a problem if the student has never had this access: an owner has mistyped something. */
function checkedEnding({ accesses, students }: Book, sale: Sale): Sale {
	const key = keyOf(sale);
	const isKnown = accesses.has(key) || students.has(key);
	if (isKnown || sale.kind !== 'ended' || sale.problem !== undefined) return sale;
	const problem = `class_sales gives ${sale.email} no access to class "${sale.classId}", so nothing ends. Enter the buyer's address, and a classId of class_products.`;
	return { ...sale, problem };
}

/** Rows that say no address, with that of their payment, so that whoever holds its buyer finds them. */
export function salesWithAddressOfPayment({ payments }: Book, finished: Sale[]): Sale[] {
	const ids = new Set(finished.map(({ id }) => id));
	return payments.flatMap(({ email, sales }) =>
		sales
			.filter((sale) => email !== '' && sale.email === '' && !sale.isDone && !ids.has(sale.id))
			.map((sale) => ({ ...sale, email })),
	);
}

/** A row with what is wrong with it, if it was paid for nothing. */
function checkedSale(book: Book, payment: Payment, sale: Sale): Sale {
	const { id, email, sales } = payment;
	if (sale.problem !== undefined) return sale;
	// Said once: some shops repeat a refund for days, if it fails.
	const isFirst = sales[0]!.id === sale.id;
	if (isFirst && sales.every(({ kind }) => kind === 'refunded'))
		return { ...sale, problem: 'There was no such payment yet. If it comes, it gives nothing.' };
	const classIds = sale.gifts.map(({ classId }) => classId);
	const isUseless = (classId: string) =>
		book.accesses.get(keyOf({ email, classId }))?.uselessPayments.has(id) ?? false;
	const useless = classIds.find(isUseless);
	if (useless === undefined) return sale;
	const until = book.accesses.get(keyOf({ email, classId: useless }))!.uselessPayments.get(id)!;
	const problem = `Payment ${id} doesn't prolong the access to class ${useless}, which lasts until ${new Date(until).toISOString()} already. To give more, add a row of kind given.`;
	return { ...sale, problem };
}
