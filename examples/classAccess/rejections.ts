// What is wrong with a row, by what is known of its payment. Two shops may use the same numbers.
import { DateTime } from 'luxon';

import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { plainCode } from '../reading/codes';
import { NO_CLASS } from './gifts';
import type { Payment } from './payments';
import type { Gift, Sale } from './tables';
import type { Time } from './types';

export const TWO_SHOPS = 'Two shops must not use the same numbers.';

/** Why a row gives nothing, and moves nothing, or empty. */
export function rejectionOf(payment: Payment, sale: Sale): string {
	const { kind, paymentId } = sale;
	if (kind !== 'moved' && kind !== 'refunded') return ofAnotherBuyer(payment, sale);
	if (kind === 'moved' && payment.accepted.length === 0)
		return `There is no payment ${paymentId}. Enter that of the buyer's row.`;
	if (kind === 'moved' && payment.refund)
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

/** In what a row differs from its payment, or empty: a corrected address comes with the same products, and the same time or name. */
function differenceFrom(payment: Payment, { paidAt }: Sale, sale: Sale): string {
	const isDated = paidAt !== null && sale.paidAt !== null;
	if (isDated && paidAt !== sale.paidAt) return 'at another time';
	if (!hasSameProduct(payment, sale)) return 'for other products';
	const isNamed = hasSameName(payment, sale);
	if (isNamed === false) return 'under another name';
	const isSameTime = isDated && !isDay(paidAt);
	// If it is nobody's, it is taken from nobody.
	return isSameTime || isNamed || payment.email === '' ? '' : 'with no time or name to compare';
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

/** Whether a row has an address that its payment never had. */
export const isNewAddress = ({ emails }: Payment, { email }: Sale): boolean =>
	isAddress(email) && !emails.includes(email);

/** Says that a row, which is about all that its payment gave, names only a part of it. Empty otherwise. */
export function namesPart({ id, gifts }: Payment, { kind, codes, classId }: Sale): string {
	const named = codes.map(plainCode);
	const isNamed = (gift: Gift) =>
		gift.classId === NO_CLASS || gift.classId === classId || named.includes(plainCode(gift.code));
	const namesNothing = classId === '' && named.length === 0;
	if (namesNothing || gifts.every(isNamed)) return '';
	return `A row of kind ${kind} is about all of payment ${id}, and this one names a part of it. Add it again without products and classId, or end one class by a row of kind ended.`;
}

/** Whether a row has a name of its payment. Undefined: one of the two has none. */
export function hasSameName({ accepted }: Payment, { name }: Sale): boolean | undefined {
	const names = accepted.map((row) => plainCode(row.name)).filter(Boolean);
	return name === '' || names.length === 0 ? undefined : names.includes(plainCode(name));
}

/** Whether a date is a mere day, on which others may have paid, too: spreadsheets write it as its midnight. */
function isDay(time: Time): boolean {
	const date = DateTime.fromMillis(time);
	return [date.startOf('day'), date.endOf('day')].some((edge) => edge.toMillis() === time);
}
