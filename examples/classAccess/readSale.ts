import { DateTime } from 'luxon';

import type { Product, Sale, Time } from './rounds';

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)? ?(Z|[+-]\d{2}:?\d{2})?$/i;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
export const text = (value: unknown) =>
	isObject(value)
		? ''
		: String(value ?? '')
				.normalize('NFC')
				.trim();
export const address = (value: unknown) => text(value).toLowerCase();
/** A code as it is compared: without case, and with single blanks. */
export const plain = (code: unknown) => text(code).toLowerCase().replace(/\s+/g, ' ');

/** Reads a date, or returns undefined. Without a zone it is in UTC. A day lasts until its end in the workflow's zone. */
export function readDate(value: unknown): Time | null | undefined {
	const given = text(value);
	if (given === '') return isObject(value) ? undefined : null;
	const day = ISO_DATE.test(given);
	if (!day && !ISO_TIME.test(given)) return undefined;
	const zone = day ? {} : { zone: 'utc' };
	const date = DateTime.fromISO(given.replace(' ', 'T').replace(' ', ''), zone);
	if (!date.isValid) return undefined;
	return (day ? date.endOf('day') : date).toMillis();
}

/** What an item without a code counts as. */
const NONE = 'without-code';

/** The codes that a shop gives: a list, whose codes may have commas, or one text with commas. */
export function readCodes(products: unknown): string[] {
	const list = Array.isArray(products) ? products : listIn(text(products));
	return list.length === 0 ? [NONE] : list.map((code) => plain(code) || NONE);
}

function listIn(products: string): unknown[] {
	const [, inBrackets] = /^\[(.*)\]$/s.exec(products) ?? [];
	if (inBrackets === undefined) return products.split(',');
	try {
		return JSON.parse(products) as unknown[];
	} catch {
		return inBrackets.split(',');
	}
}

/** The rows of `class_products` for a code. A cell holds one code, or several with commas. */
export function productsOf(code: string, table: Product[]): Product[] {
	const whole = table.filter(({ product }) => plain(product) === code);
	if (whole.length > 0) return whole;
	return table.filter(({ product }) => text(product).split(',').map(plain).includes(code));
}

/** Checks what another workflow gives. */
export function readSale(given: Record<string, unknown>): { sale: Sale; problems: string[] } {
	const [paidAt, until] = [readDate(given.paidAt), readDate(given.until)];
	const status = text(given.status);
	const sale: Sale = {
		paymentId: text(given.paymentId),
		kind: status === 'refunded' ? 'refunded' : 'paid',
		email: address(given.email),
		name: text(given.name),
		codes: readCodes(given.products),
		paidAt: paidAt ?? null,
		until: until ?? null,
		returnFailure: given.returnFailure === true,
	};
	const problems: string[] = [];
	if (!sale.paymentId) problems.push('The payment ID is missing.');
	if (status !== 'paid' && status !== 'refunded')
		problems.push("The status is neither 'paid' nor 'refunded'.");
	for (const [name, date] of [
		['paidAt', paidAt],
		['until', until],
	] as const)
		if (date === undefined && sale.kind === 'paid')
			problems.push(`A date is invalid. ${name} is "${text(given[name])}", not like 2027-01-31.`);
	if (
		typeof paidAt === 'number' &&
		typeof until === 'number' &&
		until <= paidAt &&
		status === 'paid'
	)
		problems.push(`The end of access (until: "${text(given.until)}") is not after the payment.`);
	return { sale, problems };
}
