import { isOneOf, type Rules } from '../rules';

/** What the rules read of an event (docs.stripe.com/api/events). Its object is a Checkout Session, a charge, a refund, or a dispute. */
interface StripeEvent {
	/** `event`, if it has its object: the payload style Snapshot. */
	object?: unknown;
	type?: unknown;
	data?: { object?: StripeObject | null } | null;
}

interface StripeObject {
	mode?: unknown;
	payment_status?: unknown;
	/** Those that the buyer could choose. */
	payment_method_types?: unknown;
	payment_link?: unknown;
	/** Of a Payment Link, typed by the owner. */
	metadata?: { product?: unknown } | null;
	/** Whether all of a charge was refunded. */
	refunded?: unknown;
	status?: unknown;
}

const SESSIONS: unknown[] = [
	'checkout.session.completed',
	'checkout.session.async_payment_succeeded',
];
/** Whoever pays in these ways has paid at once, unless the payment must still be captured (docs.stripe.com, changelog 2025-09-30). */
const AT_ONCE = [
	...['affirm', 'afterpay_clearpay', 'alma', 'amazon_pay', 'billie', 'card', 'cashapp', 'klarna'],
	...['link', 'mobilepay', 'paypal', 'revolut_pay', 'satispay'],
];
const NOT_CAPTURED =
	'The payment may only be authorized, as none of its payment methods pays later. Capture it at Stripe, which tells nothing of that. Then add a row of kind given to the data table class_sales.';
const REFUND_FAILED =
	'The refund failed. If it had ended an access, add a row of kind given to the data table class_sales.';
const NO_CONTENT =
	'This event has no content. At Stripe, create the destination again with the payload style Snapshot.';
const SUBSCRIPTION =
	'Subscriptions of Stripe are not covered. Add a row to the data table class_sales, as the sticky notes of Class access say.';

/** Says what an event of Stripe means. Of a charge and a dispute, the status is made of it; that of a session is sent. */
export function rulesOf({ object: kind, type, data }: StripeEvent): Rules {
	const object = data?.object;
	if (kind !== 'event' || !object) return { problem: NO_CONTENT };
	// A refund of a part is told by the same event.
	if (type === 'charge.refunded')
		return { status: object.refunded ? 'refunded' : 'partially_refunded' };
	if (type === 'refund.failed') return { problem: REFUND_FAILED };
	if (type === 'charge.dispute.closed') return { status: `dispute ${String(object.status)}` };
	if (!SESSIONS.includes(type)) return { nothing: `it is another event, ${String(type)}` };
	const { mode, payment_status: status, metadata, payment_link: paymentLink } = object;
	if (mode === 'setup') return { nothing: 'it only saves a card (setup)' };
	// Other programs have sessions, too.
	if (!metadata?.product && !paymentLink)
		return { nothing: 'it is a session without Payment Link' };
	if (mode !== 'subscription')
		return isOneOf(status, 'unpaid') && isAtOnce(object) ? { problem: NOT_CAPTURED } : {};
	if (isOneOf(status, 'no_payment_required')) return { nothing: 'it is a trial' };
	return isOneOf(status, 'paid') ? { problem: SUBSCRIPTION } : {};
}

const isAtOnce = ({ payment_method_types: ways }: StripeObject): boolean =>
	Array.isArray(ways) && ways.length > 0 && ways.every((way) => AT_ONCE.includes(String(way)));
