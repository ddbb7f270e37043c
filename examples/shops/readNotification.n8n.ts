// The Code node Read Notification. An item that has nothing but an error goes to its error output.
import type { NotificationFields } from './notification';
import { readNotification } from './readNotification';

declare const $: (name: string) => { first(output: number): { json: { body?: unknown } } };
declare const $input: { first(): { json: NotificationFields } };

const { body } = $('Notification Received').first(0).json;
const read = readNotification({ ...$input.first().json }, body, Date.now());

export const output = [{ json: typeof read === 'string' ? { error: read } : read }];
