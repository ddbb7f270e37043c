import get from 'lodash/get';
import type { IDataObject } from 'n8n-workflow';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { isBlank } from '../../../values/text';
import type { InputItem } from '../../../execution/operation';

const LONGEST_LIST = 200;

/** A field of the input items that a parameter names. */
export interface InputField {
	parameter: string;
	name: string;
	/** The parameter and the name, for messages. */
	label: string;
	/** Whether an item has the field. */
	isKnown: boolean;
	/** The names of the fields of all items. */
	available: string[];
	/**
	 * Returns the field's value in an item, undefined if it has none.
	 * It throws InvalidValueError if several of its fields could be meant.
	 */
	valueIn: (json: IDataObject) => unknown;
}

/** Finds the field that a parameter names; throws InvalidValueError if the parameter contains no name. */
export type FindInputField = (value: unknown, parameter: string) => InputField;

/**
 * Returns a function that finds the field that a parameter names: exactly that name, or else a path into objects
 * (`user.email`), or else a name that differs only by a byte order mark, surrounding blanks or Unicode form, as headers
 * of files do.
 */
export function createFieldFinder(items: InputItem[]): FindInputField {
	const names = new Set<string>();
	for (const { json } of items) Object.keys(json).forEach((name) => names.add(name));
	const available = [...names];
	return (value, parameter) => findField(items, available, value, parameter);
}

function findField(
	items: InputItem[],
	available: string[],
	value: unknown,
	parameter: string,
): InputField {
	if (isBlank(value) || (typeof value !== 'string' && !Number.isFinite(value))) {
		throw new InvalidValueError(
			parameter,
			isBlank(value) ? 'is empty' : `must be text, but is ${quote(value)}`,
			'Enter the name of a field of the input items, or drag the field from the input.',
		);
	}
	const name = String(value);
	const path = name.trim();
	const similar = available.filter((other) => simplify(other) === simplify(name));

	const valueIn = (json: IDataObject): unknown => {
		if (Object.hasOwn(json, name)) return json[name];
		const nested: unknown = get(json, path);
		if (nested !== undefined) return nested;
		const [found, ...others] = similar.filter((other) => Object.hasOwn(json, other));
		if (others.length === 0) return found === undefined ? undefined : json[found];
		throw new InvalidValueError(
			parameter,
			`is ${quote(path)}, but several fields have this name`,
			'Their names differ only in invisible characters. Rename one of them before this node.',
		);
	};
	const isKnown = similar.length > 0 || items.some(({ json }) => get(json, path) !== undefined);
	return { parameter, name: path, label: `${parameter}: ${path}`, isKnown, available, valueIn };
}

/**
 * Refuses a field that no item has.
 * @param advice what to do, instead of naming the fields there are
 * @throws InvalidValueError
 */
export function requireKnown(field: InputField, advice?: string): void {
	if (field.isKnown) return;
	const available = field.available.join(', ').slice(0, LONGEST_LIST);
	throw new InvalidValueError(
		field.parameter,
		`is ${quote(field.name)}, but no item has that field`,
		advice ?? (available === '' ? 'The items have no fields.' : `Available fields: ${available}.`),
	);
}

/** Trimming also takes a byte order mark away. */
function simplify(name: string): string {
	return name.trim().normalize('NFC');
}
