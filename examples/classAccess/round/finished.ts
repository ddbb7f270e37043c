// Which rows of `class_sales` are carried out.
import type { Book } from '../book/book';
import { keyOf } from '../book/desired';
import { checkedEnding, checkedSale } from '../book/checks';
import type { Round } from '../state';
import { emailsOf } from '../tables/rows';
import type { Sale } from '../tables/sales';

/** Rows that are carried out: all addresses of their payment, and whom they were about before, were locked when they were read. */
export function finishedSales(book: Book, { buyers, accesses }: Round): Sale[] {
	const emails = emailsOf(buyers);
	const ofPayments = book.payments
		// Without an address, such as a refund that came first, it is carried out at once.
		.filter((payment) => payment.emails.every((email) => emails.includes(email)))
		.flatMap((payment) => payment.sales.map((sale) => checkedSale(book, payment, sale)));
	const removals = accesses.filter(({ request }) => request === 'remove');
	const removed = removals.map(({ student }) => keyOf(student));
	const others = book.otherRows.map((sale) => checkedEnding(book, removed, sale));
	return [...ofPayments, ...others].filter(
		({ isDone, formerEmails }) => !isDone && formerEmails.every((email) => emails.includes(email)),
	);
}
