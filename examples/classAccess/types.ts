/**
 * The contract between the workflows that know of a sale, and Class access.
 *
 * 1. They add a row to the data table `class_sales` (Data Table, Insert), before a shop is answered: from then on it can't be lost.
 * 2. They call Class access with the rows that Insert outputs (`SALE`). It carries them out, and returns a `Result`.
 *
 * If nobody calls it, or the call dies, the next payment after ten minutes does it, the next hour, or *Execute workflow*. So a person
 * only adds a row, which the hour leaves alone for ten minutes, as it may be half filled in. Rows are never deleted. A row that is
 * recorded again gives nothing more, unless it says a later end.
 */

/** Milliseconds since 1970. */
export type Time = number;
export const DAY = 86_400_000;
/** How long a lease lasts, and a request whose answer was lost may still arrive. */
export const LEASE = 10 * 60_000;

/** What a row of `class_sales` says. */
export const KINDS = [
	/** A shop, or an owner: this payment was made. */
	'paid',
	/** This payment was given back, by a refund or a chargeback. It gives nothing any more. */
	'refunded',
	/** By hand: this payment is of this address from now on, and so is its access. */
	'moved',
	/** By hand: the student gets this class without a payment. An empty kind means the same. */
	'given',
	/** By hand: the student's access to this class ends, at `until` or at once. A later payment gives access again. */
	'ended',
	/** By hand: for a day, many students may be removed at once. */
	'allow',
] as const;
export type Kind = (typeof KINDS)[number];
/** Whether a row of this kind gives access. */
export const isGiving = (kind: Kind): boolean => kind === 'paid' || kind === 'given';

/**
 * The columns of `class_sales`, by their types in n8n, which adds `id` and `createdAt`. What a person looks for comes first. Class
 * access writes `doneAt`, `problem`, and `classes`.
 */
export const SALE_COLUMNS = {
	/** Case and blanks around it don't count. A refund may leave it out. */
	email: 'string',
	name: 'string',
	kind: 'string',
	/** When it was carried out, or found to be impossible. To have it done again, an owner empties it. */
	doneAt: 'date',
	/** What is wrong with the row. */
	problem: 'string',
	/** The shop's codes, as a JSON list: `["11","Inglês, básico",""]` (the last one has none). By hand, codes with commas. */
	products: 'string',
	/** By hand, in place of products: one class. */
	classId: 'string',
	/** By hand, in place of the months of the product: 1 to 1200. */
	months: 'number',
	/** When access ends: `2027-01-31` (to its end in the workflow's time zone), or `2027-01-31T10:00:00Z`. Empty: by months. */
	until: 'string',
	/** When it was paid, in the same form. Empty: when it was recorded. */
	paidAt: 'string',
	/** A charge of a subscription. Without `until`, its product must have months. */
	isSubscription: 'boolean',
	/** The shop's number. A refund has that of its payment, an instalment that of its first one. By hand, it may be empty. */
	paymentId: 'string',
	/** What the row gives, as JSON, so that later changes of `class_products` don't change it, and whom it is about. */
	classes: 'string',
} as const;

/** What is inserted into `class_sales`. */
export interface NewSale extends Record<
	'paymentId' | 'email' | 'name' | 'products' | 'until' | 'paidAt',
	string
> {
	kind: Kind;
	classId?: string;
	months?: number | null;
	isSubscription?: boolean;
}

/** The columns of `class_students`: one row for each address and class. Only Class access writes it. */
export const STUDENT_COLUMNS = {
	/** In lower case. */
	email: 'string',
	name: 'string',
	className: 'string',
	/** When access ends, as the learning platform was last told, perhaps without an answer. Empty: not in the class, or unknown. */
	end: 'date',
	/** Empty: unknown, as an answer was lost. Class access asks again. */
	inClass: 'boolean',
	/** Why the student isn't in the class, or still is. */
	problem: 'string',
	classId: 'string',
	/** When the next hour looks at it again. Empty: never. */
	checkAt: 'date',
	/** Since when the student has been in the class. */
	since: 'date',
	/** Until then, a request whose answer was lost may still arrive. */
	unsureUntil: 'date',
} as const;

/** The columns of `class_buyers`: one row for each address. An execution that works for it holds its lease. */
export const BUYER_COLUMNS = {
	email: 'string',
	/** The execution that holds the lease. Empty: it was given back. */
	lockedBy: 'string',
	/** When the lease runs out, and another execution may take it. */
	lockedUntil: 'date',
	/** When the last magic link was sent. */
	linkedAt: 'date',
	/** When an answer was lost last, so that nobody knows whether a link was sent. Class access sends it once more. */
	linkUnknownAt: 'date',
} as const;

/** The columns of `class_products`. The owner writes products and months, Class access enters the classes. */
export const PRODUCT_COLUMNS = {
	/** Codes of the shops, with commas, or one code that has commas. */
	product: 'string',
	className: 'string',
	/** Empty: twelve. */
	months: 'number',
	/** `-`: no class. */
	classId: 'string',
} as const;

/** What Class access is called with: a row of `class_sales`. For n8n, a number is no `string`, so some are `any`. */
export const SALE = {
	id: 'any',
	/** Only for people who look at the execution. */
	paymentId: 'any',
	email: 'string',
	/** The caller shows failures itself. Otherwise, a failure ends the execution. */
	returnFailure: 'boolean',
} as const;

/** What Class access returns: one item, which says what came of the first row, or all failures. */
export interface Result {
	result:
		/** Added, or prolonged. */
		| 'added'
		/** Removed, or there was nothing to remove. */
		| 'removed'
		/** There was nothing to do: `reason` says why. */
		| 'ignored'
		/** The same was carried out before. */
		| 'already processed'
		/** Another execution works for this buyer, and does this, too, or the next hour does. */
		| 'recorded'
		/** `reason` says what failed, and what to do. */
		| 'failed';
	reason?: string;
}
