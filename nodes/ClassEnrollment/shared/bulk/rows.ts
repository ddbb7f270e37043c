import get from 'lodash/get';
import memoize from 'lodash/memoize';
import type { IDataObject } from 'n8n-workflow';
import { readExpirationDate } from '../fields/accessExpiration';
import { readClassIdOf } from '../fields/classes';
import type { InputItem, ItemParameters } from '../operation';
import type { RowPlace } from './places';
import { readChoice } from '../values/choice';
import { readEmail } from '../values/email';
import { readDate } from '../values/expiration';
import { InvalidValueError, quote } from '../values/invalidValue';
import { parseJson } from '../values/json';
import { isBlank, optionalText } from '../values/text';

const LONGEST_LIST = 200;
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
export interface RawRow extends RowPlace {
	read: () => { classId: string; student: Student };
}

/** Reads where the students of an item come from; throws InvalidValueError for an unknown place. */
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
	const isInAnItem = memoize((field: string) =>
		items.some(({ json }) => fieldOf(json, field) !== undefined),
	);

	return items.map((item) => ({
		itemIndex: item.itemIndex,
		read: () => ({
			classId: readClassIdOf(item.parameters),
			student: {
				email: readEmailIn(item.json, emailField, isInAnItem),
				name: nameField && optionalText(fieldOf(item.json, nameField), `Name Field: ${nameField}`),
				expirationDate: readExpirationDate(item.parameters, () => readDateIn(item, isInAnItem)),
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
	if (!Array.isArray(students) && !isBlank(students)) {
		throw new InvalidValueError(parameter, `must be an array, but is ${quote(students)}`, EXAMPLE);
	}
	if (!Array.isArray(students) || students.length === 0) {
		throw new InvalidValueError(
			parameter,
			'holds no student',
			from === 'list' ? 'Add at least one student.' : EXAMPLE,
		);
	}
	return students.map((student: unknown, index) => ({
		itemIndex,
		number: index + 1,
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
	const { email, name, expirationDate, ...others } = student as Record<string, unknown>;
	// A mistyped name would give the student access that never ends.
	const mistyped = Object.keys(others).find((key) => /expir/i.test(key));
	if (mistyped !== undefined) {
		throw new InvalidValueError(
			parameter,
			`holds a field ${quote(mistyped)}, which means nothing here`,
			'Name the date on which access ends expirationDate.',
		);
	}
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

/** Reads the date of a row from the field that the parameter names. */
function readDateIn(
	{ json, parameters }: InputItem,
	isInAnItem: (field: string) => boolean,
): string | undefined {
	const field = readFieldName(parameters.get('expirationField'), 'Expiration Field');
	const value = fieldOf(json, field);
	if (!isBlank(value)) return readDate(value, `Expiration Field: ${field}`, parameters.now.zone);
	// A mistyped name would give everybody access that never ends.
	if (!isInAnItem(field)) {
		throw new InvalidValueError(
			'Expiration Field',
			`names ${quote(field)}, which no item has`,
			"Drag the field with the dates from the input, or set 'Access Expiration' to 'Never'.",
		);
	}
	return undefined;
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

function readEmailIn(
	json: IDataObject,
	field: string,
	isInAnItem: (field: string) => boolean,
): string {
	const value = fieldOf(json, field);
	if (value === undefined && !isInAnItem(field)) {
		const known = Object.keys(json).join(', ');
		throw new InvalidValueError(
			'Email Field',
			`names ${quote(field)}, which no item has`,
			known === '' ? 'The items have no fields.' : `There are: ${known.slice(0, LONGEST_LIST)}.`,
		);
	}
	return readEmail(value, `Email Field: ${field}`);
}

function fieldOf(json: IDataObject, field: string): unknown {
	return Object.hasOwn(json, field) ? json[field] : get(json, field);
}
