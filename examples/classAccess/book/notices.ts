// What an owner should know of a row that isn't rejected.
import { DateTime } from 'luxon';

import { isAddress } from '../../../nodes/ClassEnrollment/values/address';
import { plainCode } from '../../reading/codes';
import type { Sale } from '../tables/sales';
import { DAY, type Time } from '../types';
import type { Payment } from './payments';
import { TWO_SHOPS } from './rejections';

/** So long, shops repeat themselves. Some charge every week. */
const REPEATS = 6.5 * DAY;

/** What is said of a row, or empty. Said once: shops repeat themselves, for days if it fails. */
export function noticeOf(payment: Payment, sale: Sale): string {
	if (sale.kind !== 'paid') return '';
	const notices = [earlierRefund, paidAgain, nextCharge, formerAddress].map((find) =>
		find(payment, sale),
	);
	const isSaid = (notice: string) => payment.sales.some(({ problem }) => problem.includes(notice));
	return notices.filter((notice) => notice !== '' && !isSaid(notice)).join(' ');
}

/** When a row was paid, as far as it says so. */
const timeOf = ({ paidAt, receivedAt }: Sale): Time => paidAt ?? receivedAt;
const dayOf = (time: Time) => DateTime.fromMillis(time).toISODate();

/** Says that the refund came first, and names somebody else. */
function earlierRefund({ id, email, refund }: Payment, sale: Sale): string {
	const isFirst = email === '' && isAddress(sale.email);
	if (!isFirst || !refund || !isAddress(refund.email) || refund.email === sale.email) return '';
	return `Payment ${id} is of ${sale.email}, and its refund, which came first, names ${refund.email}. So it gives nothing. If that is wrong, add a row of kind given. ${TWO_SHOPS}`;
}

/** A shop may have taken its refund back. If the payment gave nothing before, it may be sent for a day, in any order. */
function paidAgain({ id, accepted, refund }: Payment, sale: Sale): string {
	if (!refund) return '';
	const gaveNothing = !accepted.some((row) => row.id < refund.id && row.gifts.length > 0);
	if (gaveNothing && sale.receivedAt <= refund.receivedAt + DAY) return '';
	const when = sale.paidAt === null ? '' : ` (${dayOf(sale.paidAt)})`;
	return `Payment ${id} was refunded, and comes again as paid${when}. If the refund was taken back, add a row of kind given.`;
}

/** Some shops send one number for each charge, perhaps with the end before, or for another plan. */
function nextCharge(payment: Payment, sale: Sale): string {
	const charges = chargesOf(payment);
	if (!isNextCharge(sale, charges)) return '';
	const again = `Payment ${payment.id} comes again (${dayOf(timeOf(sale))})`;
	const advice = 'let your shop send a paymentId of its own for each charge.';
	if ((sale.until ?? 0) <= (payment.until ?? 0))
		return `${again}, and gives nothing more. If it is the next charge of the subscription, add a row of kind given, and ${advice}`;
	if (codesOf(sale) === codesOf(charges[0]!)) return '';
	return `${again} for other products, and prolongs those before. If that is wrong, add rows of kind given and ended, and ${advice}`;
}

const codesOf = ({ codes }: Sale): string => codes.map(plainCode).sort().join('\n');

/** The charges under a number, without their repeats. */
function chargesOf({ accepted }: Payment): Sale[] {
	const [first, ...others] = accepted.filter(({ kind }) => kind === 'paid');
	if (!first) return [];
	return others.reduce(
		(earlier, sale) => (isNextCharge(sale, earlier) ? [...earlier, sale] : earlier),
		[first],
	);
}

/** Whether a row is one more charge of a subscription. A repeat has the same date, or none and comes soon. */
function isNextCharge(sale: Sale, earlier: Sale[]): boolean {
	if (!sale.isSubscription || earlier.length === 0) return false;
	const last = Math.max(...earlier.map(timeOf));
	return timeOf(sale) > last + (sale.paidAt === null ? REPEATS : DAY);
}

/** Nobody knows which of several charges under one number was refunded. */
export function refundOfAll(payment: Payment, sale: Sale): string {
	if (payment.refund?.id !== sale.id || chargesOf(payment).length < 2) return '';
	return `Payment ${payment.id} was charged several times, and all of it is taken back. If only one charge was refunded, add a row of kind given.`;
}

/** The shop may have corrected the address back, unless an owner has. */
function formerAddress({ id, accepted, email, emails }: Payment, sale: Sale): string {
	const isByHand = accepted.some((row) => row.kind === 'moved' && row.email === email);
	if (sale.email === email || !emails.includes(sale.email) || isByHand) return '';
	return `Payment ${id} comes with its former address ${sale.email} again, and stays with ${email}. If ${sale.email} is right, add a row of kind moved.`;
}
