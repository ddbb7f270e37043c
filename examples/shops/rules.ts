import { isOnList } from '../reading/words';
import type { NotificationFields } from './notification';

/** What a notification means, where its fields alone don't say so, and fields that count in place of those that were sent. */
export interface Rules extends NotificationFields {
	/** Why it can't be processed, and what to do. */
	problem?: string;
	/** Why there is nothing to do, whatever the status is. */
	nothing?: string;
	/** Why somebody must look at a status of `nothingToDo`, such as that of an order that was paid before. */
	warning?: string;
	/** Why a status of `paid` is no payment yet, or gives nothing more. */
	unpaid?: string;
}

/**
 * The rules of a shop.
 * @param body what the shop has sent, after its proof: an object, of which nothing else is certain
 * @param sent what **What the Shop Sends** has read of it
 */
export type RulesOf = (body: object, sent: NotificationFields) => Rules;

/** Whether a status is one of these words, which count as in `words` of a shop. */
export const isOneOf = (status: unknown, words: string): boolean =>
	typeof status === 'string' && isOnList(status, words);

/** What is said if an event contradicts the status. */
export const differs = (event: unknown, status: unknown, shop: string): string =>
	`The event is ${String(event)}, but the status ${String(status)}. Look at ${shop}. If it was paid, add a row of kind given to the data table class_sales. If it was paid back, one of kind refunded.`;

/** What is said of an order with a status that takes no access, though it was paid: the owner may have given the money back elsewhere. */
export const wasPaid = (shop: string, status: string): string =>
	`The order was paid, and has the status ${status}. To end the access, refund it at ${shop}, or add a row of kind refunded to the data table class_sales.`;
