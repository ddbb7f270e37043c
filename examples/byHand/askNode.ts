// The Code node that makes the second page of the form.
import { fieldsFor, type Class } from './form';

interface Node {
	first(): { json: Record<string, unknown> };
	all(): Array<{ json: Record<string, unknown> }>;
}
declare const $: (name: string) => Node;

const action = String($('One Person').first().json['What to do']);
const classes = Array.from($('List Classes').all(), ({ json }) => json) as Class[];

export const output = [{ fields: JSON.stringify(fieldsFor(action, classes)) }];
