import type { Rules } from '../rules';

/** What the rules read of an event (hubla.gitbook.io, webhooks 2.0.0). */
interface HublaEvent {
	event?: { invoice?: { type?: unknown; smartInstallment?: unknown } | null } | null;
}

/** Says what an event of Hubla means. */
export function rulesOf({ event }: HublaEvent): Rules {
	const { type, smartInstallment } = event?.invoice ?? {};
	// What is sold for the first time has the type `sell`.
	return { isSubscription: Boolean(type) && type !== 'sell' && !smartInstallment };
}
