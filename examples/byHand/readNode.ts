// The Code node that reads the form.
import type { Class } from './form';
import { readForm } from './readForm';

interface Node {
	first(): { json: Record<string, unknown> };
	all(): Array<{ json: Record<string, unknown> }>;
}
declare const $: (name: string) => Node;

const classes = Array.from($('List Classes').all(), ({ json }) => json) as Class[];

export const output = [
	readForm($('One Person').first().json, $('Details').first().json, classes, Date.now()),
];
