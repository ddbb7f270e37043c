// What class_sales says of the buyers for whom an execution is working.
import type { Round, Snapshot } from '../state';
import { emailsOf } from '../tables/rows';
import { eachOnce, isUnnumbered, type Sale } from '../tables/sales';
import { DAY, LEASE } from '../types';
import { desired, type DesiredAccess } from './desired';
import { paymentsOf, type Payment } from './payments';

export interface Book {
	/** All that was said of their payments, whoever else these were of. */
	payments: Payment[];
	/** Rows about no payment: ends of access by hand, and permissions that are over. */
	otherRows: Sale[];
	/** What they should have, by address and class. */
	accesses: Map<string, DesiredAccess>;
}

/** What was read. A database doesn't find each spelling of an address, such as one with decomposed letters. What it finds is newer. */
export const rowsIn = ({ openSales, sales }: Snapshot): Sale[] =>
	eachOnce([...openSales, ...sales]);

/** Whether a row counts. An owner may still be filling in a new one by hand, unless somebody asks for it. */
export function isFilledIn(
	{ calls, isByHand: isAsked, now }: Pick<Snapshot, 'calls' | 'isByHand' | 'now'>,
	row: Sale,
): boolean {
	// A shop says the number of the payment.
	const isByHand = !['paid', 'refunded'].includes(row.kind) || isUnnumbered(row);
	const mayBeHalf = isByHand && row.receivedAt >= now - LEASE;
	return !mayBeHalf || row.isDone || isAsked || calls.some(({ id }) => id === row.id);
}

/** n8n's filters find more than what is asked, such as an address that contains another. So only what is about the round counts. */
export function bookOf(snapshot: Snapshot, { buyers, saleIds, comparedAt }: Round): Book {
	const emails = emailsOf(buyers);
	const now = comparedAt ?? snapshot.now;
	const found = rowsIn(snapshot).filter((row) => isFilledIn({ ...snapshot, now }, row));
	const own = found.filter(({ id, email }) => emails.includes(email) || saleIds.includes(id));
	const paymentIds = new Set(own.map(({ paymentId }) => paymentId));
	const payments = paymentsOf(
		found.filter(({ kind, paymentId }) => kind === 'ended' || paymentIds.has(paymentId)),
		snapshot.products,
	);
	const isOver = ({ kind, receivedAt }: Sale) => kind === 'allow' && receivedAt <= now - DAY;
	return {
		payments,
		otherRows: own.filter((sale) => sale.kind === 'ended' || isOver(sale)),
		// Also by what was ended at a former address of a payment.
		accesses: desired(payments, found),
	};
}
