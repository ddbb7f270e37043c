import type { NotificationFields } from '../notification';
import type { Rules } from '../rules';
import { defaultsOf } from './defaults';
import { saysAnywhere } from './entries';

const severalEvents = (count: number): string =>
	`The notification tells of ${count} events, of which only one can be read. Look at your shop. Add a row of kind given to the data table class_sales for each payment, and one of kind refunded for each refund.`;

/** Says what a notification of another shop means, by what isn't filled in. Some shops send several events in one. */
export function rulesOf(
	body: { events?: unknown; data?: unknown },
	sent: NotificationFields,
): Rules {
	const { events, data } = body;
	// A list of what was bought names no buyers.
	const lists = [body, events, Array.isArray(data) && data.every(namesBuyer) && data];
	const several = lists.filter(Array.isArray).find(({ length }) => length > 1);
	return { ...defaultsOf(sent), problem: several && severalEvents(several.length) };
}

const namesBuyer = (event: unknown): boolean =>
	typeof event === 'object' &&
	event !== null &&
	saysAnywhere(event, ([, value]) => typeof value === 'string' && value.includes('@'));
