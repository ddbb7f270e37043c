import type { Rules } from '../rules';

/** What the rules read of a notification (docs.cakto.com.br/conceitos/webhooks). */
interface CaktoNotification {
	event?: unknown;
	/** In version 2, a list. */
	data?: { subscription?: unknown } | null;
}

/** The events of a charge that was paid, perhaps late. */
const OF_SUBSCRIPTION: unknown[] = ['subscription_renewed', 'subscription_late_recovered'];
const LIST = 'This is a list of payments. At Cakto, choose version 1 of the webhook.';

/** Says what a notification of Cakto means. */
export function rulesOf({ event, data }: CaktoNotification): Rules {
	if (Array.isArray(data)) return { problem: LIST };
	return { isSubscription: Boolean(data?.subscription) || OF_SUBSCRIPTION.includes(event) };
}
