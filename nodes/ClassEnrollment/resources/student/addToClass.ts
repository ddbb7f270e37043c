import { classField } from '../../fields/class';
import { studentFields, studentInForm } from '../../fields/student';
import { eachItem } from '../../operation/eachRow';
import type { Operation } from '../../operation/operation';
import { enrollmentOutput, readEnrollment } from './enrollment';
import { batchHint, endedHint, neverEndsHint } from './hints';

export const addToClass: Operation = {
	name: 'Add to Class',
	value: 'addToClass',
	action: 'Add student to class',
	description: 'Give a student access to a class. A student who does not exist yet is created.',
	participle: 'added',
	endpoint: {
		method: 'POST',
		path: '/classe/{id}/add-student',
		isIdempotent: true,
		likelyCauses:
			"Check 'Class' and 'Email'. Most likely no class has this ID, or the service rejected the address.",
	},
	fields: [classField, ...studentFields],
	execute: eachItem((parameters) => readEnrollment(parameters, studentInForm(parameters))),
	output: enrollmentOutput,
	hints: [batchHint, endedHint, neverEndsHint],
};
