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
	const list = lists.find((sent) => Array.isArray(sent) && sent.length > 1);
	const problem = Array.isArray(list) ? severalEvents(list.length) : undefined;
	return { ...defaultsOf(sent), problem };
}

const namesBuyer = (event: unknown): boolean =>
	typeof event === 'object' &&
	event !== null &&
	saysAnywhere(event, ([, value]) => typeof value === 'string' && value.includes('@'));
