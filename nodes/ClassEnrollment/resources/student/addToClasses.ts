import { classesField, readClassIds } from '../../fields/class';
import { studentFields, studentInForm } from '../../fields/student';
import { eachItem } from '../../operation/eachRow';
import type { Operation } from '../../operation/operation';
import { readValues } from '../../values/readValues';
import { endedHint, neverEndsHint } from './hints';

export const addToClasses: Operation = {
	name: 'Add to Several Classes',
	value: 'addToClasses',
	action: 'Add student to several classes',
	description:
		'Give a student access to several classes in one request. A student who does not exist yet is created.',
	participle: 'added',
	endpoint: {
		method: 'POST',
		path: '/classe/add-student',
		isIdempotent: true,
		likelyCauses:
			"Check 'Class Names or IDs' and 'Email'. Most likely no class has one of the IDs, or the service rejected the address.",
	},
	fields: [classesField, ...studentFields],
	execute: eachItem((parameters) => {
		const { email, classIds, ...values } = readValues({
			classIds: () => readClassIds(parameters),
			...studentInForm(parameters),
		});
		return { email, classIds, values };
	}),
	output: ({ email, classIds }, { name, expirationDate }) => {
		return { success: true, email, name, classIds, expirationDate };
	},
	hints: [endedHint, neverEndsHint],
};
