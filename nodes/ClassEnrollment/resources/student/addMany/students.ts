/** Where the students of Add Many come from, as the editor shows it. */
export const STUDENTS_FROM = {
	inputItems: 'Input Items',
	list: 'List',
	json: 'JSON',
} as const;

export type StudentsFrom = keyof typeof STUDENTS_FROM;

/** How many students to send in one request if the user does not say. */
export const STUDENTS_PER_REQUEST = 100;

/** A student as the service takes it (interface, section 2). */
export type Student = {
	email: string;
	name?: string;
	expirationDate?: string;
};

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

/** A row that cannot be used, and why. */
export interface InvalidRow extends RowSource {
	error: unknown;
}

export type CheckedRow = Row | InvalidRow;
