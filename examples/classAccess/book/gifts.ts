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

/** What a row gives, or a part of it, and what is wrong with it. */
interface Given {
	gifts: Gift[];
	problems: string[];
}
const NOTHING_MORE: Given = { gifts: [], problems: [] };
const onlyProblem = (text: string): Given => ({ gifts: [], problems: [text] });
const together = (parts: Given[]): Given => ({
	gifts: parts.flatMap(({ gifts }) => gifts),
	problems: parts.flatMap(({ problems }) => problems),
});

/** What a row gives more than the rows before it. */
export function givenBy(payment: Payment, sale: Sale, products: Product[]): Given {
	if (sale.isDone) return { gifts: sale.gifts, problems: [] };
	const more = sale.classId === '' ? byProducts(payment, sale, products) : byClass(sale, products);
	const gifts = [...sale.gifts, ...more.gifts];
	// What it gives is kept, so that a row that moves it to the right address is enough.
	const isForNobody = gifts.some(hasClass) && !isAddress(sale.email);
	const ofAddress = isForNobody ? [noAddress(sale)] : [];
	return { gifts, problems: [...keptOf(sale), ...more.problems, ...ofAddress] };
}

/** Says what is kept of a row that gave something before an owner has corrected it. */
function keptOf(sale: Sale): string[] {
	const { classId, until, email } = sale;
	const gifts = sale.gifts.filter(hasClass);
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

/** The class that a row by hand names. */
function byClass({ classId, months, gifts }: Sale, products: Product[]): Given {
	if (gifts.length > 0) return NOTHING_MORE;
	const isKnown = products.some((row) => row.classId === classId);
	if (!isKnown || classId === NO_CLASS)
		return onlyProblem(`Unknown class: "${classId}". Enter a classId of class_products.`);
	return { gifts: [{ code: '', classId, months: months ?? MONTHS }], problems: [] };
}

/** The classes of the products that a row names, and no row before it. */
function byProducts(payment: Payment, sale: Sale, products: Product[]): Given {
	const known = [...payment.gifts, ...sale.gifts].map(({ code }) => plainCode(code));
	const codes = sale.codes.filter((code) => !known.includes(plainCode(code)));
	const parts = codes.map((code) => {
		const given = byCode(code, sale, products);
		const gives = given.gifts.some(hasClass) || given.problems.length > 0;
		return gives && isNamedLate(payment, sale, code) ? namedLate(payment, code) : given;
	});
	return together(parts);
}

/** Whether a payment names a product late: no row of its first days does. */
function isNamedLate({ accepted }: Payment, sale: Sale, code: string): boolean {
	const rows = [...accepted, sale];
	const lastTime = rows[0]!.receivedAt + OPEN_FOR;
	const inTime = rows.filter(({ receivedAt }) => receivedAt <= lastTime);
	return !inTime.flatMap(({ codes }) => codes.map(plainCode)).includes(plainCode(code));
}

/** Says once that it gives nothing: shops repeat themselves. */
function namedLate({ id, sales }: Payment, code: string): Given {
	const text = `Payment ${id} names ${code} only after more than a week, so it gives no class for it. To give it, add a row of kind given.`;
	const isSaid = sales.some(({ notedProblem }) => notedProblem.includes(text));
	return isSaid ? NOTHING_MORE : onlyProblem(text);
}

const hasClass = ({ classId }: Gift): boolean => classId !== NO_CLASS;

/** The classes of a product. All or nothing: once a code has given something, it gives no more. */
function byCode(code: string, sale: Sale, products: Product[]): Given {
	const rows = products.filter(({ product }) => hasCode(product, code));
	const unusable = unusableProduct(code, sale, rows);
	if (unusable) return onlyProblem(unusable);
	const given = together(withoutReplaced(rows).map((row) => byRow(code, sale, row)));
	return given.problems.length > 0 ? { ...given, gifts: [] } : given;
}

/** Says what to enter in class_products. Empty if its rows say which classes it gives. */
function unusableProduct(code: string, { kind }: Sale, rows: Product[]): string {
	// An owner may still be filling it in.
	if (code === WITHOUT_CODE && kind === 'given') return 'Enter a classId, then empty doneAt.';
	// Entered beside a class, it would give that to whoever buys anything without a code.
	if (rows.length === 0 && code === WITHOUT_CODE)
		return `Unknown product: ${code}. Check products in What the Shop Sends. If it is no class, enter ${code} in the data table class_products, with - as classId. ${THEN_RETRY}`;
	if (rows.length === 0)
		return `Unknown product: ${code}. Enter ${howToType(code)} in the data table class_products. ${THEN_RETRY}`;
	if (rows.some(({ classId }) => classId === ''))
		return `Product ${code} has no classId in class_products. Enter it, or - if it is no class. ${THEN_RETRY}`;
	return '';
}

function byRow(code: string, sale: Sale, { classId, months: own, problem }: Product): Given {
	const months = sale.months ?? own;
	if (problem)
		return onlyProblem(`Product ${code}: ${problem} Correct it in class_products. ${THEN_RETRY}`);
	// A year for each month that is paid would be silent.
	if (months === null && sale.isSubscription && sale.until === null && classId !== NO_CLASS)
		return onlyProblem(
			`${code} may be a subscription, and the shop doesn't say until when it is paid. Enter its months in class_products (1 if it is monthly). ${THEN_RETRY}`,
		);
	return { gifts: [{ code, classId, months: months ?? MONTHS }], problems: [] };
}

/** The rows of a code. One without months doesn't count beside another one of its class, which was added for its months. */
function withoutReplaced(rows: Product[]): Product[] {
	const saysMonths = ({ months, problem }: Product) => months !== null || problem !== '';
	const classIds = rows.filter(saysMonths).map(({ classId }) => classId);
	return rows.filter((row) => saysMonths(row) || !classIds.includes(row.classId));
}
