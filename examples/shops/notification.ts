import { isObject } from './fields';

/**
 * What **What the Shop Sends** reads of a notification. n8n makes texts of numbers and objects there, but keeps a list of
 * products, and leaves alone what isn't there (null).
 */
export interface NotificationFields {
	/** Whether the proof is right. Undefined where n8n itself has compared it. */
	isGenuine?: unknown;
	/** Whether it is a ping, which the shop doesn't sign. Without a signature, it is never a sale, whatever else is read of it. */
	isPing?: unknown;
	/** Whether it is a test, which a header says. */
	isTest?: unknown;
	status?: unknown;
	/** That of the payment, where the order has another one. It counts, too. */
	paymentStatus?: unknown;
	/** What has happened, if it speaks of money that is given back: then the status may be that of the refund, such as `completed`. */
	event?: unknown;
	/** Why a status of `paid` is no payment yet, or gives nothing more. It isn't sent, but made of what is. */
	unpaid?: string;
	paymentId?: unknown;
	/** Where each instalment is a payment, too: which one it is, from 1 on, unless it is a charge of a subscription. */
	instalment?: unknown;
	/** The number that all instalments of a sale have in common. It counts in place of `paymentId`. */
	instalmentsOf?: unknown;
	/** What stands before the number of a payment, where another shop could use the same one. */
	numbersOf?: unknown;
	email?: unknown;
	name?: unknown;
	products?: unknown;
	/** Which fields of a product may have its code, with commas. */
	productCode?: unknown;
	paidAt?: unknown;
	until?: unknown;
	/** Whether it is a charge of a subscription: true, or something that only a subscription has. */
	isSubscription?: unknown;
	/** When the next charge of a subscription is due. */
	nextCharge?: unknown;
	/** How many days after the payment the next charge is due, where `nextCharge` may be that of the payment itself. */
	periodDays?: unknown;
	/** How many days the next charge may be late. */
	graceDays?: unknown;
	/** How the shop writes dates, see `DateForm`. */
	dates?: unknown;
	/** Lists of statuses, with commas. */
	paid?: unknown;
	refunded?: unknown;
	nothingToDo?: unknown;
	/** What is read in place of a field that the owner has left empty. */
	defaults?: unknown;
}

/** How it begins why a notification is no sale: the latter if somebody must do something. */
export const NOTHING_TO_DO = 'Nothing to do: ';
export const NO_SALE = 'No sale: ';

/** What isn't filled in for another shop has the same name in its JSON. */
const WITH_DEFAULTS = [
	'paymentId',
	'status',
	'email',
	'name',
	'products',
	'paidAt',
	'until',
	'isSubscription',
] as const;

/** The status of the payment has one of these names. An order may be approved or completed long before it is paid. */
const PAYMENT_STATUSES = ['payment_status', 'paymentStatus', 'financial_status'];
/** Some shops say it beside the status, by true or false. */
const PAID = ['paid', 'is_paid', 'isPaid'];
const EVENTS = ['event', 'event_type', 'type'];
const GIVEN_BACK = /refund|charge.?back|reembols|estorn|devol/i;
const isSent = (value: unknown) => value !== undefined && value !== null && value !== '';
const is = (value: unknown, expected: boolean) => value === expected || value === String(expected);

/** Reads what is empty by its name. What is filled in may be missing in this notification: null. */
export function withDefaults(sent: NotificationFields): NotificationFields {
	const fields = { ...sent };
	const defaults = isObject(sent.defaults) ? sent.defaults : {};
	// Whoever has filled in a status has chosen one.
	if (fields.status === '') {
		const paymentStatus = PAYMENT_STATUSES.find((name) => isSent(defaults[name]));
		if (paymentStatus !== undefined) fields.paymentStatus = defaults[paymentStatus];
		const unpaid = PAID.find((name) => is(defaults[name], false));
		if (unpaid !== undefined) fields.unpaid = `${unpaid} is false`;
	}
	const events = is(defaults.refunded, true) ? ['refunded'] : EVENTS.map((name) => defaults[name]);
	fields.event = events.find((event) => typeof event === 'string' && GIVEN_BACK.test(event));
	for (const name of WITH_DEFAULTS) if (fields[name] === '') fields[name] = defaults[name];
	return fields;
}
