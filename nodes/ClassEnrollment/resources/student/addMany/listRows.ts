import get from 'lodash/get';
import { readExpirationDate } from '../../../fields/accessExpiration';
import { readClassId } from '../../../fields/class';
import type { ItemParameters } from '../../../fields/parameters';
import { parseJson } from '../../../values/json';
import { parseEmail } from '../../../values/email';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { isBlank, parseOptionalText } from '../../../values/text';
import type { InputItem } from '../../../execution/operation';
import { once } from './once';
import { findOtherDate } from './otherDate';
import type { CheckedRow, Student, StudentsFrom } from './students';

const EXAMPLE = 'For example: [{"name": "Student", "email": "student@example.com"}].';

/**
 * Reads the rows of a list of students in the parameters of one item.
 * @throws InvalidValueError if there is no list or it is empty
 */
export function readListRows(
	{ itemIndex, parameters }: InputItem,
	from: Exclude<StudentsFrom, 'inputItems'>,
	batchSize: number,
): CheckedRow[] {
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
			'contains no student',
			from === 'list' ? 'Add at least one student.' : EXAMPLE,
		);
	}
	// Evaluating an expression takes longer than everything else here.
	const classId = once(() => readClassId(parameters));
	const expirationDate = once(() => readExpirationDate(parameters));
	return students.map((value: unknown, index): CheckedRow => {
		const source = { itemIndex, number: index + 1 };
		try {
			const student = parseStudent(value, parameter, parameters, expirationDate);
			return { ...source, batchSize, classId: classId(), student };
		} catch (error) {
			return { ...source, error };
		}
	});
}

function parseStudent(
	value: unknown,
	parameter: string,
	{ now }: ItemParameters,
	defaultDate: () => string | undefined,
): Student {
	if (typeof value !== 'object' || value === null) {
		throw new InvalidValueError(
			parameter,
			`must contain students, but contains ${quote(value)}`,
			'Each student is an object with an email and, optionally, a name and an expirationDate.',
		);
	}
	const { email, name, expirationDate, ...others } = value as Record<string, unknown>;
	const otherDate = findOtherDate(others, now);
	if (otherDate !== undefined) {
		throw new InvalidValueError(
			parameter,
			`has an unknown field ${quote(otherDate)}`,
			"Put the date in the field 'expirationDate'.",
		);
	}
	return {
		email: parseEmail(email, `${parameter}: email`),
		name: parseOptionalText(name, `${parameter}: name`),
		expirationDate: isBlank(expirationDate)
			? defaultDate()
			: parseDate(expirationDate, `${parameter}: expirationDate`, now.zone),
	};
}

function parseStudents(value: unknown, parameter: string): unknown {
	if (typeof value !== 'string' || isBlank(value)) return value;
	const students = parseJson(value);
	if (students !== undefined) return students;
	throw new InvalidValueError(parameter, `is not valid JSON: ${quote(value)}`, EXAMPLE);
}
