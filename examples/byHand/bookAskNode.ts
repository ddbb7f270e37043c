// The Code node that makes the second page of the form, with Class access.
import { fieldsFor } from './form';
import { toClasses } from './products';

interface Node {
	first(): { json: Record<string, unknown> };
	all(): Array<{ json: Record<string, unknown> }>;
}
declare const $: (name: string) => Node;

const action = String($('One Person').first().json['What to do']);
const classes = toClasses(Array.from($('Classes').all(), ({ json }) => json));

export const output = [{ fields: JSON.stringify(fieldsFor(action, classes, true)) }];
