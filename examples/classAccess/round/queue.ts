// For whom an execution works next.
import { isAddress } from '../../../nodes/ClassEnrollment/values/address';
import { isFilledIn, type Book } from '../book/book';
import { NO_ROUND, type Round, type Snapshot } from '../state';
import { emailsOf } from '../tables/rows';
import type { Sale } from '../tables/sales';
import { LEASE } from '../types';
import { isFinal } from './requests';

/** How many buyers are locked and looked up together. */
const PORTION = 50;
/** How many rows of others an execution carries out after its sale. */
const OTHERS = 5;

/** First rows that say no address, then buyers, each once, by portions. */
export function queueOf(
	sales: Array<Pick<Sale, 'id' | 'email'>>,
	otherEmails: string[] = [],
): Round[] {
	const saleIds = sales.filter(({ email }) => !isAddress(email)).map(({ id }) => id);
	const emails = [...new Set([...emailsOf(sales), ...otherEmails].filter(isAddress))];
	const queue: Round[] = saleIds.length > 0 ? [{ ...NO_ROUND, saleIds }] : [];
	for (let from = 0; from < emails.length; from += PORTION)
		queue.push({ ...NO_ROUND, emails: emails.slice(from, from + PORTION) });
	return queue;
}

/** What others have left behind, and every hour who is due, the oldest first: so those who fail never keep others waiting. */
export function queueOfOthers(snapshot: Snapshot): Round[] {
	const { calls, openSales, dueStudents, now } = snapshot;
	const isHour = calls.length === 0;
	// New rows are left to their own callers.
	const leftBehind = openSales
		.filter((row) => isFilledIn(snapshot, row))
		.filter(({ receivedAt }) => isHour || receivedAt < now - LEASE);
	const some = isHour ? leftBehind : leftBehind.slice(0, OTHERS);
	const oldestFirst = [...dueStudents].sort((a, b) => (a.checkAt ?? 0) - (b.checkAt ?? 0));
	return queueOf(some, emailsOf(oldestFirst));
}

/** The other addresses of payments about which a row is open, and whom open rows were about before they were corrected. */
export function otherBuyers({ payments, otherRows }: Book, emails: string[]): string[] {
	const isOpen = ({ isDone }: Sale) => !isDone;
	const open = payments.filter(({ sales }) => sales.some(isOpen));
	const rows = [...open.flatMap(({ sales }) => sales), ...otherRows].filter(isOpen);
	const all = new Set([
		...open.flatMap((payment) => payment.emails),
		...rows.flatMap(({ formerEmails }) => formerEmails),
	]);
	return [...all].filter((email) => !emails.includes(email));
}

/** Buyers of this round for whom no answer is missing, nor for another address of their payments. */
export function answeredBuyers({ payments }: Book, { accesses, buyers }: Round): string[] {
	const asked = accesses.map(({ student: { email }, outcome }) => ({ email, outcome }));
	const unanswered = [...asked, ...buyers].filter(({ outcome }) => outcome && !isFinal(outcome));
	const stuck = emailsOf(unanswered);
	const beside = payments
		.filter(({ emails }) => emails.some((email) => stuck.includes(email)))
		.flatMap(({ emails }) => emails);
	return emailsOf(buyers).filter((email) => ![...stuck, ...beside].includes(email));
}

/** Buyers of this round for whom more was recorded meanwhile, and left to this execution. */
export function buyersWithMore({ openSales }: Snapshot, { buyers, readIds }: Round): Round[] {
	const emails = emailsOf(buyers);
	const isNew = ({ id, email }: Sale) => !readIds.includes(id) && emails.includes(email);
	return queueOf(openSales.filter(isNew));
}
