import { some, sortBy, uniqBy } from 'lodash';
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

/** The access of a buyer to a class. Its end is so many months after its start, unless a row by hand gives a date. */
interface Access {
	key: string;
	end: number;
	payments: string[];
	start: number;
	months: number;
}

/** The last access of each buyer to each class. Payments add up in the order in which they were paid. */
function accessesOf(sales: Sale[]): Access[] {
	const accesses = new Map<string, Access>();
	const addresses = addressesOf(sales);
	for (const sale of countingSales(sales)) {
		const email = addresses.get(sale.paymentId) ?? sale.email;
		for (const [classId, months] of classesOf(sale)) {
			const key = `${email.trim().toLowerCase()} ${classId}`;
			const before = accesses.get(key);
			const isEnd = sale.status === 'ended';
			const after = isEnd ? before && cut(before, sale) : extend(before, key, sale, months);
			if (after) accesses.set(key, after);
		}
	}
	return [...accesses.values()];
}

/** The sales that count, in the order in which they were paid. */
function countingSales(sales: Sale[]): Sale[] {
	const refunds = sales.filter(({ status }) => status === 'refunded');
	const refunded = new Set(refunds.map(({ paymentId }) => paymentId));
	// The first row of a payment says what was paid. Of ends by hand, each is a row of its own.
	const candidates = uniqBy(sales, (sale) => (sale.status === 'ended' ? sale : sale.paymentId));
	const inOrder = sortBy(candidates, ({ paidAt }) => Date.parse(paidAt));
	return inOrder.filter(
		(sale, index) => !refunded.has(sale.paymentId) && !isReplaced(sale, inOrder.slice(index + 1)),
	);
}

/** Whether it is an end by hand that a later one replaces. */
const isReplaced = ({ status, email, classId }: Sale, later: Sale[]) =>
	status === 'ended' && some(later, { status, email, classId });

/** The address to which each payment was moved last. */
const addressesOf = (sales: Sale[]) =>
	new Map(
		sales.filter(({ email }) => email !== '').map(({ paymentId, email }) => [paymentId, email]),
	);

const classesOf = ({ products, classId, months = 0 }: Sale): Array<[string, number]> =>
	classId
		? [[classId, months]]
		: products.split(',').flatMap((code) => PRODUCTS[code.trim().toUpperCase()]!);

/** After an end by hand, what is paid counts from there. */
function cut(access: Access, { until }: Sale): Access {
	const end = Math.min(access.end, Date.parse(until!));
	return { ...access, end, start: end, months: 0 };
}

/** A payment during an access renews it; one after it begins anew. Neither makes it shorter. */
function extend(before: Access | undefined, key: string, sale: Sale, months: number): Access {
	const paidAt = Date.parse(sale.paidAt);
	const renewed = before && before.end >= paidAt ? before : undefined;
	const payments = [...(renewed?.payments ?? []), sale.paymentId];
	const earliestEnd = before?.end ?? 0;
	if (sale.until) {
		const end = Math.max(earliestEnd, Date.parse(sale.until));
		return { key, end, payments, start: end, months: 0 };
	}
	const start = renewed?.start ?? paidAt;
	const total = (renewed?.months ?? 0) + months;
	const lastDay = DateTime.fromMillis(start, { zone: 'utc' }).plus({ months: total });
	const end = Math.max(earliestEnd, lastDay.endOf('day').toMillis());
	return { key, end, payments, start, months: total };
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
