import { isObject } from '../fields';
import { isOneOf, type Rules } from '../rules';

/** What the rules read of an order (shopify.dev, webhooks). */
interface ShopifyOrder {
	financial_status?: unknown;
	cancelled_at?: unknown;
	line_items?: unknown;
	source_name?: unknown;
	tags?: unknown;
	payment_terms?: unknown;
	payment_gateway_names?: unknown;
}

const PAID = 'paid, partially_refunded';
const NO_ORDER = 'This is no order. At Shopify, choose the event Order update.';
const CANCELLED =
	'The order was cancelled, and not refunded. To end the access, refund it at Shopify, or add a row of kind refunded to the data table class_sales.';
const NOTHING_LEFT =
	'No item is left in this order. To end the access, refund all of it, or add a row of kind refunded to the data table class_sales.';

/** Says what an order of Shopify means. */
export function rulesOf(order: ShopifyOrder): Rules {
	const { line_items: items, financial_status: status } = order;
	if (!items) return { problem: NO_ORDER };
	const isPaid = isOneOf(status, PAID);
	if (isPaid && order.cancelled_at) return { problem: CANCELLED };
	if (isPaid && Array.isArray(items) && !items.some(isProduct)) return { problem: NOTHING_LEFT };
	const isSubscription = isRenewal(order);
	return isPaidLater(order) ? { isSubscription, paidAt: '' } : { isSubscription };
}

/** What was removed from an order stays, with the quantity 0. A tip is no product. As in `products` of **What the Shop Sends**. */
const isProduct = (item: unknown): boolean =>
	!isObject(item) || (item.current_quantity !== 0 && !('tip_payment_gateway' in item));

/** Some apps that sell subscriptions only tag their orders, each in its own words. */
const isRenewal = ({ source_name: source, tags }: ShopifyOrder): boolean =>
	/^subscription_contract/.test(String(source)) || /subscription/i.test(String(tags));

/** An order is processed when it was ordered. What is paid by hand or later counts from when Shopify tells of it. */
const isPaidLater = ({ payment_terms: terms, payment_gateway_names: ways }: ShopifyOrder) =>
	Boolean(terms) || /manual|cash|deposit|money order/i.test(String(ways));
