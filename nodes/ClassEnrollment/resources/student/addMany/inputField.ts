import isPlainObject from 'lodash/isPlainObject';
import toPath from 'lodash/toPath';
import type { IDataObject } from 'n8n-workflow';
import { InvalidValueError, quote, type SourceField } from '../../../values/invalidValue';
import { isBlank, textOf } from '../../../values/text';
import type { InputItem } from '../../../operation/operation';

const MAX_LIST_LENGTH = 200;

/** An input field named by a parameter. */
export interface InputField extends SourceField {
	parameter: string;
	/**
	 * Returns the field's value in an item, undefined if it has none.
	 * It throws InvalidValueError if several of its fields could be meant.
	 */
	valueIn: (json: IDataObject) => unknown;
	/**
	 * Throws InvalidValueError if no item has the field.
	 * @param advice what to do, instead of naming the fields there are
	 */
	requireKnown: (advice?: string) => void;
}

/**
 * Returns a function that finds the field that a parameter names: exactly that name, or else a path into objects
 * (`user.email`), or else a name that differs only by a byte order mark, surrounding blanks or Unicode form, as CSV
 * headers often do. It throws InvalidValueError if the parameter contains no name.
 */
export function createFieldFinder(items: InputItem[]) {
	const available = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];

	return (value: unknown, parameter: string): InputField => {
		const path = textOf(value);
		if (path === '') {
			throw new InvalidValueError(
				parameter,
				isBlank(value) ? 'is empty' : `must be text, but is ${quote(value)}`,
				'Enter the name of a field of the input items, or drag the field from the input.',
			);
		}
		const name = String(value);
		const keys = toPath(path);
		const nestedIn = (json: IDataObject) => keys.reduce<unknown>(ownField, json);
		const similar = available.filter((other) => simplify(other) === simplify(name));
		const [key] = similar.includes(name) ? [name] : similar;
		const isKnown = key !== undefined || items.some(({ json }) => nestedIn(json) !== undefined);
		const valueIn = (json: IDataObject): unknown => {
			if (Object.hasOwn(json, name)) return json[name];
			const nested = nestedIn(json);
			if (nested !== undefined) return nested;
			const [found, ...others] = similar.filter((other) => Object.hasOwn(json, other));
			if (others.length === 0) return found === undefined ? undefined : json[found];
			throw new InvalidValueError(
				parameter,
				`is ${quote(path)}, but several fields match this name`,
				'Their names differ only in invisible characters. Rename one of them before this node.',
			);
		};
		const requireKnown = (advice?: string) => {
			if (isKnown) return;
			const list = available.join(', ').slice(0, MAX_LIST_LENGTH);
			const fields = list === '' ? 'The items have no fields.' : `Available fields: ${list}.`;
			const firstItem = JSON.stringify(items[0]!.json);
			// Such as what the expression {{ $json.email }} returns.
			if (path.includes('@') || firstItem.includes(`:${JSON.stringify(value)}`)) {
				throw new InvalidValueError(
					parameter,
					`contains a value, not the name of a field: ${quote(path)}`,
					`Switch it from Expression to Fixed, and enter the name of a field. ${fields}`,
				);
			}
			const isOneLine = available.length === 1 && list.includes(';');
			throw new InvalidValueError(
				parameter,
				`is ${quote(path)}, but no input item has a field with that name`,
				isOneLine
					? 'The file seems to be separated by semicolons: set Delimiter to ; in Extract From File.'
					: (advice ?? fields),
			);
		};
		const expression = toExpression(key === undefined ? keys : [key]);
		return { parameter, name: path, expression, valueIn, requireKnown };
	};
}

function toExpression(keys: string[]): string {
	const parts = keys.map((key) =>
		/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
	);
	return `$json${parts.join('')}`;
}

/** Returns a field of an object or list. What it inherits does not count, nor the length of a text or list. */
function ownField(value: unknown, key: string): unknown {
	const fields = isPlainObject(value) || Array.isArray(value) ? (value as IDataObject) : {};
	return Object.prototype.propertyIsEnumerable.call(fields, key) ? fields[key] : undefined;
}

/** trim() also removes a byte order mark. */
function simplify(name: string): string {
	return name.trim().normalize('NFC');
}
