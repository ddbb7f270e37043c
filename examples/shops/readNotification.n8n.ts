// The Code node Read Notification: its success output has a sale, its error output what is none, and why.
import { isSale, type Given } from './notification';
import { readNotification } from './readNotification';

declare const $: (name: string) => { first(output: number): { json: { body?: unknown } } };
declare const $input: { first(): { json: Given } };

const { body } = $('Notification Received').first(0).json;
const reading = readNotification({ ...$input.first().json }, body, Date.now());

export const output = isSale(reading)
	? [{ json: reading }]
	: [{ json: reading, error: reading.reason }];
