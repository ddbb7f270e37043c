import { classField, readClassId } from '../../fields/class';
import type { ItemParameters } from '../../fields/parameters';
import { enrollmentOf, readStudent, studentFields } from '../../fields/student';
import type { Operation } from '../../execution/operation';
import { requestPerRow, type RowRequest } from '../../execution/requestPerRow';
import { readAll } from '../../values/readAll';
import { batchHint, endedAccessHint } from './hints';

export const addToClass: Operation = {
	name: 'Add to Class',
	value: 'addToClass',
	action: 'Add student to class',
	description: 'Give a student access to a class. A student who does not exist yet is created.',
	request: {
		method: 'POST',
		path: '/classe/{id}/add-student',
		likelyCauses:
			'Check the class and the email address. Most likely no class has this ID, or the service rejected the address.',
	},
	fields: [classField, ...studentFields],
	execute: requestPerRow(readEnrollment),
	hints: [batchHint, endedAccessHint],
};

/** Reads which student to add to which class; throws InvalidValueError that names all values that cannot be used. */
export function readEnrollment(parameters: ItemParameters): RowRequest {
	const readers = { classId: readClassId, student: readStudent };
	const { classId, student } = readAll(readers, parameters);
	return {
		path: { id: classId },
		body: student,
		subject: student.email,
		output: (body) => enrollmentOf(body, { classId }),
	};
}
