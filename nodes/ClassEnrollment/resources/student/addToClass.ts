import { classField, readClassId } from '../../fields/class';
import { enrollmentOf, readStudent, studentFields } from '../../fields/student';
import type { Operation } from '../../execution/operation';
import { batchHint, endedAccessHint, withHints } from './hints';
import { studentRequest } from './studentRequest';

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
	execute: withHints(
		studentRequest((parameters) => {
			const classId = readClassId(parameters);
			const student = readStudent(parameters);
			return { classId, body: student, output: () => enrollmentOf(student, { classId }) };
		}),
		batchHint,
		endedAccessHint,
	),
};
