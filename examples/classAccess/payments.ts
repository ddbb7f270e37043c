// What a payment gives, and to whom, by all that was said of it.
import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { hasCode, plainCode } from '../reading/codes';
import { howToType } from '../reading/lists';
import type { Snapshot } from './state';
import { noAddress, ownPaymentId, type Gift, type Product, type Sale } from './tables';
import { DAY, type Time } from './types';

const MONTHS = 12;
/** What a shop adds to an older order isn't given: nobody knows whether it was paid, or a product of a class then. */
const OPEN_FOR = 7 * DAY;
/** What is sent at the same time arrives within this time, in any order. */
const MOMENT = 10 * 60_000;
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
	/** What its rows give. Without months, if they say until when. */
	gifts: Gift[];
	/** As the first row says it that isn't wrong. Null: there is none yet. */
	paidAt: Time | null;
	until: Time | null;
}

/** What is needed to know what a row gives. */
type Catalogue = Pick<Snapshot, 'products' | 'listedClasses'>;

/** The payments of rows of `class_sales`. What isn't known yet of a row is looked up in `class_products`. */
export function paymentsOf(sales: Sale[], catalogue: Catalogue): Payment[] {
	const payments = new Map<string, Payment>();
	for (const sale of [...sales].sort((a, b) => a.id - b.id)) {
		if (sale.kind === 'allow' || sale.kind === 'ended') continue;
		// What an owner gives under a number that is in use is given beside that payment.
		const isBeside = sale.kind === 'given' && payments.has(sale.paymentId);
		const id = isBeside ? ownPaymentId(sale.id) : sale.paymentId;
		payments.set(id, withSale(payments.get(id) ?? newPayment(id), sale, catalogue));
	}
	return [...payments.values()];
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
	const withRow = (row: Sale): Payment => ({ ...payment, sales: [...payment.sales, row] });
	if (sale.kind === 'refunded')
		return {
			...withRow({ ...sale, problem: sale.problem || otherRefund(payment, sale) }),
			isRefunded: payment.isRefunded || !isOfAnother(payment, sale),
		};
	const rejection = sale.problem || rejectionOf(payment, sale);
	if (rejection) return withRow({ ...sale, problem: rejection });
	const given = sale.isDone ? sale.gifts : givenBy(payment, sale, catalogue);
	const gifts = given.filter((one) => typeof one !== 'string');
	const problems = [
		...given.filter((one) => typeof one === 'string'),
		formerAddress(payment, sale),
	];
	const row = { ...sale, gifts, problem: problems.filter(Boolean).join(' ') };
	const accepted = { ...withRow(row), accepted: [...payment.accepted, sale] };
	const owned = isOwner(payment, sale) ? withOwner(accepted, sale) : accepted;
	if (sale.kind === 'moved') return owned;
	return {
		...owned,
		gifts: [...payment.gifts, ...(row.until === null ? gifts : gifts.map(withoutMonths))],
		paidAt: payment.paidAt ?? row.paidAt ?? row.receivedAt,
		until: Math.max(payment.until ?? 0, row.until ?? 0) || null,
	};
}

const withoutMonths = (gift: Gift): Gift => ({ ...gift, months: 0 });

const withOwner = (payment: Payment, { email, receivedAt }: Sale): Payment => ({
	...payment,
	email,
	ownedSince: receivedAt,
	emails: [...new Set([...payment.emails, email])],
});

/** Whether a payment is of the address of this row from then on: the last row by hand says it, or the last address that is new. */
function isOwner({ email, emails }: Payment, sale: Sale): boolean {
	if (sale.kind === 'moved') return sale.email !== email;
	return isAddress(sale.email) && !emails.includes(sale.email);
}

/** Why a row gives nothing, or empty. */
function rejectionOf(payment: Payment, sale: Sale): string {
	const [first] = payment.accepted;
	if (sale.kind === 'moved' && !first)
		return `There is no payment ${sale.paymentId}. Enter that of the buyer's row.`;
	if (sale.kind === 'moved') return '';
	const again = `Payment ${sale.paymentId} was refunded, and is paid again. To give access again, add a row of kind given.`;
	if (payment.isRefunded && isPaidAgain(payment, sale) && !isSaid(payment, again)) return again;
	const difference = first && isOwner(payment, sale) && differenceFrom(payment, sale);
	if (!difference) return '';
	return `Payment ${sale.paymentId} was made by ${first.email || 'somebody'} ${difference}. If ${sale.email} is the corrected address, add a row of kind moved. Two shops must not use the same numbers.`;
}

/** Says once that a refund has an address that its payment never had, or empty. */
function otherRefund(payment: Payment, sale: Sale): string {
	const { id, email, emails } = payment;
	if (email === '' || !isAddress(sale.email) || emails.includes(sale.email)) return '';
	const outcome = isOfAnother(payment, sale)
		? 'So it stays. If it was refunded, add a row of kind refunded without an email.'
		: 'It gives nothing any more. If that is wrong, add a row of kind given.';
	const problem = `Payment ${id} is of ${email}, and its refund names ${sale.email}. ${outcome} Two shops must not use the same numbers.`;
	return isSaid(payment, problem) ? '' : problem;
}

/** Whether a row has neither an address nor a name of its payment, but others. */
function isOfAnother(payment: Payment, sale: Sale): boolean {
	const { emails } = payment;
	const hasOtherAddress =
		isAddress(sale.email) && emails.length > 0 && !emails.includes(sale.email);
	return hasOtherAddress && hasSameName(payment, sale) === false;
}

/** Whether a row has a name of its payment. Undefined: one of the two has none. */
function hasSameName({ accepted }: Payment, { name }: Sale): boolean | undefined {
	const names = accepted.map((row) => plainCode(row.name)).filter(Boolean);
	return name === '' || names.length === 0 ? undefined : names.includes(plainCode(name));
}

const isSaid = ({ sales }: Payment, problem: string): boolean =>
	sales.some((row) => row.problem.includes(problem));

/** Says once that a row has a former address, or empty: the shop may repeat itself, or have corrected the address back. */
function formerAddress(payment: Payment, sale: Sale): string {
	const { id, accepted, email, emails } = payment;
	if (sale.kind === 'moved' || sale.email === email || !emails.includes(sale.email)) return '';
	const problem = `Payment ${id} comes with its former address ${sale.email} again, and stays with ${email}. If ${sale.email} is right, add a row of kind moved.`;
	const isByHand = accepted.some((row) => row.kind === 'moved' && row.email === email);
	return isByHand || isSaid(payment, problem) ? '' : problem;
}

/** Whether a row is later than a refund: a shop may have taken its refund back. */
function isPaidAgain(payment: Payment, { receivedAt }: Sale): boolean {
	const { sales } = payment;
	const isRefund = (row: Sale) => row.kind === 'refunded' && !isOfAnother(payment, row);
	const index = sales.findIndex(isRefund);
	const refund = sales[index];
	if (!refund) return false;
	const before = sales.slice(0, index);
	const hasGiven = before.some(({ gifts }) => gifts.some(({ classId }) => classId !== NO_CLASS));
	// It may have been sent before the refund, and again if it failed.
	return receivedAt > refund.receivedAt + (hasGiven ? MOMENT : DAY);
}

/**
 * Why a row with another address may be of another buyer, or undefined: a correction has the same products, and the same date or
 * name. Some shops send one number for all payments.
 */
function differenceFrom(payment: Payment, sale: Sale): string | undefined {
	const { accepted, email } = payment;
	const first = accepted[0]!;
	const isDated = first.paidAt !== null && sale.paidAt !== null;
	if (isDated && sale.paidAt !== first.paidAt) return 'at another time';
	const plainCodes = sale.codes.map(plainCode);
	const isSame = accepted.some(
		({ codes, classId }) =>
			(classId !== '' && classId === sale.classId) ||
			codes.some((code) => plainCodes.includes(plainCode(code))),
	);
	if (!isSame) return 'for other products';
	const isNamed = hasSameName(payment, sale);
	if (isNamed === false) return 'under another name';
	// If it is nobody's, it is taken from nobody.
	return isDated || isNamed || email === '' ? undefined : 'with no date or name to compare';
}

/** What a row gives more than the rows before it, and problems. */
function givenBy(payment: Payment, sale: Sale, catalogue: Catalogue): Array<Gift | string> {
	if (sale.kind === 'moved') return [];
	const more =
		sale.classId === '' ? byProducts(payment, sale, catalogue) : byClass(sale, catalogue);
	const given = [...sale.gifts, ...more];
	const hasClass = given.some((one) => typeof one !== 'string' && one.classId !== NO_CLASS);
	// What it gives is kept, so that a row that moves it to the right address is enough.
	return hasClass && !isAddress(sale.email) ? [...given, noAddress(sale)] : given;
}

/** The class that a row by hand names, or a problem. */
function byClass(
	{ classId, months, gifts }: Sale,
	{ products, listedClasses: listed = [] }: Catalogue,
): Array<Gift | string> {
	if (gifts.length > 0) return [];
	const isKnown = listed.includes(classId) || products.some((row) => row.classId === classId);
	if (!isKnown) return [`Unknown class: "${classId}". Enter a classId of class_products.`];
	return [{ code: '', classId, months: months ?? MONTHS }];
}

/** The classes of the products that a row names, and no row before it, or problems. */
function byProducts(
	{ id, gifts, accepted }: Payment,
	sale: Sale,
	{ products }: Catalogue,
): Array<Gift | string> {
	const known = [...gifts, ...sale.gifts].map(({ code }) => plainCode(code));
	const before = accepted.filter(({ codes }) => codes.length > 0);
	const said = before.flatMap(({ codes }) => codes.map(plainCode));
	const isOld = before.length > 0 && sale.receivedAt > before[0]!.receivedAt + OPEN_FOR;
	const codes = sale.codes.filter((code) => !known.includes(plainCode(code)));
	return codes.flatMap((code) =>
		isOld && !said.includes(plainCode(code))
			? `${code} was added to payment ${id} more than a week later, so it gives no class. To give it, add a row of kind given.`
			: byCode(code, sale, products),
	);
}

function byCode(code: string, sale: Sale, products: Product[]): Array<Gift | string> {
	const all = products.filter(({ product }) => hasCode(product, code));
	const rows = all.filter(({ classId }) => classId !== '');
	const thenRetry = 'Then retry, or empty doneAt in class_sales.';
	if (all.length === 0)
		return [
			`Unknown product: ${code}. Enter ${howToType(code)} in the data table class_products. ${thenRetry}`,
		];
	if (rows.length === 0)
		return [
			`Product ${code} has no classId in class_products. Enter it, or - if it is no class. ${thenRetry}`,
		];
	const given = rows.map(({ classId, months: own, problem }): Gift | string => {
		const months = sale.months ?? own;
		if (months === null && problem)
			return `Product ${code}: ${problem} Correct it in class_products.`;
		// A year for each month that is paid would be silent.
		if (months === null && sale.isSubscription && sale.until === null && classId !== NO_CLASS)
			return `${code} is a subscription, and the shop doesn't say until when it is paid. Enter its months in class_products (1 if it is monthly), then retry.`;
		return { code, classId, months: months ?? MONTHS };
	});
	// All or nothing: once a code has given something, it gives no more.
	const problems = given.filter((one) => typeof one === 'string');
	return problems.length > 0 ? problems : given;
}
