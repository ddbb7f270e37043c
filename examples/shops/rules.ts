import { isOnList } from '../reading/words';

/** What a notification means, where its fields alone don't say so. What is given counts in place of the field. */
export interface Rules {
	/** Why it can't be processed, and what to do. */
	problem?: string;
	/** Why there is nothing to do, whatever the status is. */
	nothing?: string;
	status?: unknown;
	/** Why somebody must look at a status of `nothingToDo`, such as that of an order that was paid before. */
	warning?: string;
	/** Why a status of `paid` is no payment yet, or gives nothing more. */
	unpaid?: string;
	/** Empty if the number that is sent is not that of the sale. */
	paymentId?: '';
	email?: unknown;
	paidAt?: unknown;
	isSubscription?: boolean;
}

/**
 * The rules of a shop.
 * @param body what the shop has sent, after its proof: an object, of which nothing else is certain
 */
export type RulesOf = (body: object) => Rules;

/** Whether a status is one of these words, which count as in `words` of a shop. */
export const isOneOf = (status: unknown, words: string): boolean =>
	typeof status === 'string' && isOnList(status, words);

/** What is said if an event contradicts the status. */
export const differs = (event: unknown, status: unknown, shop: string): string =>
	`The event is ${String(event)}, but the status ${String(status)}. Look at ${shop}. If it was paid, add a row of kind given to the data table class_sales. If it was paid back, one of kind refunded.`;

/** What is said of an order with a status that takes no access, though it was paid: the owner may have given the money back elsewhere. */
export const wasPaid = (shop: string, status: string): string =>
	`The order was paid, and has the status ${status}. To end the access, refund it at ${shop}, or add a row of kind refunded to the data table class_sales.`;
