import { DateTime } from 'luxon';

import type { World } from './engine';

export interface Sale {
	paymentId: string;
	status: 'paid' | 'refunded';
	email: string;
	name: string;
	products: string;
	paidAt: string;
	until?: string;
}

/** What each product gives: its class, and for how many months. */
export const PRODUCTS: Record<string, Array<[classId: string, months: number]>> = {
	A: [['c1', 12]],
	B: [['c2', 1]],
	AB: [
		['c1', 6],
		['c2', 6],
	],
};

/** The end of each access, by email and class: payments add up in the order in which they were paid. */
export function endsOf(sales: Sale[]): Map<string, number> {
	const refunded = new Set(
		sales.filter(({ status }) => status === 'refunded').map(({ paymentId }) => paymentId),
	);
	const paid = new Map(
		sales.filter(({ status }) => status === 'paid').map((sale) => [sale.paymentId, sale]),
	);
	const ends = new Map<string, number>();
	const inOrder = [...paid.values()].sort((a, b) => Date.parse(a.paidAt) - Date.parse(b.paidAt));
	for (const { paymentId, email, products, paidAt, until } of inOrder) {
		if (refunded.has(paymentId)) continue;
		const classes = products.split(',').flatMap((code) => PRODUCTS[code.trim().toUpperCase()]!);
		for (const classId of new Set(classes.map(([id]) => id))) {
			const months = Math.max(...classes.filter(([id]) => id === classId).map(([, n]) => n));
			const key = `${email.toLowerCase()} ${classId}`;
			const before = ends.get(key) ?? 0;
			const start = DateTime.fromMillis(Math.max(before, Date.parse(paidAt)));
			const end = until ? Math.max(before, Date.parse(until)) : +start.plus({ months });
			ends.set(key, end);
		}
	}
	return ends;
}

/** What the learning platform should say now. */
export function expectedStudents(sales: Sale[], { now }: World): Record<string, string> {
	const open = [...endsOf(sales)].filter(([, end]) => end > now);
	return Object.fromEntries(open.map(([key, end]) => [key, new Date(end).toISOString()]).sort());
}
