import { isObject } from '../fields';
import { isOneOf, wasPaid, type Rules } from '../rules';

/** What the rules read of an order (woocommerce.github.io/woocommerce-rest-api-docs), or of an error in its place. */
interface WooCommerceOrder {
	status?: unknown;
	/** Of a part of another order. Otherwise 0. */
	parent_id?: unknown;
	created_via?: unknown;
	meta_data?: unknown;
	/** Both are null until an order is paid. The first is in UTC, but has no zone. */
	date_paid_gmt?: unknown;
	date_paid?: unknown;
	/** Of an error. */
	code?: unknown;
	/** Of the oldest API version, which has all in it. */
	order?: unknown;
}

const PAID = 'processing, completed';
/** What becomes of an order that was paid, and is taken back. Not on-hold, as the money may be in dispute. */
const TAKEN_BACK = 'cancelled, failed, pending, trash';
/** What plugins say of a renewal. Some say it of the first order, too. */
const OF_RENEWAL = /renewal|is_a_renew|subscription_(id|order|relation|switch|resubscribe)$/i;
const OLD_VERSION =
	'The order does not say when it was paid (date_paid). At WooCommerce, choose the newest API version of the webhook.';

/** What is said of a part of an order: a refund under the number of the whole one would take back all of it. */
const ofPart = (parent: unknown, status: unknown): string =>
	`This order is a part of order ${String(parent)}, and has the status ${String(status)}. To end the access that it gave, refund all of order ${String(parent)}, or add a row of kind ended to the data table class_sales.`;

/** Says what an order of WooCommerce means. With cash on delivery, it is processed long before it is paid. */
export function rulesOf(order: WooCommerceOrder): Rules {
	const { code, status, date_paid_gmt: inUtc, date_paid: inZone } = order;
	if (code)
		return {
			problem: `WooCommerce sent an error in place of the order: ${String(code)}. The user who created the webhook can't see orders. Create the webhook again as an administrator.`,
		};
	const saysWhen = inUtc !== undefined || inZone !== undefined;
	if (order.order || (isOneOf(status, PAID) && !saysWhen)) return { problem: OLD_VERSION };
	const isSubscription = isRenewal(order);
	const isPart = Number(order.parent_id) > 0 && !isSubscription;
	if (isPart && isOneOf(status, 'refunded')) return { problem: ofPart(order.parent_id, status) };
	if (!inUtc && !inZone) return { unpaid: 'it is not paid yet, as date_paid is empty' };
	const takenBack = isPart
		? ofPart(order.parent_id, status)
		: wasPaid('WooCommerce', String(status));
	return {
		paidAt: inUtc ? `${String(inUtc)}Z` : inZone,
		isSubscription,
		warning: isOneOf(status, TAKEN_BACK) ? takenBack : undefined,
	};
}

/**
 * Plugins that sell subscriptions name a renewal differently, and don't say so of the first order. What a customer pays early is
 * ordered at the checkout.
 */
function isRenewal({ created_via: origin, meta_data: metadata }: WooCommerceOrder): boolean {
	const keys = Object.values(metadata ?? {})
		.filter(isObject)
		.map(({ key }) => String(key));
	return /subs|renewal/i.test(String(origin)) || keys.some((key) => OF_RENEWAL.test(key));
}
