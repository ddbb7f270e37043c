import { isOneOf, type Rules } from '../rules';

/** What the rules read of an event (docs.stripe.com/api/events). Its object is a Checkout Session, a charge, or a dispute. */
interface StripeEvent {
	/** `event`, if it has its object: the payload style Snapshot. */
	object?: unknown;
	type?: unknown;
	data?: { object?: StripeObject | null } | null;
}

interface StripeObject {
	mode?: unknown;
	payment_status?: unknown;
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
	if (type === 'charge.dispute.closed') return { status: `dispute ${String(object.status)}` };
	if (!SESSIONS.includes(type)) return { nothing: `it is another event, ${String(type)}` };
	const { mode, payment_status: status, metadata, payment_link: paymentLink } = object;
	if (mode === 'setup') return { nothing: 'it only saves a card (setup)' };
	// Other programs have sessions, too.
	if (!metadata?.product && !paymentLink)
		return { nothing: 'it is a session without Payment Link' };
	if (mode !== 'subscription') return {};
	if (isOneOf(status, 'no_payment_required')) return { nothing: 'it is a trial' };
	return isOneOf(status, 'paid') ? { problem: SUBSCRIPTION } : {};
}
