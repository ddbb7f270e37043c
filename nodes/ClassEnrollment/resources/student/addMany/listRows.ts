import get from 'lodash/get';
import memoize from 'lodash/memoize';
import type { IDataObject } from 'n8n-workflow';
import type { RowsOf } from '../../../execution/row';
import { readExpirationDate } from '../../../fields/accessExpiration';
import type { ItemParameters } from '../../../fields/parameters';
import { detailFields, emailField } from '../../../fields/student';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { parseJson, toObject } from '../../../values/json';
import { isBlank } from '../../../values/text';
import { findOtherDate } from './otherDate';

export const STUDENTS_EXAMPLE =
	'For example: [{"name": "Student", "email": "student@example.com"}]';
const EXAMPLE = `${STUDENTS_EXAMPLE}.`;

/** What a student in JSON consists of, in words. */
export const STUDENT_KEYS = `email and, optionally, ${detailFields.map(({ name }) => name).join(', ')} and expirationDate`;

const OWN = new Set([emailField, ...detailFields].map(({ name }) => name));

/** Takes each student of the form's list for a row. */
export const listRows: RowsOf = ({ parameters }) =>
	toRows(
		get(parameters.get('students'), 'student'),
		'Students',
		'Add at least one student.',
		parameters,
	);

/** Takes each student of a JSON array for a row. */
export const jsonRows: RowsOf = ({ parameters }) =>
	toRows(parseStudents(parameters.get('studentsJson')), 'Students (JSON)', EXAMPLE, parameters);

function parseStudents(value: unknown): unknown {
	if (typeof value !== 'string' || isBlank(value)) return value;
	const students = parseJson(value);
	if (students !== undefined) return students;
	throw new InvalidValueError('Students (JSON)', `is not valid JSON: ${quote(value)}`, EXAMPLE);
}

function toRows(
	students: unknown,
	list: string,
	advice: string,
	parameters: ItemParameters,
): ItemParameters[] {
	if (!Array.isArray(students) && !isBlank(students)) {
		throw new InvalidValueError(list, `must be an array, but is ${quote(students)}`, EXAMPLE);
	}
	if (!Array.isArray(students) || students.length === 0) {
		throw new InvalidValueError(list, 'contains no students', advice);
	}
	// Evaluating an expression, or a date that is not in UTC, takes longer than everything else here.
	const shared = { ...parameters, get: memoize(parameters.get) };
	const readDate = memoize(() => readExpirationDate(parameters));
	return students.map((student: unknown) => toRow(student, list, shared, readDate));
}

/** The parameters of one student: what the list says, and for the rest what the item says. */
function toRow(
	entry: unknown,
	list: string,
	parameters: ItemParameters,
	readDate: () => string | undefined,
): ItemParameters {
	const student = toObject(entry);
	const dateOf = ({ expirationDate }: IDataObject) =>
		isBlank(expirationDate) ? readDate() : expirationDate;
	return {
		...parameters,
		get: (name) => {
			if (student !== entry) throw noStudentError(entry, list);
			if (name === 'accessExpiration') {
				refuseOtherDate(student, list, parameters);
				return dateOf(student) === undefined ? 'none' : 'date';
			}
			if (name === 'expirationDate') return dateOf(student);
			return OWN.has(name) ? student[name] : parameters.get(name);
		},
		sourceOf: (name) => `${list}: ${name}`,
	};
}

function refuseOtherDate(student: IDataObject, list: string, { now }: ItemParameters): void {
	const otherDate = findOtherDate(student, 'expirationDate', now);
	if (otherDate === undefined) return;
	throw new InvalidValueError(
		list,
		`has an unknown field ${quote(otherDate)}`,
		"Put the date in the field 'expirationDate'.",
	);
}

function noStudentError(entry: unknown, list: string): InvalidValueError {
	return new InvalidValueError(
		list,
		`must be an array of students, but contains ${quote(entry)}`,
		`Each student is an object with ${STUDENT_KEYS}.`,
	);
}
