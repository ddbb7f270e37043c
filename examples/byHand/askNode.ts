// The Code node that makes the second page of the form.
import { fieldsFor, introduce, type Class } from './form';

interface Node {
	first(): { json: Record<string, unknown> };
	all(): Array<{ json: Record<string, unknown> }>;
}
declare const $: (name: string) => Node;

const { json: answers } = $('One Person').first();
const action = String(answers['What to do']);
const email = String(answers.Email);
const classes = Array.from($('List Classes').all(), ({ json }) => json) as Class[];

export const output = [
	{
		fields: JSON.stringify(fieldsFor(action, classes)),
		introduction: introduce(action, email, classes),
	},
];
