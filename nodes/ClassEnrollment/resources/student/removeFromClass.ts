import { classField, readClassId } from '../../fields/class';
import { emailField, irreversibleNotice, readEmail } from '../../fields/student';
import type { Operation } from '../../execution/operation';
import { studentRequest } from './studentRequest';

export const removeFromClass: Operation = {
	name: 'Remove From Class',
	value: 'removeFromClass',
	action: 'Remove student from class',
	description: "End a student's access to a class. This cannot be undone.",
	request: {
		method: 'DELETE',
		path: '/classe/{id}/remove-student',
		likelyCauses:
			'Check the class and the email address. Most likely no class has this ID, or the student is not in it.',
	},
	fields: [irreversibleNotice, classField, emailField],
	execute: studentRequest((parameters) => {
		const classId = readClassId(parameters);
		const email = readEmail(parameters);
		return { classId, body: { email }, output: () => ({ deleted: true, email, classId }) };
	}),
};
