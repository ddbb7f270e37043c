// The Code node that reads the form.
import { jsonOf, type Node } from '../codeNodes/n8n';
import type { Class } from './form';
import { readForm } from './readForm';

declare const $: (name: string) => Node;

const classes = jsonOf($('List Classes')) as Class[];

export const output = [
	readForm($('One Person').first().json, $('Details').first().json, classes, Date.now()),
];
