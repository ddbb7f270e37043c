import memoize from 'lodash/memoize';
import type { IDataObject } from 'n8n-workflow';
import type { DateTime } from 'luxon';
import type { InputItem } from '../../../operation/operation';
import { readExpiration } from '../../../fields/accessExpiration';
import { type EnteredStudent, textFields } from '../../../fields/student';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { isBlank } from '../../../values/text';
import { findOtherDate } from '../otherDate';
import { createFieldFinder, type InputField } from './inputField';

/** Takes each input item for a student; throws InvalidValueError if the names of the fields cannot be used. */
export function studentsInItems(items: InputItem[]): (item: InputItem) => EnteredStudent {
	const { get, now } = items[0]!.parameters;
	const findField = createFieldFinder(items);
	const fields = new Map<string, InputField>();
	for (const { name, displayName, required } of textFields) {
		const value = get(`${name}Field`);
		if (isBlank(value) && !required) continue;
		const field = findField(value, `${displayName} Field`);
		// Where the parameter of a detail has its default, the field may be missing.
		if (required || value !== name) field.requireKnown();
		fields.set(name, field);
	}
	// Looked up only when needed, because Access Expiration may be an expression.
	let readDate: ((json: IDataObject) => string | undefined) | undefined;
	const create = () => createDateReader(findField(get('expirationField'), 'Expiration Field'), now);

	return ({ json, parameters }) => ({
		get: parameters.get,
		now: parameters.now,
		enteredValue: ({ name, displayName }) => {
			const field = fields.get(name);
			return [field?.valueIn(json), field ?? displayName];
		},
		readExpirationDate: () => readExpiration(parameters, () => (readDate ??= create())(json)),
	});
}

function createDateReader(field: InputField, now: () => DateTime) {
	// Many students have the same date, and one that is not in UTC takes longer to read than everything else.
	const parse = memoize((date: unknown) => parseDate(date, field, now));
	return (json: IDataObject): string | undefined => {
		const date = field.valueIn(json);
		if (!isBlank(date)) return parse(date);
		requireNoOtherDate(field, json, now);
		return undefined;
	};
}

/** Throws InvalidValueError if an item without a date seems to have one in another field. */
function requireNoOtherDate(field: InputField, json: IDataObject, now: () => DateTime): void {
	// A mistyped name would give everybody access that never ends.
	field.requireKnown(
		"Drag in the input field that contains the dates, or set 'Access Expiration' to 'Never'.",
	);
	const isMissing = field.valueIn(json) === undefined;
	const otherDate = isMissing ? findOtherDate(json, now()) : undefined;
	if (otherDate === undefined) return;
	throw new InvalidValueError(
		field.parameter,
		`is ${quote(field.name)}, but this item has ${quote(otherDate)} instead`,
		'Give the field the same name in all items. For access that never ends, add the field without a value.',
	);
}
