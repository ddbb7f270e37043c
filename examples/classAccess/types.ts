/**
 * The contract between the workflows that know of a sale, and Class access.
 *
 * 1. Whoever knows of a sale adds a row to the data table `class_sales` (Data Table, Insert). From then on it can't be lost,
 *    so a shop that is answered at once is answered after it.
 * 2. They call Class access with the row that Insert outputs (`SALE`: its `id`, `paymentId`, and `email`). It carries the row
 *    out, and returns a `Result`. If nobody calls it, or the call dies, another execution does it after ten minutes.
 *
 * A notification that arrives again is another row, which gives nothing more, unless it says a later end. On PostgreSQL the same notification may also be
 * recorded twice at the same moment. Rows are never deleted; only Class access writes `classes`, `doneAt`, and `problem`.
 *
 * By hand, or by another workflow: a row is entered in the same way. *Execute workflow* in Class access, the next payment after
 * ten minutes, or the next hour carries it out.
 */

/** Milliseconds since 1970. Dates are compared as numbers only. */
export type Time = number;
export const DAY = 86_400_000;

/** What a row of `class_sales` says. */
export const KINDS = [
	/** A shop: this payment was made. Also an owner, who adds a payment that no shop has sent. */
	'paid',
	/** This payment was given back, by a refund or a chargeback. It gives nothing any more, whoever bought what with it. */
	'refunded',
	/** By hand: this payment is of this address from now on. Its access moves there, with a magic link. */
	'moved',
	/** By hand: the student gets this class without a payment. An empty kind means the same. */
	'given',
	/** By hand: the student's access to this class ends, at `until` or at once. A later payment gives access again. */
	'ended',
	/** By hand: for a day, many students may be removed at once. */
	'allow',
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The columns of `class_sales`, by their types in n8n. n8n adds `id`, `createdAt` (when it was received), and `updatedAt`. Most
 * are texts, so that they hold what was said, and a day stays a day.
 */
export const SALE_COLUMNS = {
	// First what a person looks for.
	/** As the shop says it. Case and blanks around it don't count. A refund may leave it out. */
	email: 'string',
	name: 'string',
	/** `paid` and `refunded` by shops. */
	kind: 'string',
	/** Class access: when it was carried out, or found to be impossible. Empty: not yet. To have it done again, an owner empties it. */
	doneAt: 'date',
	/** Class access: what is wrong with the row. */
	problem: 'string',
	/**
	 * The shop's codes, as a JSON list of texts: `["11","Inglês, básico"]`, so that none is divided. An item without a code is
	 * an empty text. By hand, a text that is no list holds codes with commas, as a cell of `class_products` does.
	 */
	products: 'string',
	/** By hand, in place of products: one class. Shops leave it out. */
	classId: 'string',
	/** By hand: for how long, 1 to 1200, in place of the months of the product. Shops leave it out. */
	months: 'number',
	/**
	 * When access ends, days of grace included: `2027-01-31` (to the end of that day in the workflow's time zone, also if a
	 * database says it as its midnight), or ISO 8601 with a time (`2027-01-31T10:00:00Z`). Empty: the months of the product.
	 */
	until: 'string',
	/** When it was paid, in the same form, but midnight is a time. Empty: when it was recorded. */
	paidAt: 'string',
	/** Whether it is a charge of a subscription. Then, without `until`, the product must have months of its own. */
	isSubscription: 'boolean',
	/** The shop's number of the payment. A refund has that of its payment, an instalment that of its first one. By hand, it may be empty. */
	paymentId: 'string',
	/** Class access: what the row gives, as JSON: `[{"classId":"…","months":12}]`. Later changes of `class_products` don't change it. */
	classes: 'string',
} as const;

/** What is inserted into `class_sales`. What isn't said is an empty text, or left out. */
export interface NewSale extends Record<
	'paymentId' | 'email' | 'name' | 'products' | 'until' | 'paidAt',
	string
> {
	kind: Kind;
	classId?: string;
	months?: number | null;
	isSubscription?: boolean;
}

/** The columns of `class_students`: one row for each address and class. Class access writes it; others read it. */
export const STUDENT_COLUMNS = {
	/** In lower case. */
	email: 'string',
	name: 'string',
	className: 'string',
	/** When access ends, as the learning platform was last told, perhaps without an answer. Empty: not in the class, or unknown. */
	end: 'date',
	/** Empty: unknown, because an answer was lost. Class access asks again. */
	inClass: 'boolean',
	/** Why the student isn't in the class, or still is. */
	problem: 'string',
	classId: 'string',
	/** When Class access looks at it again, at the latest. Empty: never. */
	checkAt: 'date',
	/** Since when the student has been in the class. */
	since: 'date',
	/** Until then, a request whose answer was lost may still arrive. */
	unsureUntil: 'date',
} as const;

/** The columns of `class_buyers`: one row for each address, which is locked while an execution works for it. */
export const BUYER_COLUMNS = {
	email: 'string',
	/** The execution that holds the lease. Empty: nobody, it was given back. */
	lockedBy: 'string',
	/** When the lease runs out. Then its execution has died, and another one may take it. */
	lockedUntil: 'date',
	/** When the last magic link was sent. */
	linkedAt: 'date',
	/** When an answer to a link was lost last, so that nobody knows whether it was sent. Class access sends it once more. */
	linkUnknownAt: 'date',
} as const;

/** The columns of `class_products`. The owner writes `product` and `months`, Class access enters the classes. */
export const PRODUCT_COLUMNS = {
	/** Codes of the shops, with commas, or one code that has commas. */
	product: 'string',
	className: 'string',
	/** Empty: twelve. */
	months: 'number',
	/** `-`: no class. */
	classId: 'string',
} as const;

/**
 * What Class access is called with: the row that was inserted, and whether the caller shows a failure itself (then it gets
 * `failed` as a result; otherwise a failure ends the execution). For n8n, a number is no `string`, so these are `any`.
 */
export const SALE = {
	id: 'any',
	/** Only for people who look at the execution. */
	paymentId: 'any',
	email: 'string',
	returnFailure: 'boolean',
} as const;

/** What Class access returns: one item. */
export interface Result {
	result:
		/** Added, or prolonged. */
		| 'added'
		/** Removed, or there was nothing to remove. */
		| 'removed'
		/** There was nothing to do: `reason` says why. */
		| 'ignored'
		/** The same was recorded and carried out before. */
		| 'already processed'
		/** Another execution works for this buyer. It does this, too, or the next hour does. */
		| 'recorded'
		/** `reason` says what failed, and what to do. */
		| 'failed';
	reason?: string;
}
