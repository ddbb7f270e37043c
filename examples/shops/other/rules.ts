import type { Rules } from '../rules';

const severalEvents = (count: number): string =>
	`The notification tells of ${count} events, of which only one can be read. Look at your shop. Add a row of kind given to the data table class_sales for each payment, and one of kind refunded for each refund.`;

/** Says what a notification of another shop means. Some shops send several events in one. */
export function rulesOf({ events }: { events?: unknown }): Rules {
	return Array.isArray(events) && events.length > 1
		? { problem: severalEvents(events.length) }
		: {};
}
