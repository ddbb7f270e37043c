// What is read of another shop's notification in place of what its owner hasn't filled in.
import { isObject } from '../fields';
import type { NotificationFields } from '../notification';
import { entriesOf, type Entry, saysAnywhere } from './entries';
import { isOfPart } from './refunds';
import { contradictionIn, isOfFailure, isOfPaid, paymentStatusIn } from './statuses';
import { isOfSubscription } from './subscriptions';

/** What isn't filled in for another shop has the same name in its JSON. */
const WITH_DEFAULTS = [
	'paymentId',
	'status',
	'email',
	'name',
	'products',
	'paidAt',
	'until',
] as const;

/** Reads what is empty by its name. What is filled in may be missing in this notification: null. */
export function defaultsOf(sent: NotificationFields): NotificationFields {
	const defaults = isObject(sent.defaults) ? sent.defaults : {};
	const entries = entriesOf(defaults);
	const isPart = isOfPart(defaults, entries);
	const contradiction = contradictionIn(defaults, entries, isPart);
	const empty = WITH_DEFAULTS.filter((name) => sent[name] === '');
	return {
		...Object.fromEntries(empty.map((name) => [name, defaults[name]])),
		...(sent.isSubscription === '' && {
			isSubscription: saysAnywhere(defaults, isOfSubscription),
		}),
		wasPaid: saysAnywhere(defaults, isOfPaid),
		isUnsureRefund: isPart || saysAnywhere(defaults, isOfFailure),
		...statusesIn(sent, entries, contradiction),
	};
}

/** The status of the payment, and what contradicts it. */
function statusesIn(
	{ status, paymentStatus }: NotificationFields,
	entries: Entry[],
	contradiction: unknown,
): Pick<NotificationFields, 'paymentStatus' | 'contradiction'> {
	const read = paymentStatusIn(entries);
	if (status === '') return { paymentStatus: read, contradiction };
	// Whoever has filled in a status has chosen what counts, unless it is paid. They may have dragged it out of an object.
	const another = typeof read === 'string' ? read : undefined;
	return { paymentStatus, contradiction: contradiction ?? another };
}
