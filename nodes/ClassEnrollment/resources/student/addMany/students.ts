import { detailFields, type Student } from '../../../fields/student';
import type { Readers } from './readAll';

export type { Student };

/** Where the students of Add Many come from. */
export const STUDENTS_FROM = [
	{
		name: 'Input Items',
		value: 'inputItems',
		description: 'Use each input item as a student, e.g. a spreadsheet row',
	},
	{ name: 'JSON', value: 'json', description: 'Provide a JSON array' },
	{ name: 'List', value: 'list', description: 'Enter the students here' },
] as const;

export type StudentsFrom = (typeof STUDENTS_FROM)[number]['value'];

/** How many students to send in one request by default. */
export const STUDENTS_PER_REQUEST = 100;

/** What a student in JSON consists of, in words. */
export const STUDENT_KEYS = `email and, optionally, ${detailFields.map(({ name }) => name).join(', ')} and expirationDate`;

/** How to read the parts of a row from its source. */
export type RowReaders<Source> = Readers<Source, Student & { classId: string }>;

/** Where a row comes from. */
export interface RowSource {
	itemIndex: number;
	/** Its number in the item's list of students, counted from 1; without it, the item itself is the row. */
	number?: number;
}

/** A student to be added to a class, that passed all checks. */
export interface Row extends RowSource {
	classId: string;
	student: Student;
	/** At most how many students its request may contain. */
	batchSize: number;
}

/** A row that cannot be used, why, and whose it is as far as that can be read. */
export interface InvalidRow extends RowSource {
	error: unknown;
	email?: unknown;
	classId?: string;
}

export type CheckedRow = Row | InvalidRow;
