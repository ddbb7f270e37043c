import { readExpirationDate } from '../../../fields/accessExpiration';
import { readClassId } from '../../../fields/class';
import { parseEmail } from '../../../values/email';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { isBlank, parseOptionalText } from '../../../values/text';
import type { InputItem } from '../../../execution/operation';
import {
	createFieldFinder,
	type FindInputField,
	type InputField,
	requireKnown,
} from './inputField';
import { findOtherDate } from './otherDate';
import type { CheckedRow } from './students';

const DEFAULT_NAME_FIELD = 'name';

/**
 * Reads the rows of input items that are a student each.
 * @throws InvalidValueError if the names of the fields cannot be used
 */
export function readInputItemRows(items: InputItem[], batchSize: number): CheckedRow[] {
	const { get: parameter } = items[0]!.parameters;
	const findField = createFieldFinder(items);
	const emailField = findField(parameter('emailField'), 'Email Field');
	requireKnown(emailField);
	const nameField = findNameField(findField, parameter('nameField'));
	// Only if a row needs it: the choice when access ends may be an expression.
	let expirationField: InputField | undefined;

	return items.map((item): CheckedRow => {
		const { itemIndex, json, parameters } = item;
		try {
			return {
				itemIndex,
				batchSize,
				classId: readClassId(parameters),
				student: {
					email: parseEmail(emailField.valueIn(json), emailField.label),
					name: nameField && parseOptionalText(nameField.valueIn(json), nameField.label),
					expirationDate: readExpirationDate(parameters, () => {
						expirationField ??= findField(parameter('expirationField'), 'Expiration Field');
						return readDate(expirationField, item);
					}),
				},
			};
		} catch (error) {
			return { itemIndex, error };
		}
	});
}

function findNameField(findField: FindInputField, value: unknown): InputField | undefined {
	if (isBlank(value)) return undefined;
	const field = findField(value, 'Name Field');
	if (value !== DEFAULT_NAME_FIELD) requireKnown(field);
	return field;
}

function readDate(field: InputField, { json, parameters }: InputItem): string | undefined {
	const date = field.valueIn(json);
	if (!isBlank(date)) return parseDate(date, field.label, parameters.now.zone);
	// A mistyped name would give everybody access that never ends.
	requireKnown(
		field,
		"Drag the field with the dates from the input, or set 'Access Expiration' to 'Never'.",
	);
	if (date !== undefined) return undefined;
	const otherDate = findOtherDate(json, parameters.now);
	if (otherDate === undefined) return undefined;
	throw new InvalidValueError(
		field.parameter,
		`is ${quote(field.name)}, but this item has ${quote(otherDate)} instead`,
		'Give the field the same name in all items. For access that never ends, add the field without a value.',
	);
}
