// The Code node that makes the second page of the form, with Class access.
import { jsonOf, type Node } from '../codeNodes/n8n';
import { fieldsFor, introduce, toFormJson } from './form';
import { toClasses } from './products';

declare const $: (name: string) => Node;

const { json: answers } = $('One Person').first();
const action = String(answers['What to do']);
const email = String(answers.Email);
const classes = toClasses(jsonOf($('Classes')));

export const output = [
	{
		fields: toFormJson(fieldsFor(action, classes, true)),
		introduction: introduce(action, email, classes, true),
	},
];
