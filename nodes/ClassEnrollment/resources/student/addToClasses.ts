import { classesField, readClassIds } from '../../fields/class';
import { enrollmentOf, readStudent, studentFields } from '../../fields/student';
import type { Operation } from '../../execution/operation';
import { endedAccessHint, withHints } from './hints';
import { studentRequest } from './studentRequest';

export const addToClasses: Operation = {
	name: 'Add to Several Classes',
	value: 'addToClasses',
	action: 'Add student to several classes',
	description:
		'Give a student access to several classes in one request. A student who does not exist yet is created.',
	request: {
		method: 'POST',
		path: '/classe/add-student',
		likelyCauses:
			'Check the classes and the email address. Most likely no class has one of the IDs, or the service rejected the address.',
	},
	fields: [classesField, ...studentFields],
	execute: withHints(
		studentRequest((parameters) => {
			const classIds = readClassIds(parameters);
			const student = readStudent(parameters);
			return {
				body: { ...student, classes: classIds.map((id) => ({ id })) },
				output: () => enrollmentOf(student, { classIds }),
			};
		}),
		endedAccessHint,
	),
};
