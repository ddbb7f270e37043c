import { get, memoize } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { InputItem } from '../../../operation/operation';
import { readExpiration } from '../../../fields/accessExpiration';
import type { ItemParameters } from '../../../fields/parameters';
import type { EnteredStudent } from '../../../fields/student';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { parseJson, toObject } from '../../../values/json';
import { isBlank } from '../../../values/text';

export const STUDENTS_EXAMPLE =
	'For example: [{"name": "Student", "email": "student@example.com"}]';
const EXAMPLE = `${STUDENTS_EXAMPLE}.`;

const DATE_KEY = 'expirationDate';
const KEYS = ['email', 'name', DATE_KEY];
/** What else the node's own output has: it says `success` or `deleted`. Elsewhere, `expiresAt` may mean the end of access. */
const OUTPUT_KEYS = ['success', 'deleted', 'classId', 'classIds', 'redirectUrl', 'expiresAt'];

/** The fields of a student in JSON, in words. */
export const STUDENT_KEYS = `email and, optionally, name and ${DATE_KEY}`;

/** Finds the students in the form's list. */
export function studentsInList(item: InputItem): EnteredStudent[] {
	const students: unknown = get(item.get('students'), 'student');
	return toStudents(students, 'Students', 'Add at least one student.', item);
}

/** Finds the students in a JSON array. */
export function studentsInJson(item: InputItem): EnteredStudent[] {
	const value = item.get('studentsJson') ?? '';
	const isText = typeof value === 'string' && !isBlank(value);
	const students = isText ? parseJson(value) : value;
	if (students !== undefined) return toStudents(students, 'Students (JSON)', EXAMPLE, item);
	throw new InvalidValueError('Students (JSON)', `is not valid JSON: ${quote(value)}`, EXAMPLE);
}

function toStudents(
	students: unknown,
	list: string,
	advice: string,
	parameters: ItemParameters,
): EnteredStudent[] {
	if (!Array.isArray(students) && !isBlank(students)) {
		throw new InvalidValueError(list, `must be an array, but is ${quote(students)}`, EXAMPLE);
	}
	if (!Array.isArray(students) || students.length === 0) {
		throw new InvalidValueError(list, 'contains no students', advice);
	}
	// Evaluating an expression for each student would take longer than everything else here.
	const shared = { ...parameters, get: memoize(parameters.get) };
	// So would reading a date that is not in UTC.
	const readSharedDate = memoize(() => readExpiration(parameters));
	return students.map((entry: unknown) => {
		const student = toObject(entry);
		return {
			parameters: shared,
			enteredValue: ({ name }) => {
				if (student === entry) return [student[name], `${list}: ${name}`];
				const problem = `must contain objects, but has ${quote(entry)}`;
				throw new InvalidValueError(list, problem, EXAMPLE);
			},
			readExpirationDate: () => {
				assertKnownFields(student, list);
				const date = student[DATE_KEY];
				if (isBlank(date)) return readSharedDate();
				return parseDate(date, `${list}: ${DATE_KEY}`, parameters.now.zone);
			},
		};
	});
}

/** Throws InvalidValueError for a field that is not the node's: a misspelt date would give access that never ends. */
function assertKnownFields(student: IDataObject, list: string): void {
	const isOutput = 'success' in student || 'deleted' in student;
	const unknown = Object.keys(student).find(
		(key) => !KEYS.includes(key) && !(isOutput && OUTPUT_KEYS.includes(key)),
	);
	if (unknown === undefined) return;
	const problem = `has an unknown field ${quote(unknown)}`;
	throw new InvalidValueError(list, problem, `Use only ${STUDENT_KEYS}.`);
}
