import { differs, isOneOf, wasPaid, type Rules } from '../rules';

/** What the rules read of an event (docs.lemonsqueezy.com, webhooks). */
interface LemonSqueezyEvent {
	meta?: { event_name?: unknown } | null;
	data?: { type?: unknown; attributes?: LemonSqueezyOrder | null } | null;
}

interface LemonSqueezyOrder {
	status?: unknown;
	/** Of the invoice of a subscription: `initial` for the first one. */
	billing_reason?: unknown;
	/** In cents, like those of the discount and of the item. */
	total?: unknown;
	discount_total?: unknown;
	first_order_item?: { price?: unknown } | null;
}

const RENEWAL =
	'Renewals of Lemon Squeezy are not covered. Add a row to the data table class_sales, as the sticky notes of Class access say.';

const FIRST_PAYMENT =
	'This is the first payment of a subscription, and its order gives the access. If it began with a trial, its order gives nothing: add a row of kind given to the data table class_sales.';

/** Says what an event of Lemon Squeezy means. */
export function rulesOf({ meta, data }: LemonSqueezyEvent): Rules {
	const event = meta?.event_name;
	if (event === 'subscription_payment_success') {
		const isFirst = data?.attributes?.billing_reason === 'initial';
		return { problem: isFirst ? FIRST_PAYMENT : RENEWAL };
	}
	// What is no order has another kind of status.
	if (data?.type !== 'orders') return { status: event };
	const { status, total, discount_total: discount, first_order_item: item } = data.attributes ?? {};
	if (event === 'order_refunded' && isOneOf(status, 'paid'))
		return { problem: differs(event, status, 'Lemon Squeezy') };
	const wasTakenBack = isOneOf(status, 'fraudulent') && event !== 'order_created';
	// The order of a subscription that begins with a trial is said to be paid.
	const isTrial = total === 0 && discount === 0 && Number(item?.price) > 0;
	return {
		warning: wasTakenBack ? wasPaid('Lemon Squeezy', 'fraudulent') : undefined,
		unpaid: isTrial ? 'nothing was paid for what has a price, as in a trial' : undefined,
	};
}
