import { get, memoize } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { FoundRow } from '../../../operation/checkRows';
import type { InputItem } from '../../../operation/operation';
import { readExpiration } from '../../../fields/accessExpiration';
import type { ItemParameters } from '../../../fields/parameters';
import { parseEmail } from '../../../values/email';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { parseJson, toObject } from '../../../values/json';
import { isBlank, parseOptionalText } from '../../../values/text';
import { readEnrollment } from '../enrollment';

export const STUDENTS_EXAMPLE =
	'For example: [{"name": "Student", "email": "student@example.com"}]';
const EXAMPLE = `${STUDENTS_EXAMPLE}.`;

const KEYS = ['email', 'name', 'expirationDate'];
/** What else the node's own output has, which says `success` or `deleted`. Not `expiresAt`: it may be the end of access. */
const OUTPUT_KEYS = ['success', 'deleted', 'classId', 'classIds'];

/** The fields of a student in JSON, in words. */
export const STUDENT_KEYS = 'email and, optionally, name and expirationDate';

/** Finds the students in the form's list. */
export function studentsInList(item: InputItem): FoundRow[] {
	const students: unknown = get(item.get('students'), 'student');
	return toStudents(students, 'Students', 'Add at least one student.', item);
}

/** Finds the students in a JSON array. */
export function studentsInJson(item: InputItem): FoundRow[] {
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
): FoundRow[] {
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
	return students.map((entry: unknown, index) => {
		const student = toObject(entry);
		const { email, name, expirationDate } = student;
		const read = () => {
			if (student !== entry) {
				const problem = `must contain objects, but has ${quote(entry)}`;
				throw new InvalidValueError(list, problem, EXAMPLE);
			}
			return readEnrollment(shared, {
				email: () => parseEmail(email, `${list}: email`),
				name: () => parseOptionalText(name, `${list}: name`),
				expirationDate: () => {
					assertKnownFields(student, list);
					const label = `${list}: expirationDate`;
					if (expirationDate === null || !('expirationDate' in student)) return readSharedDate();
					// As of an expression with a misspelled field: access would never end.
					if (isBlank(expirationDate)) {
						const advice = 'Check the expression. For a student without a date, use null.';
						throw new InvalidValueError(label, 'is empty', advice);
					}
					return parseDate(expirationDate, label, parameters.now.zone);
				},
			});
		};
		return { numberInList: index + 1, enteredEmail: () => email, read };
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
