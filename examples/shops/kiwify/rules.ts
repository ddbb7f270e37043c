import type { Rules } from '../rules';

/** What the rules read of an order (docs.kiwify.com.br, webhooks). */
interface KiwifyOrder {
	webhook_event_type?: unknown;
	Subscription?: unknown;
	subscription_id?: unknown;
	SmartInstallment?: unknown;
}

/** Some notifications have the order in `order`, which may be signed alone: then nothing else counts. */
type KiwifyNotification = KiwifyOrder & { order?: KiwifyOrder | null };

const PAYS: unknown[] = ['order_approved', 'subscription_renewed'];

/** Says what a notification of Kiwify means. */
export function rulesOf(notification: KiwifyNotification): Rules {
	const order = notification.order ?? notification;
	const { webhook_event_type: event, SmartInstallment: instalment } = order;
	const isRenewal = event === 'subscription_renewed';
	const isSubscription =
		!instalment && Boolean(order.Subscription || order.subscription_id || isRenewal);
	// What happens to a subscription is told with its last order, which may be paid.
	const isOfOrder = event === undefined || event === null || PAYS.includes(event);
	return { isSubscription, ...(!isOfOrder && { status: event }) };
}
