// What is wrong with a row, by what is known of its payment. Two shops may use the same numbers.
import { DateTime } from 'luxon';

import { isAddress } from '../../../nodes/ClassEnrollment/values/address';
import { plainCode } from '../../reading/codes';
import { NO_CLASS } from '../tables/products';
import type { Gift, Sale } from '../tables/sales';
import { isGiving, type Time } from '../types';
import type { Payment } from './payments';

export const TWO_SHOPS = 'Two shops must not use the same numbers.';

/** Why a row gives nothing, and moves nothing, or empty. */
export function rejectionOf(payment: Payment, sale: Sale): string {
	const { kind, paymentId } = sale;
	if (!isGiving(kind) && sale.gifts.length > 0)
		return `This row has given access, which is kept. Change its kind back, and add a row of kind ${kind}.`;
	if (kind === 'refunded')
		return refundOfAnother(payment, sale) || namesPart(payment, withEarlierRefunds(payment, sale));
	if (kind !== 'moved') return ofAnotherBuyer(payment, sale);
	if (payment.accepted.length === 0)
		return `There was no payment ${paymentId} when this row was added. Enter the paymentId of the buyer's row, or add this row again after it. If that row has none, use rows of kind ended and given.`;
	if (payment.refund)
		return `Payment ${paymentId} was refunded, so nothing moves. To give access, add a row of kind given.`;
	return namesPart(payment, sale);
}

/** Says that a row may be of another buyer than its payment. Empty otherwise. */
function ofAnotherBuyer(payment: Payment, sale: Sale): string {
	const { id, accepted, movedTo } = payment;
	const [first] = accepted;
	if (!first || !isNewAddress(payment, sale) || movedTo.includes(sale.email)) return '';
	const difference = differenceFrom(payment, first, sale);
	if (difference === '') return '';
	return `Payment ${id} was made by ${first.email || 'somebody'} ${difference}. If ${sale.email} is the corrected address, add a row of kind moved, and empty doneAt of this one. ${TWO_SHOPS}`;
}

/** Says that a refund may be of another buyer than its payment. Empty otherwise. */
function refundOfAnother(payment: Payment, sale: Sale): string {
	if (payment.refund || isOfBuyer(payment, sale)) return '';
	return `Payment ${payment.id} is of ${payment.email || 'somebody'}, and its refund names ${sale.email}. So it stays. If it was refunded, add a row of kind refunded without an email. ${TWO_SHOPS}`;
}

/** In what a row differs from its payment, or empty: a corrected address comes with the same products, time, and name. */
function differenceFrom(payment: Payment, { paidAt }: Sale, sale: Sale): string {
	if (paidAt !== null && sale.paidAt !== null && paidAt !== sale.paidAt) return 'at another time';
	if (!hasSameProduct(payment, sale)) return 'for other products';
	return isOfBuyer(payment, sale) ? '' : 'under another name, or none';
}

/** Whether a row has an address of its payment, or none, or a name of it. */
function isOfBuyer(payment: Payment, row: Sale): boolean {
	if (!isNewAddress(payment, row)) return true;
	const names = payment.accepted.map(({ name }) => plainCode(name)).filter(Boolean);
	if (row.name !== '' && names.length > 0) return names.includes(plainCode(row.name));
	// What is nobody's yet is taken from nobody.
	if (payment.email === '') return true;
	// Without a name to compare, the time tells. On a mere day, others may have paid, too.
	const { paidAt } = payment.accepted[0]!;
	return paidAt !== null && paidAt === row.paidAt && !isDay(paidAt);
}

/** Whether a date is a mere day: spreadsheets write it as its midnight. */
function isDay(time: Time): boolean {
	const date = DateTime.fromMillis(time);
	return [date.startOf('day'), date.endOf('day')].some((edge) => edge.toMillis() === time);
}

/** Whether a row names the class, or one of the products, of its payment. */
function hasSameProduct({ accepted }: Payment, { classId, codes }: Sale): boolean {
	const plainCodes = codes.map(plainCode);
	return accepted.some(
		(row) =>
			(row.classId !== '' && row.classId === classId) ||
			row.codes.some((code) => plainCodes.includes(plainCode(code))),
	);
}

/** A refund with what earlier ones name, unless it is about all: a shop may refund each item of an order by itself. */
function withEarlierRefunds({ sales }: Payment, sale: Sale): Sale {
	const refunds = [...sales, sale].filter(({ kind }) => kind === 'refunded');
	return sale.codes.length === 0 ? sale : { ...sale, codes: refunds.flatMap(({ codes }) => codes) };
}

/** Whether a row has an address that its payment never had. */
export const isNewAddress = ({ emails }: Payment, { email }: Sale): boolean =>
	isAddress(email) && !emails.includes(email);

/** Says that a row, which is about all that its payment gave, names only a part of it. Empty otherwise. */
function namesPart({ id, gifts }: Payment, { kind, codes, classId }: Sale): string {
	const named = codes.map(plainCode);
	const isNamed = (gift: Gift) =>
		gift.classId === NO_CLASS || gift.classId === classId || named.includes(plainCode(gift.code));
	const namesNothing = classId === '' && named.length === 0;
	if (namesNothing || gifts.every(isNamed)) return '';
	return `A row of kind ${kind} is about all of payment ${id}, and this one names a part of it. Add it again without products and classId, or end one class by a row of kind ended.`;
}
