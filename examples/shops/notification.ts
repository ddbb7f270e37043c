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
	/**
	 * What may contradict a status of `paid`, and must be on a list, too: `paid: false`, a later instalment, an event that speaks of
	 * money that is given back or never came, as the status may be that of the refund, or of an earlier order, or the status of the
	 * payment beside the one that the owner has filled in.
	 */
	contradiction?: unknown;
	/** Whether it says when or how much was paid, or refunded: then it is no payment that never came, if it is cancelled. */
	wasPaid?: unknown;
	/** Whether it says that only a part was refunded, or that this failed, which takes nothing back. */
	isUnsureRefund?: unknown;
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
