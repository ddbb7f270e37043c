// What another shop says of a subscription.
import { isSubscription } from '../subscription';
import { type Entry, EVENT, flagOf } from './entries';

/** What only a charge of a subscription has: `subscription_id`, `is_recurring`, `recorrencia`. */
const SUBSCRIPTION =
	/^(is_?)?(subscriptions?|subs|recurring(_?payment)?|recurrence|renewal|assinaturas?|recorr[eê]ncia|suscripci[oó]n)(_?(id|key|charge))?$/i;
/** How often its plan is paid. The interval of instalments is a number. */
const INTERVAL = /^(billing_?)?interval$/i;
const PERIOD = /day|dai|week|month|quarter|year|annual/i;
/** Its event, why it is charged, or the type of its order, product, or plan: `subscription.charged`, but not `non-recurring`. */
const OF_SUBSCRIPTION =
	/(?<!(?<![a-z])no[nt]?[-_ ]?)(subscription|recurring|recurrent|renewal|assinatura|recorrente|suscripci)/i;
const TYPE = /(type|tipo|billing_?reason)$/i;

/** Whether it is what only a charge of a subscription has, or what it is called. */
export function isOfSubscription([name, value]: Entry): boolean {
	if (EVENT.test(name) || TYPE.test(name)) return OF_SUBSCRIPTION.test(flagOf(value));
	if (INTERVAL.test(name)) return PERIOD.test(flagOf(value));
	return SUBSCRIPTION.test(name) && isSubscription({ isSubscription: value });
}
