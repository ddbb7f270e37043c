import get from 'lodash/get';
import type { IDataObject } from 'n8n-workflow';
import { readExpirationDate } from '../fields/accessExpiration';
import { readClassIdOf } from '../fields/classes';
import type { InputItem, ItemParameters } from '../operation';
import { readChoice } from '../values/choice';
import { readEmail } from '../values/email';
import { readDate } from '../values/expiration';
import { InvalidValueError, quote } from '../values/invalidValue';
import { parseJson } from '../values/json';
import { isBlank, optionalText } from '../values/text';

const EXAMPLE = 'Give an array such as [{"name": "Student", "email": "student@example.com"}].';

export const STUDENTS_FROM = {
	inputItems: 'Input Items',
	list: 'List',
	json: 'JSON',
} as const;

export type StudentsFrom = keyof typeof STUDENTS_FROM;

/** A student as the service takes it (interface, section 2). */
export type Student = {
	email: string;
	name?: string;
	expirationDate?: string;
};

/** One student to be added, not yet checked. */
export interface RawRow {
	itemIndex: number;
	/** How messages name the row, such as "item 3". */
	label: string;
	read: () => { classId: string; student: Student };
}

export function readStudentsFrom({ get: parameter }: ItemParameters): StudentsFrom {
	return readChoice(parameter('studentsFrom'), STUDENTS_FROM, 'Students From');
}

/**
 * The rows of input items that are a student each.
 * @throws InvalidValueError where the names of the fields cannot be used
 */
export function rowsOfItems(items: InputItem[]): RawRow[] {
	const { get: parameter } = items[0]!.parameters;
	const emailField = readFieldName(parameter('emailField'), 'Email Field');
	const nameField = optionalText(parameter('nameField'), 'Name Field');
	const expirationOf = readExpirationField(items);

	return items.map((item) => ({
		itemIndex: item.itemIndex,
		label: `item ${item.itemIndex}`,
		read: () => ({
			classId: readClassIdOf(item.parameters),
			student: {
				email: readEmailIn(item.json, emailField),
				name: nameField && optionalText(fieldOf(item.json, nameField), `Name Field: ${nameField}`),
				expirationDate: expirationOf(item),
			},
		}),
	}));
}

/**
 * The rows of a list of students in the parameters of one item.
 * @throws InvalidValueError where there is no list or it is empty
 */
export function rowsOfList({ itemIndex, parameters }: InputItem, from: 'list' | 'json'): RawRow[] {
	const parameter = from === 'list' ? 'Students' : 'Students (JSON)';
	const students =
		from === 'list'
			? get(parameters.get('students'), 'student')
			: parseStudents(parameters.get('studentsJson'), parameter);
	if (!Array.isArray(students) || students.length === 0) {
		throw new InvalidValueError(
			parameter,
			'holds no student',
			from === 'list' ? 'Add at least one student.' : EXAMPLE,
		);
	}
	return students.map((student: unknown, index) => ({
		itemIndex,
		label: `student ${index + 1} of item ${itemIndex}`,
		read: () => ({
			classId: readClassIdOf(parameters),
			student: readListed(student, parameter, parameters),
		}),
	}));
}

function readListed(student: unknown, parameter: string, parameters: ItemParameters): Student {
	if (typeof student !== 'object' || student === null) {
		throw new InvalidValueError(
			parameter,
			`must hold students, but holds ${quote(student)}`,
			'Every student is an object with an email, and if you like a name and an expirationDate.',
		);
	}
	const { email, name, expirationDate } = student as Record<string, unknown>;
	return {
		email: readEmail(email, `${parameter}: email`),
		name: optionalText(name, `${parameter}: name`),
		expirationDate: isBlank(expirationDate)
			? readExpirationDate(parameters)
			: readDate(expirationDate, `${parameter}: expirationDate`, parameters.now.zone),
	};
}

function parseStudents(value: unknown, parameter: string): unknown {
	if (typeof value !== 'string' || isBlank(value)) return value;
	const students = parseJson(value);
	if (students !== undefined) return students;
	throw new InvalidValueError(parameter, `is not valid JSON: ${quote(value)}`, EXAMPLE);
}

function readExpirationField(items: InputItem[]): (item: InputItem) => string | undefined {
	const { get: parameter } = items[0]!.parameters;
	if (parameter('accessExpiration') !== 'field')
		return ({ parameters }) => readExpirationDate(parameters);

	const field = readFieldName(parameter('expirationField'), 'Expiration Field');
	// A mistyped name would give everybody access that never ends.
	if (items.every(({ json }) => fieldOf(json, field) === undefined)) {
		throw new InvalidValueError(
			'Expiration Field',
			`names ${quote(field)}, which no item has`,
			"Drag the field with the dates from the input, or set 'Access Expiration' to 'Never'.",
		);
	}
	return ({ json, parameters }) => {
		const value = fieldOf(json, field);
		return isBlank(value)
			? undefined
			: readDate(value, `Expiration Field: ${field}`, parameters.now.zone);
	};
}

function readFieldName(value: unknown, parameter: string): string {
	const field = optionalText(value, parameter);
	if (field !== undefined) return field;
	throw new InvalidValueError(
		parameter,
		'is empty',
		'Enter the name of a field of the input items, or drag the field from the input.',
	);
}

function readEmailIn(json: IDataObject, field: string): string {
	const value = fieldOf(json, field);
	if (value === undefined) {
		const known = Object.keys(json).join(', ');
		throw new InvalidValueError(
			'Email Field',
			`names ${quote(field)}, which this item does not have`,
			known === '' ? 'The item has no fields.' : `The item has the fields: ${known.slice(0, 200)}.`,
		);
	}
	return readEmail(value, `Email Field: ${field}`);
}

function fieldOf(json: IDataObject, field: string): unknown {
	return Object.hasOwn(json, field) ? json[field] : get(json, field);
}
