// What a row of `class_sales` gives.
import { isAddress } from '../../../nodes/ClassEnrollment/values/address';
import { hasCode, plainCode } from '../../reading/codes';
import { howToType } from '../../reading/lists';
import { NO_CLASS, type Product } from '../tables/products';
import { noAddress } from '../tables/saleProblems';
import { WITHOUT_CODE, type Gift, type Sale } from '../tables/sales';
import { DAY } from '../types';
import type { Payment } from './payments';

const MONTHS = 12;
/** What a shop adds to an older order isn't given: nobody knows whether it was paid, or a product of a class then. */
const OPEN_FOR = 7 * DAY;
/** Of the row of the call, which the shop's execution records again. */
export const THEN_RETRY = "Then retry the shop's execution, or empty doneAt in class_sales.";
const CORRECTED =
	'What it gave is kept. Empty classes, too, if you have corrected the row. A class that it gave by mistake needs a row of kind ended.';

/** What a row gives more than the rows before it, and problems. */
export function givenBy(payment: Payment, sale: Sale, products: Product[]): Array<Gift | string> {
	if (sale.isDone) return sale.gifts;
	const more = sale.classId === '' ? byProducts(payment, sale, products) : byClass(sale, products);
	const given = [...sale.gifts, ...keptOf(sale), ...more];
	const hasClass = given.some((one) => typeof one !== 'string' && one.classId !== NO_CLASS);
	// What it gives is kept, so that a row that moves it to the right address is enough.
	return hasClass && !isAddress(sale.email) ? [...given, noAddress(sale)] : given;
}

/** Says what is kept of a row that gave something before an owner has corrected it. */
function keptOf(sale: Sale): string[] {
	const { classId, until, email } = sale;
	const gifts = sale.gifts.filter((gift) => !isNoClass(gift));
	const codes = sale.codes.map(plainCode);
	const isNamed = (gift: Gift) =>
		classId === '' ? codes.includes(plainCode(gift.code)) : gift.classId === classId;
	// Those of a product may have changed since, and with until, none count.
	const months = classId === '' || until !== null ? sale.months : (sale.months ?? MONTHS);
	const isOther = (gift: Gift) => !isNamed(gift) || (months !== null && gift.months !== months);
	const kept = gifts.some(isOther) ? [CORRECTED] : [];
	const former = gifts.find((gift) => gift.email && gift.email !== email)?.email;
	return former ? [...kept, keptBy(former)] : kept;
}

/** Says who keeps what a row gave before an owner has corrected its address. */
export const keptBy = (email: string): string =>
	`${email} keeps what it gave before. To end that, add a row of kind ended for them.`;

/** The class that a row by hand names, or a problem. */
function byClass({ classId, months, gifts }: Sale, products: Product[]): Array<Gift | string> {
	if (gifts.length > 0) return [];
	const isKnown = products.some((row) => row.classId === classId);
	if (!isKnown || classId === NO_CLASS)
		return [`Unknown class: "${classId}". Enter a classId of class_products.`];
	return [{ code: '', classId, months: months ?? MONTHS }];
}

/** The classes of the products that a row names, and no row before it, or problems. */
function byProducts(payment: Payment, sale: Sale, products: Product[]): Array<Gift | string> {
	const known = [...payment.gifts, ...sale.gifts].map(({ code }) => plainCode(code));
	const codes = sale.codes.filter((code) => !known.includes(plainCode(code)));
	return codes.flatMap((code) => {
		const given = byCode(code, sale, products);
		const isLate = !given.every(isNoClass) && isNamedLate(payment, sale, code);
		return isLate ? namedLate(payment, code) : given;
	});
}

/** Whether a payment names a product late: no row of its first days does. */
function isNamedLate({ accepted }: Payment, sale: Sale, code: string): boolean {
	const rows = [...accepted, sale];
	const lastTime = rows[0]!.receivedAt + OPEN_FOR;
	const inTime = rows.filter(({ receivedAt }) => receivedAt <= lastTime);
	return !inTime.flatMap(({ codes }) => codes.map(plainCode)).includes(plainCode(code));
}

/** Says once that it gives nothing: shops repeat themselves. */
function namedLate({ id, sales }: Payment, code: string): string[] {
	const problem = `Payment ${id} names ${code} only after more than a week, so it gives no class for it. To give it, add a row of kind given.`;
	return sales.some(({ notedProblem }) => notedProblem.includes(problem)) ? [] : [problem];
}

const isNoClass = (one: Gift | string): boolean =>
	typeof one !== 'string' && one.classId === NO_CLASS;

function byCode(code: string, sale: Sale, products: Product[]): Array<Gift | string> {
	const all = products.filter(({ product }) => hasCode(product, code));
	const rows = all.filter(({ classId }) => classId !== '');
	// An owner may still be filling it in.
	if (code === WITHOUT_CODE && sale.kind === 'given')
		return ['Enter a classId, then empty doneAt.'];
	// Entered beside a class, it would give that to whoever buys anything without a code.
	if (all.length === 0 && code === WITHOUT_CODE)
		return [
			`Unknown product: ${code}. Check products in What the Shop Sends. If it is no class, enter ${code} in the data table class_products, with - as classId. ${THEN_RETRY}`,
		];
	if (all.length === 0)
		return [
			`Unknown product: ${code}. Enter ${howToType(code)} in the data table class_products. ${THEN_RETRY}`,
		];
	if (rows.length < all.length)
		return [
			`Product ${code} has no classId in class_products. Enter it, or - if it is no class. ${THEN_RETRY}`,
		];
	const given = withoutReplaced(rows).map(({ classId, months: own, problem }): Gift | string => {
		const months = sale.months ?? own;
		if (problem) return `Product ${code}: ${problem} Correct it in class_products. ${THEN_RETRY}`;
		// A year for each month that is paid would be silent.
		if (months === null && sale.isSubscription && sale.until === null && classId !== NO_CLASS)
			return `${code} may be a subscription, and the shop doesn't say until when it is paid. Enter its months in class_products (1 if it is monthly). ${THEN_RETRY}`;
		return { code, classId, months: months ?? MONTHS };
	});
	// All or nothing: once a code has given something, it gives no more.
	const problems = given.filter((one) => typeof one === 'string');
	return problems.length > 0 ? problems : given;
}

/** The rows of a code. One without months doesn't count beside another one of its class, which was added for its months. */
function withoutReplaced(rows: Product[]): Product[] {
	const saysMonths = ({ months, problem }: Product) => months !== null || problem !== '';
	const classIds = rows.filter(saysMonths).map(({ classId }) => classId);
	return rows.filter((row) => saysMonths(row) || !classIds.includes(row.classId));
}
