import { classesField, readClassIds } from '../../fields/class';
import { emailField, irreversibleNotice, readEmail } from '../../fields/student';
import { eachItem } from '../../operation/eachRow';
import type { Operation } from '../../operation/operation';
import { readValues } from '../../values/readValues';

export const removeFromClasses: Operation = {
	name: 'Remove From Several Classes',
	value: 'removeFromClasses',
	action: 'Remove student from several classes',
	description:
		'Remove a student from several classes in one request. This is irreversible: the student loses access.',
	participle: 'removed',
	endpoint: {
		method: 'DELETE',
		path: '/classe/remove-student',
		isIdempotent: true,
		likelyCauses:
			"Check 'Class Names or IDs' and 'Email'. Most likely no class has one of the IDs, or the student isn't in one of them. If the student is no longer in some of them, leave those out.",
	},
	fields: [irreversibleNotice, classesField, emailField],
	execute: eachItem((parameters) =>
		readValues({
			email: () => readEmail(parameters),
			classIds: () => readClassIds(parameters),
		}),
	),
	output: ({ email, classIds }) => ({ deleted: true, email, classIds }),
};
