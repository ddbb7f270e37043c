import { DateTime } from 'luxon';

import type { World } from '../canvas/execution';

export interface Sale {
	paymentId: string;
	/** The last three are rows that an owner adds. */
	status: 'paid' | 'refunded' | 'moved' | 'given' | 'ended';
	email: string;
	name: string;
	products: string;
	paidAt: string;
	until?: string;
	classId?: string;
	months?: number;
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

interface Access {
	key: string;
	end: number;
	payments: string[];
	/** From when so many months count. */
	start: number;
	months: number;
}

const classesOf = ({ products, classId, months = 0 }: Sale): Array<[string, number]> =>
	classId
		? [[classId, months]]
		: products.split(',').flatMap((code) => PRODUCTS[code.trim().toUpperCase()]!);

/** The last access of each buyer to each class. Payments add up in the order in which they were paid. */
function accessesOf(sales: Sale[]): Access[] {
	const refunds = sales.filter(({ status }) => status === 'refunded');
	const refunded = new Set(refunds.map(({ paymentId }) => paymentId));
	const isFirst = ({ paymentId, status }: Sale, index: number) =>
		status === 'ended' || sales.findIndex((other) => other.paymentId === paymentId) === index;
	const owners = new Map(
		sales.filter(({ email }) => email !== '').map(({ paymentId, email }) => [paymentId, email]),
	);
	const accesses = new Map<string, Access>();
	const inOrder = sales.filter(isFirst).sort((a, b) => Date.parse(a.paidAt) - Date.parse(b.paidAt));
	const isSameEnding = (one: Sale, other: Sale) =>
		other.status === 'ended' && other.email === one.email && other.classId === one.classId;
	for (const [index, sale] of inOrder.entries()) {
		if (refunded.has(sale.paymentId)) continue;
		// The last end by hand counts.
		const later = inOrder.slice(index + 1);
		if (sale.status === 'ended' && later.some((other) => isSameEnding(sale, other))) continue;
		for (const [classId, months] of classesOf(sale)) {
			const email = owners.get(sale.paymentId) ?? sale.email;
			const key = `${email.trim().toLowerCase()} ${classId}`;
			if (sale.status === 'ended') {
				const access = accesses.get(key);
				if (!access) continue;
				const cut = Math.min(access.end, Date.parse(sale.until!));
				Object.assign(access, { end: cut, start: cut, months: 0 });
				continue;
			}
			const at = Date.parse(sale.paidAt);
			const before = accesses.get(key);
			const isRenewal = before !== undefined && before.end >= at;
			const start = isRenewal ? before.start : at;
			const total = isRenewal ? before.months + months : months;
			const until = Math.max(before?.end ?? 0, Date.parse(sale.until ?? '1970-01-01'));
			const day = DateTime.fromMillis(start, { zone: 'utc' }).plus({ months: total }).endOf('day');
			const end = sale.until ? until : Math.max(before?.end ?? 0, day.toMillis());
			const counted = sale.until ? { start: end, months: 0 } : { start, months: total };
			const payments = isRenewal ? [...before.payments, sale.paymentId] : [sale.paymentId];
			accesses.set(key, { key, end, payments, ...counted });
		}
	}
	return [...accesses.values()];
}

/** The accesses that have not ended. */
export function openAccesses(sales: Sale[], { now }: World): Access[] {
	return accessesOf(sales).filter(({ end }) => end > now);
}

/** What the learning platform should say now. */
export function expectedStudents(sales: Sale[], world: World): Record<string, string> {
	const open = openAccesses(sales, world);
	const entries = open.map(({ key, end }) => [key, new Date(end).toISOString()] as const);
	return Object.fromEntries(entries.sort());
}

/** The rows of an access: a link is for those that are open when it is sent. */
const rowsOf = ({ key, payments }: Access) => payments.map((id) => `${id} ${key}`);

/** Who should get a magic link when each of these groups of sales arrives, each with the world's time before. */
export class ExpectedLinks {
	private readonly arrived: Sale[] = [];
	private readonly linked = new Set<string>();
	readonly links: string[] = [];

	arrive(sales: Sale[], world: World): void {
		this.arrived.push(...sales);
		const open = openAccesses(this.arrived, world);
		const buyers = sales.flatMap(({ paymentId, status, email }) => {
			const own = open.filter(({ payments }) => payments.includes(paymentId));
			const isNew = own.some((access) => !rowsOf(access).some((row) => this.linked.has(row)));
			return status === 'paid' && isNew ? [email] : [];
		});
		this.links.push(...new Set(buyers));
		const linked = open.filter(({ key }) => buyers.includes(key.split(' ')[0]!));
		linked.flatMap(rowsOf).forEach((row) => this.linked.add(row));
	}
}
