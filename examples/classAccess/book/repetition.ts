// Rows by hand that are entered twice.
import { plainCode } from '../../reading/codes';
import { isUnnumbered, type Sale } from '../tables/sales';
import { DAY } from '../types';
import type { Payment } from './payments';

/** Later, the same is meant to be given once more. */
const MEANT_ONCE = 7 * DAY;

/**
 * Says that a row is the same as an earlier one, or empty. It was pasted, or a file was imported, twice, and its months would count
 * twice. Payments with a number don't.
 * @param payments those of the rows before it
 */
export function repetitionOf(sale: Sale, payments: Payment[]): string {
	if (!addsUp(sale)) return '';
	const rows = payments.flatMap(({ accepted, ends }) =>
		// What has ended since is meant to be given once more.
		accepted.filter(({ gifts }) =>
			gifts.some(({ classId }) => (ends.get(classId) ?? Infinity) > sale.receivedAt),
		),
	);
	const same = rows.find(
		(row) =>
			addsUp(row) &&
			sale.receivedAt <= row.receivedAt + MEANT_ONCE &&
			whatIsGiven(row) === whatIsGiven(sale),
	);
	if (!same) return '';
	return `It is the same as row ${same.id}, so it gives nothing. To give more, enter the months of both in one row, or another paymentId in this one.`;
}

/** Whether a row gives months that count beside those of other rows. */
const addsUp = (sale: Sale): boolean =>
	sale.until === null && (sale.kind === 'given' || isUnnumbered(sale));

function whatIsGiven(sale: Sale): string {
	const { kind, email, name, classId, codes, months, paidAt } = sale;
	const number = isUnnumbered(sale) ? '' : sale.paymentId;
	const plainCodes = codes.map(plainCode);
	return JSON.stringify([number, kind, email || name, classId, plainCodes, months, paidAt]);
}
