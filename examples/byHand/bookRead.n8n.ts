// The Code node that reads the form, and says what to write into the book of sales.
import { jsonOf, type Node } from '../codeNodes/n8n';
import { toClasses } from './products';
import { readForm } from './readForm';
import { toRecord } from './toRecord';

declare const $: (name: string) => Node;

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
