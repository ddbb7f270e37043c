import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { addressKey, keyOf } from './desired';
import type { Memory } from './memory';
import { productsOf } from './readSale';
import type { NewSaleRow, Product, Sale, SaleRow, Time } from './rounds';

const WEEK = 7 * 86_400_000;

export interface Recording {
	rows: NewSaleRow[];
	problems: string[];
	isRefunded: boolean;
	/** Why an order got nothing new. */
	reason?: string;
}

export const isMonths = (months: number) =>
	Number.isInteger(months) && months >= 1 && months <= 1200;

/** A refund is for each address of its payment, so that whoever looks up an address finds it. */
export function missingRefunds(sales: SaleRow[]): NewSaleRow[] {
	const refunds = sales.filter(({ kind }) => kind === 'refunded');
	const known = new Set(refunds.map(addressKey));
	const refunded = new Set(refunds.map(({ paymentId }) => paymentId));
	const rows = new Map<string, NewSaleRow>();
	for (const sale of sales) {
		if (sale.kind !== 'paid' || !refunded.has(sale.paymentId) || known.has(addressKey(sale)))
			continue;
		rows.set(addressKey(sale), blank('refunded', sale.paymentId, sale.email, sale.paidAt));
	}
	return [...rows.values()];
}

const blank = (
	kind: SaleRow['kind'],
	paymentId: string,
	email: string,
	paidAt: Time,
): NewSaleRow => ({
	...{ kind, paymentId, email, paidAt, name: '', classId: '', product: '', months: 0 },
	...{ until: null, rowCount: 1 },
});

/** What of a sale isn't recorded yet, and what is wrong with it. */
export function toRecord(sale: Sale, memory: Memory, products: Product[], now: Time): Recording {
	const own = memory.sales.filter(({ paymentId }) => paymentId === sale.paymentId);
	const ownPaid = own.filter(({ kind }) => kind === 'paid');
	const hasRefund = own.some(({ kind }) => kind === 'refunded');
	const isRefunded = sale.kind === 'refunded' || hasRefund;
	if (isRefunded) {
		const known = new Set(own.filter(({ kind }) => kind === 'refunded').map(({ email }) => email));
		const paidBy = ownPaid.map(({ email }) => email);
		// A refund may come first, and may not say whose it is.
		const emails = paidBy.length > 0 ? paidBy : hasRefund ? [] : [sale.email];
		const missing = [...new Set(emails)].filter((email) => !known.has(email));
		const rows = missing.map((email) => blank('refunded', sale.paymentId, email, now));
		return { rows, problems: [], isRefunded };
	}
	const paidAt = sale.paidAt ?? now;
	const { bought, problems } = whatIsBought(sale, products);
	const rows: NewSaleRow[] = [];
	if (bought.size > 0 && !isAddress(sale.email))
		problems.push(`No email address: "${sale.email}".`);
	const moved = new Set(own.filter(({ kind }) => kind === 'moved').map(addressKey));
	const current = ownPaid.filter((row) => !moved.has(addressKey(row)));
	for (const row of current.filter(({ email }) => email !== sale.email && bought.size > 0)) {
		const student = memory.students.get(keyOf(row));
		const wasAdded = student && (student.end ?? student.openedAt) !== null;
		if (wasAdded) problems.push(howToMove(sale, row.email));
		else rows.push(blank('moved', sale.paymentId, row.email, now));
	}
	// What is edited in an old order gets no classes, which its products may have only today.
	const ofBuyer = current.filter(({ email }) => email === sale.email);
	const isWhole = ownPaid.every(({ rowCount }) => ownPaid.length >= rowCount); // n8n may die at a record
	const isOld = ofBuyer.some((row) => row.receivedAt < now - WEEK && row.doneAt && !row.problem);
	const known = new Set(ofBuyer.map(({ classId }) => classId));
	const missing = [...bought].filter(([classId]) => !known.has(classId));
	if (isOld && isWhole) {
		const reason =
			'The order is older than a week, so what was added to it later gives nothing. Add a row to class_sales.';
		return { rows: [], problems, isRefunded, ...(missing.length > 0 && { reason }) };
	}
	for (const [classId, { product, months }] of missing) {
		const { paymentId, email, name, until } = sale;
		const rowCount = known.size + missing.length;
		rows.push({
			kind: 'paid',
			paymentId,
			email,
			name,
			classId,
			product,
			months,
			until,
			paidAt,
			rowCount,
		});
	}
	// Each once.
	const once = new Map(rows.map((row) => [`${row.kind} ${keyOf(row)}`, row]));
	return { rows: [...once.values()], problems, isRefunded };
}

const howToMove = ({ paymentId, email }: Sale, old: string) =>
	`The payment was added as ${old}. To move it to ${email}, add a row to class_sales: paymentId ${paymentId}, kind moved, email ${old}. Then retry.`;

/** The classes of a sale's products, each with its months. */
function whatIsBought({ codes }: Sale, products: Product[]) {
	const bought = new Map<string, { product: string; months: number }>();
	const problems: string[] = [];
	for (const code of codes) {
		const rows = productsOf(code, products).filter(({ classId }) => classId !== '');
		if (rows.length === 0)
			problems.push(`Unknown product: ${code}. Enter it in the data table class_products.`);
		for (const { classId, months: given } of rows) {
			const months = Math.max(given ?? 12, bought.get(classId)?.months ?? 0);
			if (!isMonths(months))
				problems.push(`The months of product ${code} aren't a whole number from 1 to 1200.`);
			bought.set(classId, { product: code, months });
		}
	}
	bought.delete('-'); // no class
	return { bought, problems };
}
