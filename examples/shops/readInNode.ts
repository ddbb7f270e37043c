// Only this file knows how n8n gives a notification to the Code node Read Notification.
import type { NotificationFields } from './notification';
import { readNotification } from './readNotification';
import type { RulesOf } from './rules';

declare const $: (name: string) => { first(output: number): { json: { body?: unknown } } };
declare const $input: { first(): { json: NotificationFields } };

/**
 * What the node outputs: a sale, or why there is none. An item that has nothing but an error goes to its error output.
 * @param rulesOfShop its rules, if it has any
 */
export function outputOf(rulesOfShop?: RulesOf): [{ json: object }] {
	const { body } = $('Notification Received').first(0).json;
	const read = readNotification({ ...$input.first().json }, body, Date.now(), rulesOfShop);
	return [{ json: typeof read === 'string' ? { error: read } : read }];
}
