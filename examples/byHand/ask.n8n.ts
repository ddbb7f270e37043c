// The Code node that makes the second page of the form.
import { jsonOf, type Node } from '../codeNodes/n8n';
import { fieldsFor, introduce, toFormJson, type Class } from './form';

declare const $: (name: string) => Node;

const { json: answers } = $('One Person').first();
const action = String(answers['What to do']);
const email = String(answers.Email);
const classes = jsonOf($('List Classes')) as Class[];

export const output = [
	{
		fields: toFormJson(fieldsFor(action, classes)),
		introduction: introduce(action, email, classes),
	},
];
