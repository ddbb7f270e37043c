import { classesField, readClassIds } from '../../fields/class';
import { enrollmentOf, readStudent, studentFields } from '../../fields/student';
import type { Operation } from '../../execution/operation';
import { requestPerRow } from '../../execution/requestPerRow';
import { readAll } from '../../values/readAll';
import { endedAccessHint } from './hints';

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
	execute: requestPerRow((parameters) => {
		const readers = { classIds: readClassIds, student: readStudent };
		const { classIds, student } = readAll(readers, parameters);
		return {
			body: { ...student, classes: classIds.map((id) => ({ id })) },
			subject: student.email,
			output: ({ classes, ...body }) => enrollmentOf(body, { classIds }),
		};
	}),
	hints: [endedAccessHint],
};
