// What is written into the tables when a round has come to its end.
import type { Book } from './book';
import { lacksLink } from './buyers';
import { keyOf } from './desired';
import { NO_CLASS } from './gifts';
import type { Payment } from './payments';
import { emailsOf } from './queue';
import type { Access, LockedBuyer, Round, Snapshot, Step } from './state';
import { ownPaymentId, type Gift, type Sale, type Student } from './tables';
import type { Time } from './types';

/** In place of an address: it unlocks no row, but keeps the canvas going. */
const NOBODY = '-';

export const stepsToWrite = (finished: Sale[], snapshot: Snapshot, round: Round): Step[] => [
	...noteStudents(snapshot, round),
	...finished.map((sale) => finishStep(sale, snapshot.now)),
	...unlockBuyers(snapshot, round),
];

/**
 * Notes the students who were compared. Who lacks a link is looked at again in the next hour. After the lease, it is only certain
 * that something was asked: then that is unknown, so that it is asked again.
 */
function noteStudents({ now }: Snapshot, round: Round): Step[] {
	const note = (student: Student): Step => ({
		next: 'note',
		...student,
		problem: student.problem || null,
	});
	const checkAt = now;
	// Somebody else may have locked the buyers meanwhile, and asked for something else.
	if (round.buyers.some(({ leaseEnd }) => leaseEnd < now))
		return round.accesses
			.filter(({ outcome }) => outcome !== undefined)
			.map(({ student }) => note({ ...student, inClass: null, checkAt }));
	const lacks = (access: Access) => round.buyers.some((buyer) => lacksLink(access, buyer));
	return round.accesses.map((access) =>
		note(lacks(access) ? { ...access.student, checkAt } : access.student),
	);
}

/**
 * Unlocks the buyers, and notes what is known of their links. The canvas unlocks nobody whom another execution has locked. After
 * the first answer that was lost, the next purchase begins anew.
 */
function unlockBuyers(
	{ buyerRows, executionId }: Snapshot,
	{ emails, buyers, accesses }: Round,
): Step[] {
	const isSettled = (buyer: LockedBuyer) => !accesses.some((access) => lacksLink(access, buyer));
	const known = buyers.map((buyer) =>
		isSettled(buyer) ? { ...buyer, linkUnknownAt: null } : buyer,
	);
	const own = buyerRows.filter(({ lockedBy }) => lockedBy === executionId);
	const steps = emails.map((email): Step => {
		const row = [...known, ...own].find((buyer) => buyer.email === email);
		const { linkedAt = null, linkUnknownAt = null } = row ?? {};
		return { next: 'unlock', email, linkedAt, linkUnknownAt };
	});
	const nobody: Step = { next: 'unlock', email: NOBODY, linkedAt: null, linkUnknownAt: null };
	return steps.length > 0 ? steps : [nobody];
}

const finishStep = ({ id, paymentId, email, gifts, problem }: Sale, doneAt: Time): Step => ({
	next: 'finish',
	id,
	email,
	// Without blanks around it, so that n8n finds it.
	paymentId: paymentId === ownPaymentId(id) ? '' : paymentId,
	doneAt,
	problem: problem || null,
	classes: gifts.length === 0 ? '' : JSON.stringify(gifts),
});

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
	const { end = 0 } = accesses.get(keyOf(sale)) ?? {};
	const endsSomething = end > 0 || removed.includes(keyOf(sale));
	if (endsSomething || sale.kind !== 'ended' || sale.problem) return sale;
	const problem = `class_sales gives ${sale.email} no access to class "${sale.classId}", so nothing ends. Enter the buyer's address, and a classId of class_products.`;
	return { ...sale, problem };
}

/** A row with what is wrong with it, if it was paid for nothing, or perhaps for somebody else. */
function checkedSale({ accesses, payments }: Book, payment: Payment, sale: Sale): Sale {
	const { id, email, sales } = payment;
	if (sale.problem) return sale;
	// Said once: some shops repeat a refund for days, if it fails.
	if (sale.id === sales[0]!.id && sales.every(({ kind }) => kind === 'refunded'))
		return { ...sale, problem: `There was no payment ${id} yet. If it comes, it gives nothing.` };
	const problems = sale.gifts.flatMap(({ classId }) => {
		const until = accesses.get(keyOf({ email, classId }))?.uselessPayments.get(id);
		if (until === undefined) return [];
		return `Payment ${id} doesn't prolong the access to class ${classId}, which lasts until ${new Date(until).toISOString()} already. To give more, add a row of kind given.`;
	});
	return { ...sale, problem: problems[0] ?? correctedAddress(payments, payment, sale) };
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
