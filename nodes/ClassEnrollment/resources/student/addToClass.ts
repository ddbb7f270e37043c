import { classField, readClassId } from '../../fields/class';
import { enrollmentOf, readStudent, studentFields } from '../../fields/student';
import { STUDENTS_PER_REQUEST } from './addMany/students';
import type { Operation } from '../../execution/operation';
import { requestPerItem } from '../../execution/requestPerItem';

const HANDFUL_OF_STUDENTS = 10;

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
	execute: requestPerItem((parameters) => {
		const classId = readClassId(parameters);
		const student = readStudent(parameters);
		return {
			classId,
			body: student,
			output: () => enrollmentOf(student, { classId }),
		};
	}),
	advise: (output) => {
		const added = output.filter(({ json }) => json.success);
		const classIds = new Set(added.map(({ json }) => json.classId));
		if (added.length <= HANDFUL_OF_STUDENTS || classIds.size > 1) return undefined;
		return `Sent one request per student (${added.length}). 'Add Many to Class' sends up to ${STUDENTS_PER_REQUEST} per request and is much faster.`;
	},
};
