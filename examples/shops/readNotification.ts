import type { NewSale } from '../classAccess/types';
import { howToType } from '../reading/lists';
import { readText, UnreadableValue } from '../reading/text';
import { isOnList } from '../reading/words';
import { missing, textOf } from './fields';
import { NO_SALE, NOTHING_TO_DO, type NotificationFields } from './notification';
import { isLaterInstalment, nameOf } from './paymentId';
import { wasPaid, type Rules, type RulesOf } from './rules';
import { saleOf } from './saleOf';

const LISTS = ['paid', 'refunded', 'nothingToDo'] as const;
/** Not a refund that may be cancelled itself. */
const GIVEN_BACK = /refunded|charged?.?back|reembolsad|estornad|devolvid|devuelt/i;
const UNSURE_REFUND =
	'The refund may be of a part, or have failed, so the access stays. To end it, add a row of kind refunded to the data table class_sales.';
const FORGED = 'Wrong signature or token, or no JSON. Check the secret in Compute Signature.';

/**
 * Reads a notification: the sale that it tells of, or why it tells of none.
 * @param sent what **What the Shop Sends** has read of it
 * @param body what the shop has sent
 * @param now milliseconds since 1970
 * @param rulesOfShop says what a notification means, where its fields alone don't
 * @returns a sale, or a text that begins with `NOTHING_TO_DO` or `NO_SALE`
 */
export function readNotification(
	sent: NotificationFields,
	body: unknown,
	now: number,
	rulesOfShop: RulesOf = () => ({}),
): NewSale | string {
	let fields = sent;
	const noSale = (problem: string) => `${NO_SALE}${nameOf(fields)}: ${problem}`;
	try {
		let meaning = whateverItSays(sent, body);
		if (!meaning) {
			const rules = rulesOfShop(body as object, sent);
			fields = { ...sent, ...rules };
			meaning = meaningOf(fields, rules);
		}
		if ('kind' in meaning) return saleOf(fields, meaning.kind, body, now);
		if ('nothing' in meaning) return `${NOTHING_TO_DO}${meaning.nothing}.`;
		return noSale(meaning.problem);
	} catch (error) {
		if (error instanceof UnreadableValue) return noSale(error.message);
		throw error;
	}
}

type Meaning = { kind: 'paid' | 'refunded' } | { nothing: string } | { problem: string };

/** What a notification means, whatever its fields say: it may be forged, or a test. */
function whateverItSays(fields: NotificationFields, body: unknown): Meaning | undefined {
	// The proof comes first, so that a mistyped secret shows with the first notification of any kind.
	if (fields.isGenuine !== undefined && fields.isGenuine !== true)
		return fields.isPing === true ? { nothing: 'a ping' } : { problem: FORGED };
	if (typeof body !== 'object' || body === null)
		return { problem: 'The notification is not sent as JSON.' };
	if (Object.keys(body).length === 0) return { nothing: 'a test without content' };
	return fields.isTest === true ? { nothing: 'a test' } : undefined;
}

function meaningOf(fields: NotificationFields, rules: Rules): Meaning {
	if (rules.problem) return { problem: rules.problem };
	if (rules.nothing) return { nothing: rules.nothing };
	const meaning = byStatus(fields, rules);
	const isRefund = 'kind' in meaning && meaning.kind === 'refunded';
	return isRefund && fields.isUnsureRefund === true ? { problem: UNSURE_REFUND } : meaning;
}

/** What the status means. */
function byStatus(fields: NotificationFields, { warning, unpaid }: Rules): Meaning {
	const status = textOf(fields.status, 'The status');
	if (!status) return { problem: missing('The status', 'status') };
	const paymentStatus = textOf(fields.paymentStatus, 'The status of the payment');
	const list = listOf(status, fields);
	const paymentList = paymentStatus ? listOf(paymentStatus, fields) : list;
	if (list === 'refunded' || paymentList === 'refunded') return { kind: 'refunded' };
	if (list === 'nothingToDo' && paymentList === 'paid')
		return { problem: contradictoryStatuses(status, paymentStatus) };
	if (list === 'nothingToDo' || paymentList === 'nothingToDo') {
		const idle = list === 'nothingToDo' ? status : paymentStatus;
		if (isGivenBack(idle, fields)) return { kind: 'refunded' };
		const isTakenBack = fields.wasPaid === true && /cancel/i.test(idle);
		const problem = warning ?? (isTakenBack ? wasPaid('your shop', idle) : undefined);
		return problem ? { problem } : { nothing: `the status is "${idle}"` };
	}
	const contradiction = textOf(fields.contradiction, 'contradiction');
	const contradictionList = contradiction && listOf(contradiction, fields);
	if (contradictionList === 'refunded') return { kind: 'refunded' };
	if (contradictionList === 'nothingToDo') return { nothing: `it also says "${contradiction}"` };
	if (unpaid) return { nothing: unpaid };
	if (isLaterInstalment(fields)) return { nothing: 'it is a later instalment' };
	return { kind: 'paid' };
}

/** Whether only the event says that a payment was given back, whose status is that of a cancelled one. */
function isGivenBack(status: string, fields: NotificationFields): boolean {
	const event = String(fields.contradiction);
	return /cancel/i.test(status) && GIVEN_BACK.test(event) && listOf(event, fields) === 'refunded';
}

/** The one list that has a status; throws UnreadableValue if there is none, or another one. */
function listOf(status: string, fields: NotificationFields): (typeof LISTS)[number] {
	const [list, another] = LISTS.filter((name) => isOnList(status, readText(fields[name], name)));
	if (!list) throw new UnreadableValue(unknownStatus(status));
	if (another) throw new UnreadableValue(ambiguousStatus(status, list, another));
	return list;
}

const contradictoryStatuses = (status: string, ofPayment: string): string =>
	`The status is "${status}", but that of the payment "${ofPayment}". Drag the one that counts into status of What the Shop Sends, publish, and retry.`;
const ambiguousStatus = (status: string, list: string, another: string): string =>
	`The status "${status}" is in ${list} and ${another} of What the Shop Sends. Delete it in one of them, publish, and retry.`;
const unknownStatus = (status: string): string =>
	`Unknown status: "${status}". Add ${howToType(status)} after the last word of paid, refunded, or nothingToDo, publish, and retry.`;
