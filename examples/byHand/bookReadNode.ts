// The Code node that reads the form, and says what to write into the book of sales.
import { toClasses } from './products';
import { readForm } from './readForm';
import { toRecord } from './toRecord';

interface Node {
	first(): { json: Record<string, unknown> };
	all(): Array<{ json: Record<string, unknown> }>;
}
declare const $: (name: string) => Node;

const jsonOf = (node: Node) => Array.from(node.all(), ({ json }) => json);
const now = new Date();
const task = readForm(
	$('One Person').first().json,
	$('Details').first().json,
	toClasses(jsonOf($('Classes'))),
	now.getTime(),
	true,
);
const sales = [...jsonOf($('Their Sales')), ...jsonOf($('Their Payments'))];

export const output = toRecord(task, sales, now.toISOString()).map((step) => ({ ...step, task }));
