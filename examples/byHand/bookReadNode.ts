// The Code node that reads the form, and says what to write into the book of sales.
import { toClasses } from './products';
import { readForm } from './readForm';
import { toRecord, type Sale } from './toRecord';

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

export const output = toRecord(task, jsonOf($('Their Sales')) as Sale[], now.toISOString()).map(
	(step) => ({ ...step, task }),
);
