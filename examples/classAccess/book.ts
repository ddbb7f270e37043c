// What is known of the buyers at whom an execution is working.
import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { desired, keyOf, type Access } from './desired';
import { paymentsOf, type Payment } from './payments';
import type { Round, Snapshot, State } from './state';
import type { Product, Sale, Student } from './tables';
import type { Time } from './types';

const DAY = 86_400_000;

export interface Book {
	now: Time;
	/** The buyers whom this execution has locked. */
	emails: string[];
	/** Of these, whose last holder has died: nobody knows what it has asked. */
	abandoned: string[];
	/** All that was said of their payments, whoever else these were of. */
	payments: Payment[];
	/** Ends of access by hand, and permissions that are over. */
	endings: Sale[];
	accesses: Map<string, Access>;
	students: Map<string, Student>;
	/** What a row that isn't done yet is about. It is asked again, also after a rejection. */
	keysOfOpenSales: Set<string>;
	products: Product[];
}

/** What is known of the buyers of this round, or, if it has none, of the rows that say no address. */
export function bookOf(snapshot: Snapshot, { round }: Pick<State, 'round'>): Book {
	// A database doesn't find each spelling of an address, such as one with decomposed letters. What it finds is newer.
	const found = [...snapshot.leftBehind, ...snapshot.sales];
	if (round.emails.length === 0)
		return bookWith(snapshot, round, found, ({ email }) => !isAddress(email));
	return bookWith(snapshot, round, found, ({ email }) => round.emails.includes(email));
}

/**
 * n8n's filters find more than what is asked: an address that contains another, or another row of the same number. So only
 * the payments of which a row `isOfBuyers` count.
 */
function bookWith(
	{ now, products, listedClasses, students }: Snapshot,
	{ emails, abandoned }: Round,
	found: Sale[],
	isOfBuyers: (sale: Sale) => boolean,
): Book {
	const byId = new Map(found.map((sale) => [sale.id, sale]));
	const salesOfBuyers = [...byId.values()].filter(isOfBuyers);
	const paymentIds = new Set(salesOfBuyers.map(({ paymentId }) => paymentId));
	const sales = [...byId.values()].filter(({ paymentId }) => paymentIds.has(paymentId));
	const payments = paymentsOf(sales, { products, listedClasses });
	const isOver = ({ kind, receivedAt }: Sale) => kind === 'allow' && receivedAt <= now - DAY;
	const endings = salesOfBuyers.filter((sale) => sale.kind === 'ended' || isOver(sale));
	const ofBuyers = students.filter(({ email }) => emails.includes(email));
	return {
		now,
		emails,
		abandoned,
		payments,
		endings,
		products,
		// Also by what was ended at a former address of a payment.
		accesses: desired(payments, [...byId.values()]),
		students: new Map(ofBuyers.map((student) => [keyOf(student), student])),
		keysOfOpenSales: keysOfOpenSales(payments, endings),
	};
}

function keysOfOpenSales(payments: Payment[], endings: Sale[]): Set<string> {
	const open = payments.filter(({ sales }) => sales.some(({ isDone }) => !isDone));
	const ofPayments = open.flatMap(({ emails, gifts }) =>
		emails.flatMap((email) => gifts.map(({ classId }) => keyOf({ email, classId }))),
	);
	return new Set([...ofPayments, ...endings.filter(({ isDone }) => !isDone).map(keyOf)]);
}
