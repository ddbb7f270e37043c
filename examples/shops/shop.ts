import type { Proof } from './proof';

/** Days that a charge of a subscription may be late. */
export const GRACE_DAYS = 5;

type Field = 'paymentId' | 'status' | 'email' | 'name' | 'products';
type OptionalField =
	| ('instalment' | 'instalmentsOf' | 'isTest' | 'defaults')
	| ('paidAt' | 'until' | 'nextCharge' | 'periodDays' | 'isSubscription');

export interface Shop {
	name: string;
	/** Whether this is the recipe for all other shops. */
	isAnother?: boolean;
	/** The module of its rules, in `examples`, if it has any. */
	rules?: string;
	/**
	 * How the fields of a notification are read, as n8n expressions without their braces. `NotificationFields` (`notification.ts`) says what
	 * each means. `paymentId` is the same in a payment and its refund, and in all instalments of a sale. `products` gives one
	 * code or a list. The user fills in an empty field. If it stays empty, it is read from `defaults`, by its name.
	 */
	fields: Record<Field, string> & Partial<Record<OptionalField, string>>;
	/**
	 * What its statuses mean, separated by commas. A word on no list is an error. Upper and lower case count alike, and
	 * blanks, `_`, and `-` between letters don't count.
	 */
	words: Record<'paid' | 'refunded' | 'nothingToDo', string>;
	/** What else the user may change: see `NotificationFields`. */
	settings?: {
		/** If its payments have mere numbers, which another shop could use, too: its name, which stands before them. */
		numbersOf?: string;
		/** If its documentation has other dates than ISO 8601: how they are written, see `DateForm`. */
		dates?: string;
		/** If it sends the next charge of a subscription: how many days that may be late. */
		graceDays?: number;
		/**
		 * If the products are objects: which of their fields may have the code, separated by commas. Where several of them are
		 * sent, the user names one. None could be anything else than the code of a product, such as the ID of a line.
		 */
		productCode?: string;
	};
	proof: Proof;
	/** Where the secret of the proof is, if it has one, for the sticky note (`stickyNotes.ts`), like the texts below. */
	secret?: string;
	/** What its code of a product is, and where to find it. */
	product: string;
	/** Where the address belongs, and which events to choose. Without a full stop at the end. */
	address: string;
	/** Whether it is answered before the payment is processed, so that it never sees a failure. */
	isAnsweredAtOnce: boolean;
	/** Why: what the shop does after an error. A clause, which the sticky note puts after "because" or a colon. */
	habit: string;
}
