import { classField, readClassId } from '../../fields/class';
import { emailField, irreversibleNotice, readEmail } from '../../fields/student';
import { eachItem } from '../../operation/eachRow';
import type { Operation } from '../../operation/operation';
import { readValues } from '../../values/readValues';

export const removeFromClass: Operation = {
	name: 'Remove From Class',
	value: 'removeFromClass',
	action: 'Remove student from class',
	description: 'Remove a student from a class. This is irreversible: the student loses access.',
	participle: 'removed',
	endpoint: {
		method: 'DELETE',
		path: '/classe/{id}/remove-student',
		isIdempotent: true,
		likelyCauses:
			"Check 'Class' and 'Email'. Most likely no class has this ID, or the student isn't in it.",
	},
	adviceIfStopped:
		"If an earlier attempt removed the student, set 'On Error' to 'Continue' to skip this item.",
	fields: [irreversibleNotice, classField, emailField],
	execute: eachItem((parameters) =>
		readValues({
			email: () => readEmail(parameters),
			classId: () => readClassId(parameters),
		}),
	),
	output: ({ email, classId }) => ({ deleted: true, email, classId }),
};
