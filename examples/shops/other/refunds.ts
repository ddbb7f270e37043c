// What another shop says of money that is given back.
import type { Json } from '../../codeNodes/n8n';
import { isObject } from '../fields';
import { type Entry, EVENT, flagOf, isNo, isYes, saysAnywhere } from './entries';

/** `is_refunded`, `has_chargeback`, `reembolsado`. A refund may be a payment of its own, which says so: `is_void`. */
const REFUNDED =
	/^((is|has)_?)?(refunded|voided|charged?_?back|(reembolsad|estornad|devolvid|devuelt)[oa])$|^is_?(refund|void)$/i;
const REFUND_STATUS = /^refund_?status$/i;
/** The number of an item in a list, or what an order costs beside its products: `application_fee`. */
const PART = /^(\d+$|shipping|delivery|freight|frete|tax|fee|tip)|fees?$/i;
/** `refunded_amount_cents`, beside `amount_cents`. */
const REFUNDED_AMOUNT =
	/^(refunded_?(amount|money|total)|(amount|total)_?refunded(_?amount)?)(_?cents)?$/i;
const AMOUNT = /^(amount|price|total(_?(amount|price))?)(_?(money|cents))?$/i;
/** `is_partial`, `refund_type`. */
const IN_PART = /^((is_?)?partial(ly)?(_?refund(ed)?)?|refund_?(status|type))$/i;
/** Not what it was before: `oldPaymentStatus`. */
const STATUS = /^(?!old|prev|last).*(status|state|detail|event|type)$/i;
/** `partially_refunded`, beside the status of a refund. */
const STATUS_IN_PART = /part(ial|ly).*refund|refund.*part(ial|ly)/i;
const IS_REFUNDED = /^(is_?)?refunded$/i;

/** Whether it says so anywhere but of a part, such as an item of a list, or the shipping. */
export function isRefunded(sent: Json): boolean {
	const [given, amount] = givenBackOf(sent);
	// Where more seems to be given back than was paid, one of them is in cents.
	if (given > 0 && given === amount) return true;
	return Object.entries(sent).some(([name, value]) => {
		if (isObject(value)) return !PART.test(name) && isRefunded(value);
		if (REFUND_STATUS.test(name)) return /^full/i.test(flagOf(value));
		return REFUNDED.test(name) && isYes(value);
	});
}

/** Whether it says that only a part was given back: anywhere by an amount or a flag, and by a word not of an item of a list. */
export const isOfPart = (sent: Json, entries: Entry[]): boolean =>
	saysAnywhere({ sent }, isLess) || entries.some(isInPart) || isRefundOfUnrefunded(entries);

function isLess([name, value]: Entry): boolean {
	if (IN_PART.test(name)) return isYes(value) || /partial/i.test(flagOf(value));
	if (!isObject(value)) return false;
	const [given, amount] = givenBackOf(value);
	return given > 0 && given < amount;
}

const isInPart = ([name, value]: Entry): boolean =>
	(/^type$/i.test(name) && /^partial$/i.test(flagOf(value))) ||
	(STATUS.test(name) && STATUS_IN_PART.test(flagOf(value)));

/** To Gumroad, each refund is the same event, which says whether all was refunded. */
const isRefundOfUnrefunded = (entries: Entry[]): boolean =>
	entries.some(([name, value]) => EVENT.test(name) && /refund/i.test(flagOf(value))) &&
	entries.some(([name, value]) => IS_REFUNDED.test(name) && isNo(name, value));

/** What an object says that was given back, and of what amount. Each may be in an object with its currency. */
function givenBackOf(sent: Json): [given: number, amount: number] {
	const amountOf = (names: RegExp) => {
		const value = Object.entries(sent).find(([name]) => names.test(name))?.[1];
		return Number(isObject(value) ? (value.value ?? value.amount) : value);
	};
	return [amountOf(REFUNDED_AMOUNT), amountOf(AMOUNT)];
}
