// What is known of the buyers at whom an execution is working.
import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { desired, keyOf, type Access } from './desired';
import { paymentsOf, type Payment } from './payments';
import type { Snapshot, State } from './state';
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

/** n8n's filters find more than these buyers: an address that contains theirs, or another row of the same number. */
export function bookOf(snapshot: Snapshot, { round }: Pick<State, 'round'>): Book {
	const { emails, abandoned } = round;
	const { now, products, listedClasses } = snapshot;
	const all = new Map(
		[...(emails.length === 0 ? snapshot.leftBehind : []), ...snapshot.sales].map((row) => [
			row.id,
			row,
		]),
	);
	const isTheirs = ({ email }: Sale) =>
		emails.length === 0 ? !isAddress(email) : emails.includes(email);
	const ids = new Set([...all.values()].filter(isTheirs).map(({ paymentId }) => paymentId));
	const sales = [...all.values()].filter(({ paymentId }) => ids.has(paymentId));
	const payments = paymentsOf(sales, { products, listedClasses });
	const isOver = ({ kind, receivedAt }: Sale) => kind === 'allow' && receivedAt <= now - DAY;
	const endings = sales.filter((sale) => isTheirs(sale) && (sale.kind === 'ended' || isOver(sale)));
	const ofBuyers = snapshot.students.filter(({ email }) => emails.includes(email));
	return {
		now,
		emails,
		abandoned,
		payments,
		endings,
		products,
		accesses: desired(payments, endings),
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
