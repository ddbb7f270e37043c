// Rows by hand that are entered twice.
import { plainCode } from '../reading/codes';
import { isUnnumbered, type Sale } from './tables';
import { DAY } from './types';

/** Later, the same is meant to be given once more. */
const MEANT_ONCE = 7 * DAY;

/**
 * Says that a row is the same as an earlier one, or empty. It was pasted, or a file was imported, twice, and its months would count
 * twice. Of payments with a number, Class access knows it.
 * @param sales all rows, in the order in which they were recorded
 */
export function repetitionOf(sale: Sale, sales: Sale[]): string {
	if (!addsUp(sale)) return '';
	const isEnding = ({ id, kind, email, classId }: Sale) =>
		kind === 'ended' &&
		email === sale.email &&
		(sale.classId === '' || classId === sale.classId) &&
		id < sale.id;
	// What has ended meanwhile is given again.
	const endedBy = sales.filter(isEnding).at(-1)?.id ?? 0;
	const isSame = (other: Sale) =>
		addsUp(other) &&
		other.problem === '' &&
		!gaveNothing(other) &&
		whatIsGiven(other) === whatIsGiven(sale) &&
		other.id > endedBy &&
		sale.receivedAt <= other.receivedAt + MEANT_ONCE;
	const { id } = sales.find(isSame) ?? sale;
	if (id === sale.id) return '';
	return `It is the same as row ${id}, so it gives nothing. To give more, enter the months of both in one row, or another paymentId in this one.`;
}

/** Whether a row gives months that count beside those of other rows. */
const addsUp = (sale: Sale): boolean =>
	sale.until === null && (sale.kind === 'given' || isUnnumbered(sale));

/** Such as a row with an unknown product. */
const gaveNothing = ({ isDone, gifts }: Sale): boolean => isDone && gifts.length === 0;

function whatIsGiven(sale: Sale): string {
	const { kind, email, name, classId, codes, months, paidAt } = sale;
	const number = isUnnumbered(sale) ? '' : sale.paymentId;
	const plainCodes = codes.map(plainCode);
	return JSON.stringify([number, kind, email || name, classId, plainCodes, months, paidAt]);
}
