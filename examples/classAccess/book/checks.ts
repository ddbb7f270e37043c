// What is wrong with a row that has no effect, or perhaps on somebody else.
import { DateTime } from 'luxon';

import { NO_CLASS } from '../tables/products';
import { NOTHING, type Gift, type Sale } from '../tables/sales';
import { isGiving } from '../types';
import type { Book } from './book';
import { keyOf } from './desired';
import { keptBy } from './gifts';
import { refundOfAll } from './notices';
import type { Payment } from './payments';

/** A row with what is wrong with it, if it gives nothing, or perhaps to the wrong one. */
export function checkedSale(book: Book, payment: Payment, sale: Sale): Sale {
	const found =
		sale.problem ||
		refundWithoutPayment(payment, sale) ||
		refundOfAll(payment, sale) ||
		endedLater(payment, sale) ||
		prolongsNothing(book, payment, sale) ||
		correctedAddress(book, payment, sale);
	const problem = [found, movedBefore(payment, sale)].filter(Boolean).join(' ');
	const isRejected = sale.problem !== '' && !payment.accepted.includes(sale);
	return { ...(isRejected ? sale : withEmails(sale, payment.emails)), problem };
}

/** A row that is carried out, with whom it is about: first its own address. */
function withEmails(sale: Sale, others: string[] = []): Sale {
	const { kind, email } = sale;
	if (isGiving(kind)) return { ...sale, gifts: sale.gifts.map((gift) => ({ ...gift, email })) };
	const emails = [...new Set([email, ...others])].filter(Boolean);
	return { ...sale, gifts: emails.map((about) => ({ ...NOTHING, email: about })) };
}

/** Says who keeps a payment that a row has moved, before an owner has corrected its address or number. */
function movedBefore({ emails }: Payment, { kind, formerEmails }: Sale): string {
	const isSame = formerEmails.every((email) => emails.includes(email));
	return kind !== 'moved' || isSame ? '' : keptBy(formerEmails[0]!);
}

/** Said once: some shops repeat a refund for days, if it fails. Others give it a number of its own. */
function refundWithoutPayment({ id, sales }: Payment, sale: Sale): string {
	if (sale.id !== sales[0]!.id || sales.some(({ kind }) => kind !== 'refunded')) return '';
	return `There was no payment ${id} yet. If it comes, it gives nothing. If it came under another number, add a row of kind refunded with its paymentId.`;
}

/** An owner may have corrected the row only after the end by hand. */
function endedLater({ id, ends }: Payment, { gifts }: Sale): string {
	const ended = gifts.find(({ classId }) => ends.has(classId));
	if (!ended) return '';
	return `A later row of kind ended ends what payment ${id} gives of class ${ended.classId}. To give access, add a row of kind given.`;
}

/** Of several classes, the buyer may have one for longer already, such as a community. So it is said if none is prolonged. */
function prolongsNothing(
	{ accesses }: Book,
	{ id, email }: Payment,
	{ kind, gifts }: Sale,
): string {
	const ends = gifts
		.filter(({ classId }) => classId !== NO_CLASS)
		.map(({ classId }) => {
			const until = accesses.get(keyOf({ email, classId }))?.uselessPayments.get(id);
			return { classId, until };
		});
	const [first] = ends;
	if (first?.until === undefined || ends.some(({ until }) => until === undefined)) return '';
	const [aim, next] = kind === 'given' ? ['end it earlier', 'ended'] : ['give more', 'given'];
	return `Payment ${id} doesn't prolong the access to class ${first.classId}, which lasts until ${new Date(first.until).toISOString()} already. To ${aim}, add a row of kind ${next}.`;
}

/** Says that a payment comes with an address that was corrected in another one: shops renew with the old one. Empty otherwise. */
function correctedAddress(
	{ payments }: Book,
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

/** An end by hand, with a problem if it ends nothing: an owner has mistyped something. */
export function checkedEnding({ accesses }: Book, removed: string[], sale: Sale): Sale {
	if (sale.kind !== 'ended' || sale.problem) return sale;
	const { end = 0 } = accesses.get(keyOf(sale)) ?? {};
	if (end > 0 && sale.until !== null && end < sale.until) {
		const problem = `The access of ${sale.email} to class "${sale.classId}" ends on ${DateTime.fromMillis(end).toISODate()} already, before that. To prolong it, add a row of kind given.`;
		return { ...sale, problem };
	}
	if (end > 0 || removed.includes(keyOf(sale))) return withEmails(sale);
	const problem = `class_sales gives ${sale.email} no access to class "${sale.classId}", so nothing ends. Enter the buyer's address, and a classId of class_products. What no sale gives can only end at once, without until.`;
	return { ...sale, problem };
}
