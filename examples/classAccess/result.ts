// What the caller is told of its own sale.
import type { RequestOutcome } from './answers';
import type { Book } from './book';
import { keyOf } from './desired';
import { NO_CLASS } from './payments';
import type { Done } from './state';

/** @returns null if its row is not among those that were looked up */
export function resultOf(book: Book, outcomes: RequestOutcome[], id?: number): Done | null {
	const payment = book.payments.find(({ sales }) => sales.some((sale) => sale.id === id));
	const sale = [...(payment?.sales ?? []), ...book.endings].find((row) => row.id === id);
	if (!sale) return null;
	// Another execution has done it, and found this.
	if (sale.isDone && sale.notedProblem !== '')
		return { result: 'failed', reason: sale.notedProblem };
	if (!payment) return { result: 'removed' };
	const isRepeated = payment.sales.some(
		(row) => row.kind === sale.kind && row.id < sale.id && row.isDone,
	);
	if (sale.kind === 'refunded') return { result: isRepeated ? 'already processed' : 'removed' };
	if (payment.isRefunded) return { result: 'ignored', reason: 'The payment was refunded.' };
	const classIds = payment.gifts.flatMap(({ classId }) => (classId === NO_CLASS ? [] : [classId]));
	if (classIds.length === 0) return { result: 'ignored', reason: 'No class was bought.' };
	const isAdded = outcomes.some(({ request, kind }) => request.end !== null && kind === 'done');
	if (isAdded) return { result: 'added' };
	const { email } = payment;
	const isIn = classIds.some(
		(classId) => (book.accesses.get(keyOf({ email, classId }))?.end ?? 0) > book.now,
	);
	if (!isIn) return { result: 'ignored', reason: 'The access has ended.' };
	return { result: 'already processed' };
}
