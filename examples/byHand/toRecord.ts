import { NO_CLASS } from '../classAccess/tables/products';
import { paymentsOf, type Payment } from '../classAccess/book/payments';
import { eachOnce, ownPaymentId, readSale } from '../classAccess/tables/sales';
import type { NewSale } from '../classAccess/types';
import type { Json } from '../codeNodes/n8n';
import { END, GIVE } from './form';
import type { Task } from './readForm';

/** What the canvas does next: with the form's link, with rows to be recorded, or nothing. */
export type Step =
	| ({ next: 'record' } & NewSale)
	| { next: 'link'; email: string }
	| { next: 'stop'; problem: string };

/**
 * Says what to write into the book of sales of Class access, so that it does what the form asks for, and doesn't undo it in
 * the next hour. Class access is called with all rows, and says what came of the first one.
 * @param sales rows of `class_sales`, if an address is corrected: those of the old address, and all of their payments
 * @param now in ISO 8601; it makes the number of a gift
 */
export function toRecord(task: Task, sales: Json[], now: string): Step[] {
	const { action, email, oldEmail, name, classId, until, problem } = task;
	const stop = (why: string): Step[] => [{ next: 'stop', problem: why }];
	if (problem) return stop(problem);
	if (task.next === 'link') return [{ next: 'link', email }];
	const row = { email, name, products: '', classId: '', until: '', paidAt: '' };
	// With a number of its own, it can be moved to another address later.
	if (action === GIVE)
		return [{ next: 'record', ...row, kind: 'given', paymentId: `by hand ${now}`, classId, until }];
	if (action === END) return [{ next: 'record', ...row, kind: 'ended', paymentId: '', classId }];
	const payments = paymentsOfAddress(oldEmail, sales);
	const unnumbered = payments.find(isUnnumbered);
	if (unnumbered)
		return stop(
			`In class_sales, ${unnumbered.id} gives ${oldEmail} access without a paymentId of its own. Enter one there, such as "gift ${now}", and begin again.`,
		);
	if (payments.length === 0) return stop(`class_sales has no payment of ${oldEmail}.`);
	// Of what gives no class, Class access would only say so.
	const classesFirst = [
		...payments.filter(mayGiveClass),
		...payments.filter((payment) => !mayGiveClass(payment)),
	];
	return classesFirst.map(({ id }) => ({ next: 'record', ...row, kind: 'moved', paymentId: id }));
}

/** The payments that belong to an address now, and may give something. */
function paymentsOfAddress(address: string, sales: Json[]): Payment[] {
	const email = address.toLowerCase();
	const rows = sales.filter(({ id }) => typeof id === 'number').map(readSale);
	return paymentsOf(eachOnce(rows), []).filter((payment) => {
		// Of an address that is none, it is nobody's yet.
		const isOwn = payment.email
			? payment.email === email
			: payment.accepted.some((sale) => sale.email === email);
		const givesNothing = payment.gifts.length === 0 && payment.sales.every(({ isDone }) => isDone);
		return isOwn && !payment.refund && !(givesNothing && isUnnumbered(payment));
	});
}

/** Whether a payment gives a class, or isn't carried out yet, so that nobody knows. */
const mayGiveClass = ({ gifts, sales }: Payment): boolean =>
	gifts.some(({ classId }) => classId !== NO_CLASS) || sales.some(({ isDone }) => !isDone);

/** Whether a payment is named after its row, so that no other row can be about it. */
const isUnnumbered = ({ id, sales }: Payment): boolean => id === ownPaymentId(sales[0]!.id);
