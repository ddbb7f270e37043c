import { differs, isOneOf, type Rules } from '../rules';

/** What the rules read of an event (hubla.gitbook.io, webhooks 2.0.0). */
interface HublaEvent {
	type?: unknown;
	event?: {
		invoice?: { type?: unknown; status?: unknown; smartInstallment?: unknown } | null;
	} | null;
}

/** Says what an event of Hubla means. */
export function rulesOf({ type: name, event }: HublaEvent): Rules {
	const { type, status, smartInstallment } = event?.invoice ?? {};
	if (isOneOf(status, 'paid') && /refund|chargeback/i.test(String(name)))
		return { problem: differs(name, status, 'Hubla') };
	// What is sold for the first time has the type `sell`.
	return { isSubscription: Boolean(type) && type !== 'sell' && !smartInstallment };
}
