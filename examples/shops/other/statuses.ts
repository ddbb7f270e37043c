// What another shop says of the status of a payment.
import type { Json } from '../../codeNodes/n8n';
import { isObject } from '../fields';
import { type Entry, EVENT, findAnywhere, flagOf, isNo, isYes } from './entries';
import { isRefunded } from './refunds';

/** `payment_status`, `financialState`, `status_pagamento`. An order may be approved or completed long before it is paid. */
const PAYMENT_STATUS =
	/^((payment|financial)[_-]?(status|state)|(status|situacao|estado)[_-]?(pagamento|pago))$/i;
/** What the status is the status of, more exactly: `substatus`, `status_detail`. */
const DETAIL = /^(sub_?status|status_?detail)$/i;
/** Beside the status, by yes or no. A charge that isn't captured is only authorized. */
const PAID = /^((is_?)?(paid|pag[oa]|pagad[oa])|captured)$/i;
/** Whether what the event tells of came about, also if it is a refund. */
const SUCCESS = /^(is_?)?success(ful)?$/i;
const TAKEN_BACK = /^(is_?)?(cancell?ed|disputed)$/i;
/** `cancelledAt`, `date_refunded`. */
const CANCELLED_AT = /^(date_?cancell?ed|cancell?ed_?(at|on|date))$/i;
const REFUNDED_AT = /^(date_?refunded|(refunded|charged?_?back)_?(at|on|date))$/i;
/** `paid_at`, `approvedDate`, `data_pagamento`. */
const PAID_AT =
	/^(date_?(paid|approved)|(paid|approved)_?(at|on|date|time)|data_?(pagamento|aprovacao)|(pago|aprovado)_?em)$/i;
/** An amount, or yes: `amount_paid`, `is_refunded`. */
const ONCE_PAID =
	/^((is_?)?(paid|refunded)|(paid|refunded)_?(amount|total)|(amount|total)_?(paid|refunded))$/i;
/** Which instalment it is, not how many there are: `installmentNumber`, `parcela_atual`. */
const INSTALMENT =
	/^(instal?lment|parcela|cuota)_?(number|numero|index|atual|actual)$|^(current_?instal?lment|numero_?(da_?)?parcela)$/i;
/** To Square, a payment is approved before its card is captured. */
const CARD = /^card_?details$/i;
/** `is_trial`, `free_trial_period`, `is_preorder_authorization`. Some say so only of the subscription that an order is for. */
const NOT_YET = /^((is|in|on)_?)?((free_?)?trial(_?period)?|pre_?order_?authori[sz]ation)$/i;
/** What is sold, which may begin with a trial. */
const OFFERED = /^(membership|product|plan|price|offer)$/i;
/**
 * Of money that is given back, or never came. What is told of a subscription may have the status of its last order, and PayPal's
 * order is approved before it is captured.
 */
const NO_PAYMENT =
	/checkout\.order\.approved|payments\.payment\.created|refund|charged?.?back|contracargo|reembols|estorn|devol|devuel|rembours|rimbors|erstatt|storn|revers|cancel|anul|annul|disput|contest|fail|fallid|denied|declin|refus|recus|reject|rechaz|expir|void|trial/i;

/** The status of the payment, where the order has another one: by its name, or that of the object `payment`. */
export function paymentStatusIn(entries: Entry[]): unknown {
	const own = entries.filter(([name]) => PAYMENT_STATUS.test(name)).map(([, value]) => value);
	const ofPayment = entries.map(([name, value]) =>
		name === 'payment' && isObject(value) ? (value.status ?? value.state) : undefined,
	);
	return [...own, ...ofPayment].find(isSent);
}

/** Whether it is when a payment was made, or how much, or how much of it was given back. */
export const isOfPaid = ([name, value]: Entry): boolean =>
	(PAID_AT.test(name) && isDate(value)) ||
	(ONCE_PAID.test(name) && (isYes(value) || Number(flagOf(value)) > 0));

/**
 * The event, the flag, or the date that contradicts a status of `paid`, if any.
 * @param isPart whether only a part was refunded, which contradicts nothing
 */
export function contradictionIn(sent: Json, entries: Entry[], isPart: boolean): unknown {
	if (isRefunded(sent)) return 'refunded';
	const said = [
		entries.find(isOfNoPayment)?.[1],
		named(entries.find(isUnpaid), 'false'),
		named(findAnywhere(sent, isOfFailure), 'false'),
		named(entries.find(isTakenBack), 'true'),
		named(entries.find(isCancelledAt), 'a date'),
		named(isPart ? undefined : entries.find(isRefundedAt), 'a date'),
		named(findAnywhere(sent, isAuthorized), 'authorized'),
		named(findAnywhere(sent, isNotYet, OFFERED), 'true'),
		named(findAnywhere(sent, isNotFirst), 'not the first'),
	];
	return said.find((word) => word !== undefined);
}

/** What a field says that contradicts the status, as it is entered in a list. */
const named = (entry: Entry | undefined, says: string) => entry && `${entry[0]}: ${says}`;

const isOfNoPayment = ([name, value]: Entry): boolean =>
	(EVENT.test(name) || DETAIL.test(name)) && typeof value === 'string' && NO_PAYMENT.test(value);

const isUnpaid = ([name, value]: Entry): boolean => PAID.test(name) && isNo(name, value);

/** Whether it says that what the event tells of didn't come about. */
export const isOfFailure = ([name, value]: Entry): boolean =>
	SUCCESS.test(name) && isNo(name, value);

const isTakenBack = ([name, value]: Entry): boolean => TAKEN_BACK.test(name) && isYes(value);

const isCancelledAt = ([name, value]: Entry): boolean => CANCELLED_AT.test(name) && isDate(value);

const isRefundedAt = ([name, value]: Entry): boolean => REFUNDED_AT.test(name) && isDate(value);

// PHP writes no date as 0000-00-00.
const isDate = (value: unknown) => /[1-9]/.test(flagOf(value));

const isAuthorized = ([name, value]: Entry): boolean =>
	CARD.test(name) && isObject(value) && /^authori[sz]ed$/i.test(flagOf(value.status));

const isNotYet = ([name, value]: Entry): boolean => NOT_YET.test(name) && isYes(value);

const isNotFirst = ([name, value]: Entry): boolean =>
	INSTALMENT.test(name) && Number(flagOf(value)) > 1;

const isSent = (value: unknown) => value !== undefined && value !== null && value !== '';
