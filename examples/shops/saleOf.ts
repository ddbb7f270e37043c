import { DAY, type NewSale } from '../classAccess/types';
import { readCodes } from '../reading/codes';
import { LAST_END, readDate, type Moment } from '../reading/dates';
import { splitList } from '../reading/lists';
import { ifReadable, readText, UnreadableValue } from '../reading/text';
import { failIfRounded, isObject, missing, textOf } from './fields';
import type { NotificationFields } from './notification';
import { numberOf, paymentIdOf } from './paymentId';
import { isSubscription } from './subscription';

/**
 * Reads a payment or its refund, as Class access takes it. The address and the codes are checked there, since an order without
 * a class needs none.
 * @param body what the shop has sent
 * @param now milliseconds since 1970
 * @throws UnreadableValue that says what is wrong
 */
export function saleOf(
	fields: NotificationFields,
	kind: 'paid' | 'refunded',
	body: unknown,
	now: number,
): NewSale {
	const paymentId = paymentIdOf(fields);
	if (paymentId === '') throw new UnreadableValue(missing('The payment ID', 'paymentId'));
	failIfRounded(numberOf(fields), 'The payment ID', body);
	const name = ifReadable(() => textOf(fields.name, 'The name')) ?? '';
	if (kind === 'refunded') {
		const email = ifReadable(() => emailOf(fields)) ?? '';
		const products = JSON.stringify(refundedCodes(fields));
		return { paymentId, kind, email, name, products, until: '', paidAt: '', isSubscription: false };
	}
	const codes = codesOf(fields);
	for (const code of codes) failIfRounded(code, "A product's code", body);
	const paidAt = dateOf(fields, 'paidAt');
	// When access ends: as the shop says, or some days after the next charge of a subscription.
	const until = dateOf(fields, 'until') ?? endOfPeriod(fields, paidAt?.time ?? now);
	return {
		paymentId,
		kind,
		email: emailOf(fields),
		name,
		products: JSON.stringify(codes),
		until: until?.text ?? '',
		paidAt: paidAt?.text ?? '',
		isSubscription: isSubscription(fields),
	};
}

const emailOf = (fields: NotificationFields): string =>
	textOf(fields.email, 'The email address').toLowerCase();

/** What was bought: one, or a list, of which PHP makes an object with numbers as names if its first item was removed. */
function itemsOf(products: unknown): unknown[] {
	if (Array.isArray(products)) return products;
	const entries = isObject(products) ? Object.entries(products) : [];
	const isList = entries.every(([name, item]) => /^\d+$/.test(name) && isObject(item));
	return entries.length > 0 && isList ? entries.map(([, item]) => item) : [products];
}

/** The codes of what was bought. Of objects, the code is in one of the fields that `productCode` names. */
function codesOf(fields: NotificationFields): string[] {
	const { products } = fields;
	const items = itemsOf(products);
	const isSent = (field: string) =>
		items.some((item) => isObject(item) && ifReadable(() => readText(item[field], field)));
	const [field, another] = splitList(textOf(fields.productCode, 'productCode')).filter(isSent);
	const isClear = field !== undefined && another === undefined;
	const codes = items.map((item) => (isObject(item) && isClear ? item[field] : item));
	const unread = codes.find(isObject);
	if (unread && fields.productCode && Object.keys(unread).length > 0)
		throw new UnreadableValue(
			`In productCode, enter the field with the product's code: ${Object.keys(unread).join(' or ')}.`,
		);
	// An order without items lacks a code, too.
	return codes.length === 0 ? [''] : readCodes(codes);
}

/** What a refund names: nothing, if all is refunded. Another shop may tell of each item of an order by itself. */
function refundedCodes(fields: NotificationFields): string[] {
	const isAnother = fields.defaults !== undefined;
	const codes = isAnother ? (ifReadable(() => codesOf(fields)) ?? []) : [];
	return codes.every(Boolean) ? codes : [];
}

/** Some days after the next charge. Where the shop still tells the date of the charge that was paid, its period says the next. */
function endOfPeriod(fields: NotificationFields, paidAt: number): Moment | null {
	const next = dateOf(fields, 'nextCharge');
	const period = daysIn(fields, 'periodDays') * DAY;
	const grace = daysIn(fields, 'graceDays') * DAY;
	if (next && next.time > paidAt + DAY) return momentAt(next.time + grace);
	if (period > 0) return momentAt(paidAt + period + grace);
	if (!next) return null;
	throw new UnreadableValue(
		`A date is invalid. nextCharge is not after the payment: "${next.text}". If it is an older payment, add a row of kind given.`,
	);
}

function momentAt(time: number): Moment {
	const end = Math.min(time, LAST_END);
	return { time: end, text: new Date(end).toISOString() };
}

function dateOf(
	fields: NotificationFields,
	name: 'paidAt' | 'until' | 'nextCharge',
): Moment | null {
	const [text, form] = [textOf(fields[name], name), textOf(fields.dates, 'dates')];
	try {
		return readDate(text, name, form);
	} catch (error) {
		if (!(error instanceof UnreadableValue) || fields.dates !== '') throw error;
		throw new UnreadableValue(
			`${error.message} If your shop writes dates so, enter their form in dates of What the Shop Sends, publish, and retry.`,
		);
	}
}

function daysIn(fields: NotificationFields, name: 'graceDays' | 'periodDays'): number {
	const text = textOf(fields[name], name);
	if (!/^\d{0,4}$/.test(text))
		throw new UnreadableValue(`${name} is no number of days: "${text}".`);
	return Number(text);
}
