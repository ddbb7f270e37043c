import type { NotificationFields } from './notification';

/** What a shop says of a sale that is no charge of a subscription. */
const NO_SUBSCRIPTION = /^(|false|0|no|null|\[\]|\{\})$/i;

/**
 * Whether a sale is a charge of a subscription. A shop says so by true, or by what only a subscription has, such as its plan.
 * A word that isn't known is a yes: then the product needs months, which a failure says, while a no would give a year.
 */
export function isSubscription({ isSubscription: field }: NotificationFields): boolean {
	const text = typeof field === 'object' ? JSON.stringify(field) : String(field ?? '');
	return !NO_SUBSCRIPTION.test(text.trim());
}
