import { DateTime } from 'luxon';

import type { SaleRow, Time } from './rounds';

/** Platforms and databases know no later end. */
export const LAST_END: Time = Date.UTC(9999, 11, 30);

export const keyOf = ({ email, classId }: { email: string; classId: string }) =>
	`${email} ${classId}`;

/** The rows of payments that count: neither refunded nor moved to another address. Each once. */
export function paid(sales: SaleRow[]): SaleRow[] {
	const refunded = new Set(sales.filter(isOf('refunded')).map(({ paymentId }) => paymentId));
	const moved = new Set(sales.filter(isOf('moved')).map(addressKey));
	// PostgreSQL may hold a row twice that two executions recorded at the same moment.
	const once = new Map<string, SaleRow>();
	const inOrder = [...sales].sort((a, b) => a.paidAt - b.paidAt || a.id - b.id);
	for (const sale of inOrder.filter(isOf('paid'))) {
		if (refunded.has(sale.paymentId) || moved.has(addressKey(sale))) continue;
		const key = `${sale.paymentId} ${keyOf(sale)}`;
		if (!once.has(key)) once.set(key, sale);
	}
	return [...once.values()];
}

const isOf =
	(kind: SaleRow['kind']) =>
	(sale: SaleRow): boolean =>
		sale.kind === kind;
export const addressKey = ({ paymentId, email }: SaleRow) => `${paymentId} ${email}`;

/**
 * When each access ends, by address and class. Payments add up in the order in which they were paid. Months are counted
 * from the first payment of a row of payments, so that the 31st stays the 31st, and include the last day.
 */
export function desired(sales: SaleRow[]): Map<string, Time> {
	const accesses = new Map<string, { end: Time; start: Time; months: number }>();
	for (const sale of paid(sales)) {
		const before = accesses.get(keyOf(sale));
		if (sale.until !== null) {
			const end = Math.max(before?.end ?? 0, sale.until);
			accesses.set(keyOf(sale), { end, start: end, months: 0 });
			continue;
		}
		const isRenewal = before !== undefined && before.end >= sale.paidAt;
		const start = isRenewal ? before.start : sale.paidAt;
		const months = sale.months + (isRenewal ? before.months : 0);
		const end = DateTime.fromMillis(start).plus({ months }).endOf('day').toMillis();
		accesses.set(keyOf(sale), { end: Math.max(before?.end ?? 0, end), start, months });
	}
	return new Map([...accesses].map(([key, { end }]) => [key, Math.min(end, LAST_END)]));
}
