// What another shop says of the status of a payment.
import type { Json } from '../../codeNodes/n8n';
import { isObject } from '../fields';
import { type Entry, EVENT, findAnywhere, flagOf, isNo, isYes } from './entries';
import { isRefunded } from './refunds';

/** `payment_status`, `financialState`, `status_pagamento`. An order may be approved or completed long before it is paid. */
const PAYMENT_STATUS =
	/^((payment|financial)[_-]?(status|state)|(status|situacao|estado)[_-]?(pagamento|pago))$/i;
/** Beside the status, by yes or no. A charge that isn't captured is only authorized. */
const PAID = /^((is_?)?paid|captured)$/i;
/** `paid_at`, `approvedDate`, `data_pagamento`. */
const PAID_AT =
	/^(date_?(paid|approved)|(paid|approved)_?(at|on|date|time)|data_?(pagamento|aprovacao)|(pago|aprovado)_?em)$/i;
/** An amount, or yes: `amount_paid`, `is_refunded`. */
const ONCE_PAID = /^((is_?)?(paid|refunded)|(paid|refunded)_?amount|amount_?(paid|refunded))$/i;
/** Which instalment it is, not how many there are: `installmentNumber`, `parcela_atual`. */
const INSTALMENT =
	/^(instal?lment|parcela|cuota)_?(number|numero|index|atual|actual)$|^(current_?instal?lment|numero_?(da_?)?parcela)$/i;
/** `is_trial`, `free_trial_period`. Some say so only of the subscription that an order is for. */
const TRIAL = /^((is|in|on)_?)?(free_?)?trial(_?period)?$/i;
/**
 * Of money that is given back, or never came. What is told of a subscription may have the status of its last order, and PayPal's
 * order is approved before it is captured.
 */
const NO_PAYMENT =
	/checkout\.order\.approved|refund|charge.?back|reembols|estorn|devol|revers|cancel|disput|fail|denied|declin|refus|recus|reject|expir|void|trial/i;

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
	// PHP writes no date as 0000-00-00.
	(PAID_AT.test(name) && /[1-9]/.test(flagOf(value))) ||
	(ONCE_PAID.test(name) && (isYes(value) || Number(flagOf(value)) > 0));

/** The event or the flag that contradicts a status of `paid`, if any. */
export function contradictionIn(sent: Json, entries: Entry[]): unknown {
	if (isRefunded(sent)) return 'refunded';
	const event = entries.find(
		([name, value]) => EVENT.test(name) && typeof value === 'string' && NO_PAYMENT.test(value),
	)?.[1];
	const unpaid = entries.find(([name, value]) => PAID.test(name) && isNo(name, value))?.[0];
	const trial = findAnywhere(sent, ([name, value]) => TRIAL.test(name) && isYes(value))?.[0];
	const instalment = findAnywhere(sent, isNotFirst)?.[0];
	return (
		event ??
		(unpaid && `${unpaid}: false`) ??
		(trial && `${trial}: true`) ??
		(instalment && `${instalment}: not the first`)
	);
}

const isNotFirst = ([name, value]: Entry): boolean =>
	INSTALMENT.test(name) && Number(flagOf(value)) > 1;

const isSent = (value: unknown) => value !== undefined && value !== null && value !== '';
