import { parseJson } from './json';
import { InvalidValueError, quote } from './invalidValue';
import { isBlank, retypeAdvice, textOf } from './text';

const ADVICE = 'Choose a class from the list, or enter its ID.';
// What an expression without a result makes, what cannot be a part of a path, and what nobody sees.
const NO_ID = /^(null|undefined|\[object .*|\.\.?)$|\p{Cc}|\p{Cs}|\p{DI}/u;

/**
 * Checks the ID of one class; throws InvalidValueError if it is missing or cannot be an ID.
 * @param value a text or number, a resource locator (`{ __rl, value }`), or a class (`{ id }`)
 */
export function parseClassId(value: unknown, parameter: string): string {
	const id = unwrap(value);
	if (isBlank(id)) throw new InvalidValueError(parameter, 'is empty', ADVICE);
	// JavaScript may have rounded it: to the ID of another class.
	const isRounded = typeof id === 'number' && !Number.isSafeInteger(id);
	const text = isRounded ? '' : textOf(id);
	if (text !== '' && !NO_ID.test(text)) return text;
	const advice = `${ADVICE}${retypeAdvice(textOf(id))}`;
	throw new InvalidValueError(parameter, `must be a class ID, but is ${quote(id)}`, advice);
}

/**
 * Returns the IDs of several classes, each once, in order; throws InvalidValueError if there is none, or one is empty.
 * @param value an array of IDs, an array of `{ id }`, or either as text, comma-separated or as JSON
 */
export function parseClassIds(value: unknown, parameter: string): string[] {
	const entries = [typeof value === 'string' ? splitText(value, parameter) : value].flat();
	if (entries.every(isBlank)) {
		const advice = 'Choose at least one class, or provide IDs with an expression.';
		throw new InvalidValueError(parameter, 'contains no classes', advice);
	}
	if (entries.some(isBlank)) {
		const problem = `contains an empty entry: ${quote(value)}`;
		throw new InvalidValueError(parameter, problem, 'Provide the ID of every class.');
	}
	return [...new Set(entries.map((entry) => parseClassId(entry, parameter)))];
}

/** Splits a text: comma-separated IDs, or a JSON array as an AI agent may provide it. */
function splitText(text: string, parameter: string): unknown {
	if (!/^\s*[[{]/.test(text)) return text.split(',');
	const json = parseJson(text);
	if (json !== undefined) return json;
	const advice = 'Enter IDs separated by commas, or a JSON array such as ["id-1", "id-2"].';
	throw new InvalidValueError(parameter, `is not valid JSON: ${quote(text)}`, advice);
}

function unwrap(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if ('__rl' in value && 'value' in value) return value.value;
	// A class may have a field `value` of the service's own.
	return 'id' in value ? value.id : value;
}
