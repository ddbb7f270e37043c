import get from 'lodash/get';
import { readExpirationDate } from '../../../fields/accessExpiration';
import { readClassId } from '../../../fields/class';
import type { ItemParameters } from '../../../fields/parameters';
import { readIfAny } from '../../../fields/identity';
import { mapDetails } from '../../../fields/student';
import { parseJson } from '../../../values/json';
import { parseEmail } from '../../../values/email';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError, quote } from '../../../values/invalidValue';
import { isBlank, parseOptionalText } from '../../../values/text';
import type { InputItem } from '../../../execution/operation';
import { once } from './once';
import { findOtherDate } from './otherDate';
import { readAll } from './readAll';
import { type CheckedRow, type RowReaders, STUDENT_KEYS, type StudentsFrom } from './students';

const EXAMPLE = 'For example: [{"name": "Student", "email": "student@example.com"}].';

type StudentJson = Record<string, unknown>;

type ListParameter = {
	parameter: string;
	/** What to do if it contains no students. */
	advice: string;
	read: (parameters: ItemParameters) => unknown;
};

const LISTS: Record<Exclude<StudentsFrom, 'inputItems'>, ListParameter> = {
	list: {
		parameter: 'Students',
		advice: 'Add at least one student.',
		read: (parameters) => get(parameters.get('students'), 'student'),
	},
	json: {
		parameter: 'Students (JSON)',
		advice: EXAMPLE,
		read: (parameters) => parseStudents(parameters.get('studentsJson')),
	},
};

/**
 * Reads the rows of a list of students in the parameters of one item.
 * @throws InvalidValueError if there is no list or it is empty
 */
export function readListRows(
	{ itemIndex, parameters }: InputItem,
	from: keyof typeof LISTS,
	batchSize: number,
): CheckedRow[] {
	const { parameter, advice, read } = LISTS[from];
	const students = read(parameters);
	if (!Array.isArray(students) && !isBlank(students)) {
		throw new InvalidValueError(parameter, `must be an array, but is ${quote(students)}`, EXAMPLE);
	}
	if (!Array.isArray(students) || students.length === 0) {
		throw new InvalidValueError(parameter, 'contains no students', advice);
	}
	const readers = createReaders(parameter, parameters);
	return students.map((student: unknown, index): CheckedRow => {
		const source = { itemIndex, number: index + 1 };
		try {
			const { classId, ...details } = readAll(readers, toObject(student, parameter));
			return { ...source, batchSize, classId, student: details };
		} catch (error) {
			const email: unknown = get(student, 'email');
			return { ...source, error, email, classId: readIfAny(() => readers.classId({})) };
		}
	});
}

function createReaders(parameter: string, parameters: ItemParameters): RowReaders<StudentJson> {
	const readDefaultDate = once(() => readExpirationDate(parameters));
	return {
		// Evaluating an expression takes longer than everything else here.
		classId: once(() => readClassId(parameters)),
		email: ({ email }) => parseEmail(email, `${parameter}: email`),
		...mapDetails(
			({ name }) =>
				(student) =>
					parseOptionalText(student[name], `${parameter}: ${name}`),
		),
		expirationDate: (student) => {
			const otherDate = findOtherDate(student, 'expirationDate', parameters.now);
			if (otherDate !== undefined) {
				throw new InvalidValueError(
					parameter,
					`has an unknown field ${quote(otherDate)}`,
					"Put the date in the field 'expirationDate'.",
				);
			}
			const date = student.expirationDate;
			if (isBlank(date)) return readDefaultDate();
			return parseDate(date, `${parameter}: expirationDate`, parameters.now.zone);
		},
	};
}

function toObject(student: unknown, parameter: string): StudentJson {
	if (typeof student === 'object' && student !== null) return student as StudentJson;
	throw new InvalidValueError(
		parameter,
		`must be an array of students, but contains ${quote(student)}`,
		`Each student is an object with ${STUDENT_KEYS}.`,
	);
}

function parseStudents(value: unknown): unknown {
	if (typeof value !== 'string' || isBlank(value)) return value;
	const students = parseJson(value);
	if (students !== undefined) return students;
	throw new InvalidValueError('Students (JSON)', `is not valid JSON: ${quote(value)}`, EXAMPLE);
}
