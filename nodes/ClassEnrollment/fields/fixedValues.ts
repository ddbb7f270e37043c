import { type INodeParameters, type INodeProperties, isExpression } from 'n8n-workflow';
import { InvalidValueError, quote } from '../values/invalidValue';
import { toObject } from '../values/json';
import { readAll } from '../values/readAll';

const TEMPLATE = /\{\{.*?\}\}/s;
// n8n's editor saves a pasted ={{ … }} in this way, and its value would begin with "=".
const PASTED = /^==\s*\{\{/;

/**
 * Throws InvalidValueError if a Fixed field contains something like `{{ $json.email }}`, which n8n hands over as text, or if
 * an expression has a `=` before it.
 * @param parameters as n8n saves them: an expression begins with `=`
 */
export function assertNoTemplates(fields: INodeProperties[], parameters: INodeParameters): void {
	readAll(fields.map((field) => () => assertNoTemplate(field, parameters[field.name])));
}

function assertNoTemplate({ displayName, type, options }: INodeProperties, raw: unknown): void {
	if (type === 'collection') {
		return assertNoTemplates(options as INodeProperties[], toObject(raw) as INodeParameters);
	}
	if (findText(raw, (text) => PASTED.exec(text)?.[0])) {
		const advice = 'Delete the "=" before the "{{".';
		throw new InvalidValueError(displayName, 'has a "=" before its expression', advice);
	}
	const template = findText(raw, (text) =>
		isExpression(text) ? undefined : TEMPLATE.exec(text)?.[0],
	);
	if (template === undefined) return;
	const problem = `is Fixed, so n8n didn't evaluate ${quote(template)}`;
	const advice = "Select 'Expression', or empty the field and drag one in from the input.";
	throw new InvalidValueError(displayName, problem, advice);
}

/** Returns the first thing that is found in one of the texts of a field. */
function findText(raw: unknown, find: (text: string) => string | undefined): string | undefined {
	if (typeof raw === 'string') return find(raw);
	if (typeof raw !== 'object' || raw === null) return undefined;
	// Beside a class's ID, n8n saves its name, which may contain anything.
	const values = '__rl' in raw && 'value' in raw ? [raw.value] : Object.values(raw);
	return values.map((value) => findText(value, find)).find((found) => found !== undefined);
}
