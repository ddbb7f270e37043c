// For whom an execution works next.
import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import type { Book } from './book';
import type { Lookup, Portion, Snapshot, State } from './state';
import type { Sale } from './tables';

/** How many buyers are locked and looked up together. */
const PORTION = 50;

const portion = (lookups: Lookup[]): Portion => ({ lookups, waits: 0 });

/** First rows that say no address, then buyers, each once, by portions. */
export function queueOf(
	sales: Array<Pick<Sale, 'id' | 'email'>>,
	otherEmails: string[] = [],
): Portion[] {
	const unknown = sales
		.filter(({ email }) => !isAddress(email))
		.map(({ id }): Lookup => ({ email: '', saleId: id }));
	const emails = [...emailsOf(sales), ...otherEmails].filter(isAddress);
	const buyers = [...new Set(emails)].map((email): Lookup => ({ email }));
	const portions = unknown.length > 0 ? [unknown] : [];
	for (let from = 0; from < buyers.length; from += PORTION)
		portions.push(buyers.slice(from, from + PORTION));
	return portions.map(portion);
}

/** Every hour: what nobody has carried out, and whoever is due. Who has waited longest comes first, so that those who fail never keep the others waiting. */
export function queueOfHour({ leftBehind, dueStudents }: Snapshot): Portion[] {
	const oldestFirst = [...dueStudents].sort((a, b) => (a.checkAt ?? 0) - (b.checkAt ?? 0));
	return queueOf(leftBehind, emailsOf(oldestFirst));
}

/** Names a sale that was carried out for this address. */
export const seenKey = ({ id }: Sale, email: string): string => `${id} ${email}`;

/** The open sales of payments, each with each of the addresses for which it must be carried out. */
const unfinishedSales = ({ payments }: Book): Array<{ email: string; key: string }> =>
	payments.flatMap(({ sales, emails }) =>
		sales
			.filter(({ isDone }) => !isDone)
			.flatMap((sale) => emails.map((email) => ({ email, key: seenKey(sale, email) }))),
	);

/** Open sales that are carried out for these buyers. */
export const seenBy = (book: Book, buyers: string[]): string[] =>
	unfinishedSales(book).flatMap(({ email, key }) => (buyers.includes(email) ? key : []));

/** The other addresses of payments, each alone, for which a sale is still to be carried out. */
export function otherBuyersOf(book: Book, { seen, queue }: State): Portion[] {
	const emails = unfinishedSales(book).flatMap(({ email, key }) =>
		seen.includes(key) ? [] : email,
	);
	const queued = emailsOf(queue.flatMap(({ lookups }) => lookups));
	return [...new Set(emails)]
		.filter((email) => !queued.includes(email))
		.map((email) => portion([{ email }]));
}

/** Buyers who were just unlocked, for whom others have recorded something meanwhile, and left it to this execution. */
export function buyersWithMore({ sales, openSales }: Snapshot, { round }: State): Portion[] {
	const known = new Set(sales.map(({ id }) => id));
	const emails = emailsOf(round.buyers);
	const isNew = ({ id, isDone, email }: Sale) =>
		!isDone && !known.has(id) && emails.includes(email);
	return queueOf(openSales.filter(isNew));
}

export const emailsOf = (some: Array<{ email: string }>): string[] =>
	some.map(({ email }) => email);
