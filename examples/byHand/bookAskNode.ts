// The Code node that makes the second page of the form, with Class access.
import { fieldsFor, introduce } from './form';
import { toClasses } from './products';

interface Node {
	first(): { json: Record<string, unknown> };
	all(): Array<{ json: Record<string, unknown> }>;
}
declare const $: (name: string) => Node;

const { json: answers } = $('One Person').first();
const action = String(answers['What to do']);
const email = String(answers.Email);
const classes = toClasses(Array.from($('Classes').all(), ({ json }) => json));

export const output = [
	{
		fields: JSON.stringify(fieldsFor(action, classes, true)),
		introduction: introduce(action, email, classes, true),
	},
];
