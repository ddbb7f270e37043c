// What is wrong with a row of `class_sales`, whatever the others say.
import { isAddress } from '../../../nodes/ClassEnrollment/values/address';
import { withoutInvisible } from '../../reading/text';
import { DAY, isGiving, KINDS } from '../types';
import type { Sale, SaleRow } from './sales';

/** What is wrong with a row whose cells can be read. */
export function problemsOf(sale: Sale, cells: SaleRow): string[] {
	const { kind, email, codes, classId, months, until, paidAt, receivedAt } = sale;
	const gives = isGiving(kind);
	const needsPayment = kind === 'moved' || kind === 'refunded';
	const rules: Array<[isWrong: boolean, problem: string]> = [
		[!KINDS.includes(kind), `Unknown kind: "${kind}". Enter ${KINDS.join(', ')}.`],
		[
			kind !== 'ended' && until !== null && until <= (paidAt ?? receivedAt),
			`The end of access (until: "${cells.until}") isn't after the payment. Enter a later one in a row of kind given.`,
		],
		[kind === 'ended' && classId === '', 'Enter the classId that it ends.'],
		[
			kind === 'ended' && months !== null,
			'A row of kind ended has no months. Add it again with until, or with neither to end access at once.',
		],
		[needsPayment && cells.paymentId === '', `Enter the paymentId that is ${kind}.`],
		[kind === 'moved' && !isAddress(email), noAddress(sale)],
		[
			withoutInvisible(sale.paymentId) !== sale.paymentId,
			'The paymentId contains an invisible character. Add the row again with the right one.',
		],
		[gives && codes.length > 0 && classId !== '', 'Enter products or a classId, not both.'],
		[gives && months !== null && until !== null, 'Enter months or until, not both.'],
		// A day without a time lasts to its end, perhaps in another time zone.
		[
			paidAt !== null && paidAt > receivedAt + 2 * DAY,
			`A date is invalid. paidAt is in the future: "${cells.paidAt}".`,
		],
	];
	return rules.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []));
}

/** What is wrong with a row whose address is missing, or none. */
export const noAddress = ({ kind, email }: Sale): string =>
	email === ''
		? `A row of kind ${kind} has no email address. Add it again with one.`
		: `A row of kind ${kind} has "${email}", which is not an email address. It may contain an invisible character. Add it again with the right one.`;
