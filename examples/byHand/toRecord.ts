import type { NewSale } from '../classAccess/types';
import { END, GIVE } from './form';
import type { Task } from './readForm';

/** A row of `class_sales`, as far as it matters here. */
export interface Sale {
	paymentId?: string | null;
	kind?: string | null;
	email?: string | null;
}

/** What the canvas does next: with the form's link, with rows to be recorded, or nothing. */
export type Step =
	| ({ next: 'record' } & NewSale)
	| { next: 'link'; email: string }
	| { next: 'stop'; problem: string };

/**
 * Says what to write into the book of sales of Class access, so that it does what the form asks for, and no night undoes it.
 * @param sales the rows of the old address, if an address is corrected
 * @param now in ISO 8601; it makes the number of a gift
 */
export function toRecord(task: Task, sales: Sale[], now: string): Step[] {
	const { action, email, oldEmail, name, classId, until, problem } = task;
	if (problem) return [{ next: 'stop', problem }];
	if (task.next === 'link') return [{ next: 'link', email }];
	const row = { email, name, products: '', classId: '', until: '', paidAt: '' };
	// With a number of its own, it can be moved to another address later.
	if (action === GIVE)
		return [{ next: 'record', ...row, kind: 'given', paymentId: `by hand ${now}`, classId, until }];
	if (action === END) return [{ next: 'record', ...row, kind: 'ended', paymentId: '', classId }];
	const isOld = (sale: Sale) => sale.email?.trim().toLowerCase() === oldEmail.toLowerCase();
	const ids = sales.flatMap((sale) => (isOld(sale) && sale.paymentId ? sale.paymentId : []));
	if (ids.length === 0)
		return [{ next: 'stop', problem: `class_sales has no payment of ${oldEmail}.` }];
	return [...new Set(ids)].map((paymentId) => ({
		next: 'record',
		...row,
		kind: 'moved',
		paymentId,
	}));
}
