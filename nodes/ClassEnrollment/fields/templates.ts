import { type INodeParameters, type INodeProperties, isExpression } from 'n8n-workflow';
import { InvalidValueError, quote } from '../values/invalidValue';
import { toObject } from '../values/json';
import { readValues } from '../values/readValues';

const TEMPLATE = /\{\{.*?\}\}/s;
// n8n's editor saves a pasted ={{ … }} in this way, and its value would begin with "=".
const PASTED = /^==\s*\{\{/;

/**
 * Throws InvalidValueError if a Fixed field contains something like `{{ $json.email }}`, which n8n hands over as text, or if
 * an expression has a `=` before it.
 * @param parameters as n8n saves them: an expression begins with `=`
 */
export function assertNoTemplates(fields: INodeProperties[], parameters: INodeParameters): void {
	readValues(fields.map((field) => () => assertNoTemplate(field, parameters[field.name])));
}

function assertNoTemplate({ displayName, type, options }: INodeProperties, raw: unknown): void {
	if (type === 'collection') {
		return assertNoTemplates(options as INodeProperties[], toObject(raw) as INodeParameters);
	}
	const texts = textsIn(raw);
	if (texts.some((text) => PASTED.test(text))) {
		const advice = 'Delete the "=" before the "{{".';
		throw new InvalidValueError(displayName, 'has a "=" before its expression', advice);
	}
	const fixed = texts.filter((text) => !isExpression(text));
	const template = fixed.map((text) => TEMPLATE.exec(text)?.[0]).find(Boolean);
	if (template === undefined) return;
	const problem = `is Fixed, so n8n didn't evaluate ${quote(template)}`;
	const advice = "Select 'Expression', or empty the field and drag one in from the input.";
	throw new InvalidValueError(displayName, problem, advice);
}

/** Returns all texts of a field. */
function textsIn(raw: unknown): string[] {
	if (typeof raw === 'string') return [raw];
	if (typeof raw !== 'object' || raw === null) return [];
	// Beside a class's ID, n8n saves its name, which may contain anything.
	const values = '__rl' in raw && 'value' in raw ? [raw.value] : Object.values(raw);
	return values.flatMap(textsIn);
}
