import get from 'lodash/get';
import type { IDataObject } from 'n8n-workflow';
import { readExpirationDate } from '../../fields/accessExpiration';
import { readClassId } from '../../fields/class';
import { parseEmail } from '../../values/email';
import { parseDate } from '../../values/expiration';
import { InvalidValueError, quote } from '../../values/invalidValue';
import { isBlank, parseOptionalText } from '../../values/text';
import type { InputItem } from '../operation';
import type { CheckedRow } from './students';

const LONGEST_LIST = 200;

/**
 * Reads the rows of input items that are a student each.
 * @throws InvalidValueError where the names of the fields cannot be used
 */
export function readInputItemRows(items: InputItem[], batchSize: number): CheckedRow[] {
	const { get: parameter } = items[0]!.parameters;
	const emailField = readFieldName(parameter('emailField'), 'Email Field');
	const nameField = parseOptionalText(parameter('nameField'), 'Name Field');
	if (!isInAnItem(items, emailField)) throw missingEmailField(emailField, items);
	// Only where a row needs it: the choice when access ends may be an expression.
	let readDate: ((item: InputItem) => string | undefined) | undefined;

	return items.map((item): CheckedRow => {
		const { itemIndex, json, parameters } = item;
		try {
			return {
				itemIndex,
				batchSize,
				classId: readClassId(parameters),
				student: {
					email: parseEmail(readField(json, emailField), `Email Field: ${emailField}`),
					name:
						nameField && parseOptionalText(readField(json, nameField), `Name Field: ${nameField}`),
					expirationDate: readExpirationDate(parameters, () => {
						readDate ??= createDateReader(items);
						return readDate(item);
					}),
				},
			};
		} catch (error) {
			return { itemIndex, error };
		}
	});
}

function createDateReader(items: InputItem[]): (item: InputItem) => string | undefined {
	const value = items[0]!.parameters.get('expirationField');
	const field = readFieldName(value, 'Expiration Field');
	// A mistyped name would give everybody access that never ends.
	const isUsable = isInAnItem(items, field);
	return ({ json, parameters }) => {
		if (!isUsable) {
			throw new InvalidValueError(
				'Expiration Field',
				`is ${quote(field)}, but no item has that field`,
				"Drag the field with the dates from the input, or set 'Access Expiration' to 'Never'.",
			);
		}
		const date = readField(json, field);
		return isBlank(date)
			? undefined
			: parseDate(date, `Expiration Field: ${field}`, parameters.now.zone);
	};
}

function readFieldName(value: unknown, parameter: string): string {
	const field = parseOptionalText(value, parameter);
	if (field !== undefined) return field;
	throw new InvalidValueError(
		parameter,
		'is empty',
		'Enter the name of a field of the input items, or drag the field from the input.',
	);
}

function missingEmailField(field: string, [first]: InputItem[]): InvalidValueError {
	const known = Object.keys(first!.json).join(', ');
	return new InvalidValueError(
		'Email Field',
		`is ${quote(field)}, but no item has that field`,
		known === ''
			? 'The items have no fields.'
			: `Available fields: ${known.slice(0, LONGEST_LIST)}.`,
	);
}

function isInAnItem(items: InputItem[], field: string): boolean {
	return items.some(({ json }) => readField(json, field) !== undefined);
}

function readField(json: IDataObject, field: string): unknown {
	return Object.hasOwn(json, field) ? json[field] : get(json, field);
}
