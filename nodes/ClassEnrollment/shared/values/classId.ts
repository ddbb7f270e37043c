import { InvalidValueError, quote } from './invalidValue';
import { parseJson } from './json';
import { isBlank } from './text';

// Control characters, and halves of a character that cannot be encoded into a path.
const BROKEN_CHARACTER = /\p{Cc}|\p{Cs}/u;

/**
 * Reads the identifier of one class.
 * @param value a text or number, or what a class picker holds (`{ value }`), or a class (`{ id }`)
 * @throws InvalidValueError where it is missing or cannot be an identifier
 */
export function readClassId(value: unknown, parameter: string): string {
	const id = withoutWrapping(value);
	if (isBlank(id)) {
		throw new InvalidValueError(
			parameter,
			'is empty',
			'Choose a class from the list, or enter its ID.',
		);
	}
	if (typeof id !== 'string' && !Number.isFinite(id)) {
		throw new InvalidValueError(
			parameter,
			`must be the ID of a class, but is ${quote(id)}`,
			'Choose a class from the list, or enter its ID.',
		);
	}
	return checked(String(id).trim(), parameter);
}

/**
 * Reads the identifiers of several classes.
 * @param value an array of IDs, an array of `{ id }`, or either as a text, with commas or as JSON
 * @returns each identifier once, in the given order
 * @throws InvalidValueError where there is none, or where one of them is empty
 */
export function readClassIds(value: unknown, parameter: string): string[] {
	const entries = [typeof value === 'string' ? readText(value) : value].flat();
	if (entries.every(isBlank)) {
		throw new InvalidValueError(
			parameter,
			'holds no class',
			'Choose at least one class, or give the IDs by an expression.',
		);
	}
	if (entries.some(isBlank)) {
		throw new InvalidValueError(
			parameter,
			`holds an empty entry: ${quote(value)}`,
			'Check that the expression finds the ID of every class.',
		);
	}
	return [...new Set(entries.map((entry) => readClassId(entry, parameter)))];
}

/** Takes a text apart: IDs with commas, or a JSON array as an AI agent may give it. */
function readText(text: string): unknown {
	return (/^\s*[[{]/.test(text) ? parseJson(text) : undefined) ?? text.split(',');
}

function withoutWrapping(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if ('value' in value) return value.value;
	if ('id' in value) return value.id;
	return value;
}

function checked(id: string, parameter: string): string {
	// A URL parser would fold these into the path of another operation.
	if (id === '.' || id === '..') {
		throw new InvalidValueError(
			parameter,
			`cannot be ${quote(id)}`,
			'Choose a class from the list, or enter its ID.',
		);
	}
	if (/^(null|undefined)$|\[object /.test(id)) {
		throw new InvalidValueError(
			parameter,
			`is ${quote(id)}, which is no ID`,
			'Point the expression at the ID itself, with nothing before or after it.',
		);
	}
	if (BROKEN_CHARACTER.test(id)) {
		throw new InvalidValueError(
			parameter,
			`holds a line break or a broken character: ${quote(id)}`,
			'Copy the ID of the class anew.',
		);
	}
	return id;
}
