import { type INodeParameters, type INodeProperties, isExpression } from 'n8n-workflow';
import { InvalidValueError, quote } from '../values/invalidValue';
import { toObject } from '../values/json';
import { readAll } from '../values/readAll';

const TEMPLATE = /\{\{.*?\}\}/s;

/**
 * Throws InvalidValueError if a Fixed field contains something like `{{ $json.email }}`: n8n hands it over as text.
 * @param parameters as n8n saves them: an expression begins with `=`
 */
export function assertNoTemplates(fields: INodeProperties[], parameters: INodeParameters): void {
	readAll(fields.map((field) => () => assertNoTemplate(field, parameters[field.name])));
}

function assertNoTemplate({ displayName, type, options }: INodeProperties, raw: unknown): void {
	if (type === 'collection') {
		return assertNoTemplates(options as INodeProperties[], toObject(raw) as INodeParameters);
	}
	const template = findTemplate(raw);
	if (template === undefined) return;
	const problem = `is Fixed, so n8n didn't evaluate ${quote(template)}`;
	const advice = "Select 'Expression', or empty the field and drag one in from the input.";
	throw new InvalidValueError(displayName, problem, advice);
}

function findTemplate(raw: unknown): string | undefined {
	if (typeof raw === 'string') return isExpression(raw) ? undefined : TEMPLATE.exec(raw)?.[0];
	if (typeof raw !== 'object' || raw === null) return undefined;
	// Beside a class's ID, n8n saves its name, which may contain anything.
	const values = '__rl' in raw && 'value' in raw ? [raw.value] : Object.values(raw);
	return values.map(findTemplate).find((template) => template !== undefined);
}
