// What is written into class_sales, and what the caller is told of its own sale.
import type { Book } from './book';
import { keyOf } from './desired';
import { NO_CLASS, type Payment } from './payments';
import type { Done, Round, Snapshot } from './state';
import type { Sale } from './tables';

/** Rows that are carried out: all addresses of their payment were looked at after they had been recorded. */
export function finishedSales(book: Book, visited: string[]): Sale[] {
	const ofPayments = book.payments
		.filter(({ emails }) => emails.every((email) => visited.includes(email)))
		.flatMap((payment) => payment.sales.map((sale) => checkedSale(book, payment, sale)));
	const endings = book.endings.map((sale) => checkedEnding(book, sale));
	return [...ofPayments, ...endings].filter(({ isDone }) => !isDone);
}

/** An end by hand, with a problem if it ends nothing: an owner has mistyped something. */
function checkedEnding({ accesses }: Book, sale: Sale): Sale {
	if (accesses.has(keyOf(sale)) || sale.kind !== 'ended' || sale.problem !== undefined) return sale;
	const problem = `class_sales gives ${sale.email} no access to class "${sale.classId}", so nothing ends. Enter the buyer's address, and a classId of class_products.`;
	return { ...sale, problem };
}

/** A row with what is wrong with it, if it was paid for nothing. */
function checkedSale({ accesses }: Book, { id, email, sales }: Payment, sale: Sale): Sale {
	if (sale.problem !== undefined) return sale;
	// Said once: some shops repeat a refund for days, if it fails.
	const isFirst = sales[0]!.id === sale.id;
	if (isFirst && sales.every(({ kind }) => kind === 'refunded'))
		return { ...sale, problem: 'There was no such payment yet. If it comes, it gives nothing.' };
	for (const { classId } of sale.gifts) {
		const until = accesses.get(keyOf({ email, classId }))?.uselessPayments.get(id);
		if (until === undefined) continue;
		const problem = `Payment ${id} doesn't prolong the access to class ${classId}, which lasts until ${new Date(until).toISOString()} already. To give more, add a row of kind given.`;
		return { ...sale, problem };
	}
	return sale;
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

/**
 * What came of the sale of the call.
 * @returns null if its row is not among those that were looked up
 */
export function resultOf(
	{ payments, endings, accesses }: Book,
	round: Round,
	{ now, sale: call }: Snapshot,
): Done | null {
	const isOfCall = ({ id }: Sale) => id === call?.id;
	const payment = payments.find(({ sales }) => sales.some(isOfCall));
	const sale = [...(payment?.sales ?? []), ...endings].find(isOfCall);
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
	const isAdded = round.accesses.some(
		({ request, outcome }) => request === 'add' && outcome?.kind === 'done',
	);
	if (isAdded) return { result: 'added' };
	const { email } = payment;
	const isIn = classIds.some(
		(classId) => (accesses.get(keyOf({ email, classId }))?.end ?? 0) > now,
	);
	if (!isIn) return { result: 'ignored', reason: 'The access has ended.' };
	return { result: 'already processed' };
}
