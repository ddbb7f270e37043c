// Which rows of `class_sales` are carried out, and what is wrong with them by all that is known of their buyers.
import { DateTime } from 'luxon';

import type { Book } from '../book/book';
import { keyOf } from '../book/desired';
import type { Payment } from '../book/payments';
import type { Round } from '../state';
import { NO_CLASS } from '../tables/products';
import { emailsOf } from '../tables/rows';
import type { Gift, Sale } from '../tables/sales';

/** Rows that are carried out: all addresses of their payment were locked when they were read. */
export function finishedSales(book: Book, { buyers, accesses }: Round): Sale[] {
	const emails = emailsOf(buyers);
	const ofPayments = book.payments
		// Without an address, such as a refund that came first, it is carried out at once.
		.filter((payment) => payment.emails.every((email) => emails.includes(email)))
		.flatMap((payment) => payment.sales.map((sale) => checkedSale(book, payment, sale)));
	const removals = accesses.filter(({ request }) => request === 'remove');
	const removed = removals.map(({ student }) => keyOf(student));
	const endings = book.endings.map((sale) => checkedEnding(book, removed, sale));
	return [...ofPayments, ...endings].filter(({ isDone }) => !isDone);
}

/** An end by hand, with a problem if it ends nothing: an owner has mistyped something. */
function checkedEnding({ accesses }: Book, removed: string[], sale: Sale): Sale {
	if (sale.kind !== 'ended' || sale.problem) return sale;
	const { end = 0 } = accesses.get(keyOf(sale)) ?? {};
	if (end > 0 && sale.until !== null && end < sale.until) {
		const problem = `The access of ${sale.email} to class "${sale.classId}" ends on ${DateTime.fromMillis(end).toISODate()} already, before that. To prolong it, add a row of kind given.`;
		return { ...sale, problem };
	}
	if (end > 0 || removed.includes(keyOf(sale))) return sale;
	const problem = `class_sales gives ${sale.email} no access to class "${sale.classId}", so nothing ends. Enter the buyer's address, and a classId of class_products. What no sale gives can only end at once, without until.`;
	return { ...sale, problem };
}

/** A row with what is wrong with it, if it was paid for nothing, or perhaps for somebody else. */
function checkedSale({ accesses, payments }: Book, payment: Payment, sale: Sale): Sale {
	const { id, email, sales } = payment;
	if (sale.problem) return sale;
	// Said once: some shops repeat a refund for days, if it fails. Others give it a number of its own.
	if (sale.id === sales[0]!.id && sales.every(({ kind }) => kind === 'refunded')) {
		const problem = `There was no payment ${id} yet. If it comes, it gives nothing. If it came under another number, add a row of kind refunded with its paymentId.`;
		return { ...sale, problem };
	}
	const gifts = sale.gifts.filter(({ classId }) => classId !== NO_CLASS);
	const [aim, kind] = sale.kind === 'given' ? ['end it earlier', 'ended'] : ['give more', 'given'];
	const problems = gifts.flatMap(({ classId }) => {
		const until = accesses.get(keyOf({ email, classId }))?.uselessPayments.get(id);
		if (until === undefined) return [];
		return `Payment ${id} doesn't prolong the access to class ${classId}, which lasts until ${new Date(until).toISOString()} already. To ${aim}, add a row of kind ${kind}.`;
	});
	// Of several classes, the buyer may have one for longer already, such as a community.
	const problem = problems.length === gifts.length ? problems[0] : undefined;
	return { ...sale, problem: problem ?? correctedAddress(payments, payment, sale) };
}

/** Says that a payment comes with an address that was corrected in another one: shops renew with the old one. Empty otherwise. */
function correctedAddress(
	payments: Payment[],
	{ id, email }: Payment,
	{ kind, gifts }: Sale,
): string {
	const isOfClass = ({ classId }: Gift) =>
		classId !== NO_CLASS && gifts.some((gift) => gift.classId === classId);
	const moved = payments.find(
		(other) => other.email !== email && other.emails.includes(email) && other.gifts.some(isOfClass),
	);
	if (kind !== 'paid' || !moved) return '';
	return `Payment ${id} gives ${email} access, but payment ${moved.id} of ${email} is of ${moved.email} now. If this one is, too, add a row of kind moved, and correct the address in your shop.`;
}
