import { get, toPath } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { asItLooks, isBlank, textOf } from '../../../values/text';
import type { InputItem } from '../../../operation/operation';

const MAX_LIST_LENGTH = 200;

/** An input field named by a parameter. */
export interface InputField {
	/** Its name in errors. */
	label: string;
	/** Returns the field's value in an item, undefined if it has none. */
	valueIn: (json: IDataObject) => unknown;
}

/**
 * Returns a function that finds the field that a parameter names: exactly that name, or one that differs only in letter case or in
 * what nobody sees, such as a byte order mark in a CSV header, or else a path into objects (`user.email`). It throws
 * InvalidValueError if the parameter contains no name, or if no item has the field.
 */
export function createFieldFinder(items: InputItem[]) {
	const names = new Set<string>();
	for (const { json } of items) for (const name in json) names.add(name);
	const available = [...names];

	return (value: unknown, parameter: string, mayBeMissing = false): InputField => {
		const path = textOf(value);
		if (path === '') {
			const problem = isBlank(value) ? 'is empty' : `must be text, but is ${quote(value)}`;
			const advice =
				'Enter the name of a field of the input items, or drag the field from the input.';
			throw new InvalidValueError(parameter, problem, advice);
		}
		const plain = (name: string) => asItLooks(name).toLowerCase();
		const lookalike = available.find((name) => plain(name) === plain(path));
		const name = available.includes(path) ? path : lookalike;
		const keys = name === undefined ? toPath(path) : [name];
		const valueIn = (json: IDataObject): unknown => get(json, keys);
		const exists = () =>
			name !== undefined || items.some(({ json }) => valueIn(json) !== undefined);
		// A mistyped name would be an empty field in each item: access would never end.
		if (!mayBeMissing && !exists()) {
			throw new InvalidValueError(parameter, ...unknownField(path, items[0]!.json, available));
		}
		return { label: `${parameter}: ${path}`, valueIn };
	};
}

/** Says what is wrong with a name that no item has, and what the user can do about it. */
function unknownField(
	name: string,
	firstItem: IDataObject,
	available: string[],
): [problem: string, advice: string] {
	const list = available.join(', ').slice(0, MAX_LIST_LENGTH);
	const fields = list === '' ? 'The items have no fields.' : `Available fields: ${list}.`;
	// Such as what the expression {{ $json.email }} returns.
	if (Object.values(firstItem).includes(name)) {
		return [
			`contains a value, not the name of a field: ${quote(name)}`,
			`Switch it from Expression to Fixed, and enter the name of a field. ${fields}`,
		];
	}
	const isOneLine = available.length === 1 && list.includes(';');
	return [
		`is ${quote(name)}, but no input item has a field with that name`,
		isOneLine
			? 'The file seems to be separated by semicolons: set Delimiter to ; in Extract From File.'
			: fields,
	];
}
