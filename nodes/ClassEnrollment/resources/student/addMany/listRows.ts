import get from 'lodash/get';
import type { DateTime } from 'luxon';
import { readExpirationDate } from '../../../fields/accessExpiration';
import { readClassId } from '../../../fields/class';
import { parseJson } from '../../../values/json';
import { parseEmail } from '../../../values/email';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { isBlank, parseOptionalText } from '../../../values/text';
import type { InputItem } from '../../../execution/operation';
import { once } from './once';
import { findOtherDate } from './otherDate';
import { readAll } from './readAll';
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
			'contains no students',
			from === 'list' ? 'Add at least one student.' : EXAMPLE,
		);
	}
	// Evaluating an expression takes longer than everything else here.
	const readClass = once(() => readClassId(parameters));
	const readDate = once(() => readExpirationDate(parameters));
	return students.map((value: unknown, index): CheckedRow => {
		const source = { itemIndex, number: index + 1 };
		try {
			const { email, name, expirationDate } = toFields(value, parameter, parameters.now);
			const { classId, ...student } = readAll<Student & { classId: string }>({
				classId: readClass,
				email: () => parseEmail(email, `${parameter}: email`),
				name: () => parseOptionalText(name, `${parameter}: name`),
				expirationDate: () =>
					isBlank(expirationDate)
						? readDate()
						: parseDate(expirationDate, `${parameter}: expirationDate`, parameters.now.zone),
			});
			return { ...source, batchSize, classId, student };
		} catch (error) {
			return { ...source, error };
		}
	});
}

function toFields(
	value: unknown,
	parameter: string,
	now: DateTime,
): Record<keyof Student, unknown> {
	if (typeof value !== 'object' || value === null) {
		throw new InvalidValueError(
			parameter,
			`must be an array of students, but contains ${quote(value)}`,
			'Each student is an object with an email and, optionally, a name and an expirationDate.',
		);
	}
	const { email, name, expirationDate, ...others } = value as Record<string, unknown>;
	const otherDate = findOtherDate(others, now);
	if (otherDate === undefined) return { email, name, expirationDate };
	throw new InvalidValueError(
		parameter,
		`has an unknown field ${quote(otherDate)}`,
		"Put the date in the field 'expirationDate'.",
	);
}

function parseStudents(value: unknown, parameter: string): unknown {
	if (typeof value !== 'string' || isBlank(value)) return value;
	const students = parseJson(value);
	if (students !== undefined) return students;
	throw new InvalidValueError(parameter, `is not valid JSON: ${quote(value)}`, EXAMPLE);
}
