import type { INodeProperties } from 'n8n-workflow';
import { readExpirationDate } from '../../../fields/accessExpiration';
import { readClassId } from '../../../fields/class';
import { readIfAny } from '../../../fields/identity';
import { mapDetails } from '../../../fields/student';
import { parseEmail } from '../../../values/email';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { isBlank, parseOptionalText } from '../../../values/text';
import type { InputItem } from '../../../execution/operation';
import { createFieldFinder, type FindInputField, type InputField } from './inputField';
import { once } from './once';
import { findOtherDate } from './otherDate';
import { readAll } from './readAll';
import type { CheckedRow, RowReaders } from './students';

/**
 * Reads input items as rows, one student each.
 * @throws InvalidValueError if the names of the fields cannot be used
 */
export function readInputItemRows(items: InputItem[], batchSize: number): CheckedRow[] {
	const { get: parameter } = items[0]!.parameters;
	const findField = createFieldFinder(items);
	const emailField = findField(parameter('emailField'), 'Email Field');
	emailField.requireKnown();
	// Looked up only when needed, because Access Expiration may be an expression.
	const expirationField = once(() => findField(parameter('expirationField'), 'Expiration Field'));
	const readers: RowReaders<InputItem> = {
		classId: ({ parameters }) => readClassId(parameters),
		email: ({ json }) => parseEmail(emailField.valueIn(json), emailField),
		...mapDetails((detail) => {
			const field = findDetailField(findField, parameter(`${detail.name}Field`), detail);
			return ({ json }) => field && parseOptionalText(field.valueIn(json), field);
		}),
		expirationDate: (item) =>
			readExpirationDate(item.parameters, () => readDate(expirationField(), item)),
	};

	return items.map((item): CheckedRow => {
		const { itemIndex } = item;
		try {
			const { classId, ...student } = readAll(readers, item);
			return { itemIndex, batchSize, classId, student };
		} catch (error) {
			const email = readIfAny(() => emailField.valueIn(item.json));
			return { itemIndex, error, email, classId: readIfAny(() => readers.classId(item)) };
		}
	});
}

/** Finds the input field of a detail. Where the parameter has its default, the field may be missing. */
function findDetailField(
	findField: FindInputField,
	value: unknown,
	{ name, displayName }: INodeProperties,
): InputField | undefined {
	if (isBlank(value)) return undefined;
	const field = findField(value, `${displayName} Field`);
	if (value !== name) field.requireKnown();
	return field;
}

function readDate(field: InputField, { json, parameters }: InputItem): string | undefined {
	const date = field.valueIn(json);
	if (!isBlank(date)) return parseDate(date, field, parameters.now.zone);
	// A mistyped name would give everybody access that never ends.
	field.requireKnown(
		"Drag in the input field that contains the dates, or set 'Access Expiration' to 'Never'.",
	);
	if (date !== undefined) return undefined;
	const otherDate = findOtherDate(json, field.name, parameters.now);
	if (otherDate === undefined) return undefined;
	throw new InvalidValueError(
		field.parameter,
		`is ${quote(field.name)}, but this item has ${quote(otherDate)} instead`,
		'Give the field the same name in all items. For access that never ends, add the field without a value.',
	);
}
