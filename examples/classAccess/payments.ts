// What a payment gives, and to whom, by all that was said of it.
import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { hasCode, plainCode } from '../reading/codes';
import { UnreadableValue } from '../reading/text';
import { monthsOf, noAddress, type Gift, type Product, type Sale } from './tables';
import { DAY, type Time } from './types';

const MONTHS = 12;
/** What a shop adds to an older order isn't given: nobody knows whether it was paid, or a product of a class then. */
const OPEN_FOR = 7 * DAY;
export const NO_CLASS = '-';

/** A payment, or what an owner gave by hand. */
export interface Payment {
	id: string;
	/** All that was said of it, in the order in which it was recorded, each with what it gives, or its problem. */
	sales: Sale[];
	/** Those of them that count: neither a refund, nor rejected. So it doesn't depend on what is done already. */
	accepted: Sale[];
	/** Whose it is now. Empty: nobody has said. */
	email: string;
	/** Since when it is theirs. */
	ownedSince: Time;
	/** All addresses that it has had. */
	emails: string[];
	isRefunded: boolean;
	gifts: Gift[];
	/** As the first row says it that isn't wrong. Null: there is none yet. */
	paidAt: Time | null;
	until: Time | null;
}

/** What is needed to know what a row gives. */
export interface Catalogue {
	products: Product[];
	/** The learning platform's classes, where they were listed. */
	listedClasses?: string[];
}

/** The payments of rows of `class_sales`. What isn't known yet of a row is looked up in `class_products`. */
export function paymentsOf(sales: Sale[], catalogue: Catalogue): Payment[] {
	const payments = new Map<string, Payment>();
	for (const sale of [...sales].sort((a, b) => a.id - b.id)) {
		if (sale.kind === 'allow' || sale.kind === 'ended') continue;
		const id = paymentIdOf(sale, sales);
		payments.set(id, withSale(payments.get(id) ?? newPayment(id), sale, catalogue));
	}
	return [...payments.values()];
}

/** Which payment a row is about. What an owner gives under a number that is in use is given beside that payment. */
function paymentIdOf({ id, kind, paymentId }: Sale, sales: Sale[]): string {
	const isInUse = sales.some(
		(other) => other.paymentId === paymentId && (other.kind === 'paid' || other.id < id),
	);
	return kind === 'given' && isInUse ? `row ${id}` : paymentId;
}

const newPayment = (id: string): Payment => ({
	id,
	sales: [],
	accepted: [],
	email: '',
	ownedSince: 0,
	emails: [],
	isRefunded: false,
	gifts: [],
	paidAt: null,
	until: null,
});

/** A payment after one more row about it. */
function withSale(payment: Payment, sale: Sale, catalogue: Catalogue): Payment {
	const sales = [...payment.sales, sale];
	if (sale.kind === 'refunded') return { ...payment, sales, isRefunded: true };
	const problem = sale.problem ?? contradiction(payment, sale);
	if (problem !== undefined) return { ...payment, sales: [...payment.sales, { ...sale, problem }] };
	const accepted = [...payment.accepted, sale];
	if (sale.kind === 'moved') return { ...payment, sales, accepted, ...owner(payment, sale) };
	const row = sale.isDone ? sale : { ...sale, ...givenBy(payment, sale, catalogue) };
	return {
		...payment,
		...owner(payment, row),
		sales: [...payment.sales, row],
		accepted,
		gifts: [...payment.gifts, ...row.gifts],
		paidAt: payment.paidAt ?? row.paidAt ?? row.receivedAt,
		until: Math.max(payment.until ?? 0, row.until ?? 0) || null,
	};
}

/** Why a row gives nothing, though nothing is wrong with its own values. */
function contradiction({ sales, accepted, emails }: Payment, sale: Sale): string | undefined {
	const [first] = accepted;
	const refund = sales.find(({ kind }) => kind === 'refunded');
	if (sale.kind === 'moved')
		return first
			? undefined
			: `There is no payment ${sale.paymentId}. Enter that of the buyer's row.`;
	if (refund && sale.receivedAt > refund.receivedAt + DAY)
		return `Payment ${sale.paymentId} was refunded, and is paid again. To give access again, add a row of kind given.`;
	const isNewAddress = isAddress(sale.email) && !emails.includes(sale.email);
	if (!first || !isNewAddress) return undefined;
	const isAtAnotherTime = (sale.paidAt ?? first.paidAt) !== (first.paidAt ?? sale.paidAt);
	const isOfOtherProducts = !accepted.some(
		({ codes, classId }) =>
			(classId !== '' && classId === sale.classId) ||
			codes.some((code) => sale.codes.map(plainCode).includes(plainCode(code))),
	);
	if (!isAtAnotherTime && !isOfOtherProducts) return undefined;
	const what = isAtAnotherTime ? 'at another time' : 'for other products';
	return `Payment ${sale.paymentId} was made by ${first.email || 'somebody'} ${what}. If ${sale.email} is the corrected address, add a row of kind moved. Two shops must not use the same numbers.`;
}

/** Whose payment it is: of the last new address, or of the last row by hand. An old address may come again in a repeat. */
function owner({ email, ownedSince, emails }: Payment, sale: Sale) {
	const isNew = isAddress(sale.email) && !emails.includes(sale.email);
	const isOwner = isNew || (sale.kind === 'moved' && sale.email !== email);
	return {
		email: isOwner ? sale.email : email,
		ownedSince: isOwner ? sale.receivedAt : ownedSince,
		emails: isNew ? [...emails, sale.email] : emails,
	};
}

/** What a row gives more than the rows before it, and what is wrong with it. */
function givenBy(
	payment: Payment,
	sale: Sale,
	catalogue: Catalogue,
): Pick<Sale, 'gifts' | 'problem'> {
	const { gifts, problems } =
		sale.classId === '' ? giftsOfProducts(payment, sale, catalogue) : giftsOfClass(sale, catalogue);
	problems.push(...formerAddressIn(payment, sale));
	const all = [...sale.gifts, ...gifts];
	// What it gives is kept, so that a row that moves it to the right address is enough.
	if (all.some(({ classId }) => classId !== NO_CLASS) && !isAddress(sale.email))
		problems.push(noAddress(sale.email));
	return { gifts: all, ...(problems.length > 0 && { problem: problems.join(' ') }) };
}

/**
 * What is said, once, of a row that comes with a former address: the shop may repeat itself, or have corrected the address back.
 * Only an owner knows. After a row by hand, it is a repeat.
 */
function formerAddressIn({ id, email, emails, accepted }: Payment, sale: Sale): string[] {
	if (sale.email === email || !emails.includes(sale.email)) return [];
	const since = accepted.slice(accepted.map((row) => row.email).lastIndexOf(email));
	const isSaid = since.some((row) => row.email === sale.email);
	if (isSaid || since[0]!.kind === 'moved') return [];
	return [
		`Payment ${id} comes with its former address ${sale.email} again, and stays with ${email}. If ${sale.email} is right, add a row of kind moved.`,
	];
}

/** The class that a row by hand names. */
function giftsOfClass(
	{ classId, months, gifts }: Sale,
	{ products, listedClasses: listed = [] }: Catalogue,
) {
	if (gifts.length > 0) return { gifts: [], problems: [] };
	const isKnown = listed.includes(classId) || products.some((row) => row.classId === classId);
	const problem = `Unknown class: "${classId}". Enter a classId of class_products.`;
	if (!isKnown) return { gifts: [], problems: [problem] };
	return { gifts: [{ code: '', classId, months: months ?? MONTHS }], problems: [] };
}

/** The classes of the products that a row names, and no row before it. */
function giftsOfProducts(payment: Payment, sale: Sale, { products }: Catalogue) {
	const gifts: Gift[] = [];
	const problems: string[] = [];
	const known = new Set([...payment.gifts, ...sale.gifts].map(({ code }) => plainCode(code)));
	const before = payment.accepted.filter(({ codes }) => codes.length > 0);
	const said = new Set(before.flatMap(({ codes }) => codes.map(plainCode)));
	const isOld = before.length > 0 && sale.receivedAt > before[0]!.receivedAt + OPEN_FOR;
	for (const code of sale.codes.filter((one) => !known.has(plainCode(one)))) {
		const rows = products.filter(
			({ product, classId }) => classId !== '' && hasCode(product, code),
		);
		if (isOld && !said.has(plainCode(code))) {
			problems.push(
				`${code} was added to payment ${payment.id} more than a week later, so it gives no class. To give it, add a row of kind given.`,
			);
			continue;
		}
		if (rows.length === 0)
			problems.push(
				`Unknown product: ${code}. Enter it in the data table class_products. Then retry, or empty doneAt in class_sales.`,
			);
		for (const { classId, months } of rows) {
			try {
				const own = sale.months ?? monthsOf(months);
				// A year for each month that is paid would be silent.
				if (own === null && classId !== NO_CLASS && sale.isSubscription && sale.until === null)
					problems.push(
						`${code} is a subscription, and the shop doesn't say until when it is paid. Enter its months in class_products (1 if it is monthly), then retry.`,
					);
				else gifts.push({ code, classId, months: own ?? MONTHS });
			} catch (error) {
				if (!(error instanceof UnreadableValue)) throw error;
				problems.push(`Product ${code}: ${error.message} Correct it in class_products.`);
			}
		}
	}
	return { gifts, problems };
}
