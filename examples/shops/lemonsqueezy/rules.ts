import { differs, isOneOf, wasPaid, type Rules } from '../rules';

/** What the rules read of an event (docs.lemonsqueezy.com, webhooks). */
interface LemonSqueezyEvent {
	meta?: { event_name?: unknown } | null;
	data?: { type?: unknown; attributes?: { status?: unknown } | null } | null;
}

const RENEWAL =
	'Renewals of Lemon Squeezy are not covered. Add a row to the data table class_sales, as the sticky notes of Class access say.';

/** Says what an event of Lemon Squeezy means. */
export function rulesOf({ meta, data }: LemonSqueezyEvent): Rules {
	const event = meta?.event_name;
	if (event === 'subscription_payment_success') return { problem: RENEWAL };
	// What is no order has another kind of status.
	if (data?.type !== 'orders') return { status: event };
	const status = data.attributes?.status;
	if (event === 'order_refunded' && isOneOf(status, 'paid'))
		return { problem: differs(event, status, 'Lemon Squeezy') };
	const wasTakenBack = isOneOf(status, 'fraudulent') && event !== 'order_created';
	return wasTakenBack ? { warning: wasPaid('Lemon Squeezy', 'fraudulent') } : {};
}
