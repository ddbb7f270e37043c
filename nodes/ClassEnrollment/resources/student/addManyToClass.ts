import type { INodeProperties } from 'n8n-workflow';
import { accessExpirationFieldsOfMany } from '../../fields/accessExpiration';
import { propertyHint } from '../../fields/builderHint';
import { classField } from '../../fields/class';
import { emailField, nameField } from '../../fields/student';
import { eachRow } from '../../operation/eachRow';
import type { Operation } from '../../operation/operation';
import { toShownOptions } from '../../values/choice';
import { findStudents, STUDENTS_FROM, STUDENTS_PER_REQUEST } from './addMany/studentsFrom';
import { STUDENT_KEYS, STUDENTS_EXAMPLE } from './addMany/studentLists';
import { enrollmentOutput } from './enrollment';
import { endedHint, neverEndsHint } from './hints';

const studentsFromField: INodeProperties = {
	displayName: 'Students From',
	name: 'studentsFrom',
	type: 'options',
	options: toShownOptions(STUDENTS_FROM),
	default: 'inputItems',
	...propertyHint(
		"As a tool of an AI agent, use 'json': there are no input items. Students whom an earlier node returns are input items.",
	),
};

const textFields = [emailField, nameField];

const inputFields = textFields.map(({ name, displayName, required }): INodeProperties => ({
	displayName: `${displayName} Field`,
	name: `${name}Field`,
	type: 'string',
	requiresDataPath: 'single',
	default: name,
	required,
	description: `The name of the input field that contains the student's ${displayName.toLowerCase()}`,
	displayOptions: { show: { studentsFrom: ['inputItems'] } },
}));

const studentsField: INodeProperties = {
	displayName: 'Students',
	name: 'students',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Student',
	default: {},
	options: [
		{
			displayName: 'Student',
			name: 'student',
			values: textFields.map(({ description, ...field }) => field),
		},
	],
	displayOptions: { show: { studentsFrom: ['list'] } },
};

const studentsJsonField: INodeProperties = {
	displayName: 'Students (JSON)',
	name: 'studentsJson',
	type: 'json',
	// Not an empty list: what is pasted would come after it.
	default: '',
	required: true,
	hint: STUDENTS_EXAMPLE,
	description: `A list of students with ${STUDENT_KEYS}. A date here overrides 'Access Expiration'.`,
	displayOptions: { show: { studentsFrom: ['json'] } },
};

const dateField: INodeProperties = {
	displayName: 'Expiration Field',
	name: 'expirationField',
	type: 'string',
	requiresDataPath: 'single',
	default: 'expirationDate',
	required: true,
	description:
		"The name of the input field with the date when access ends. If an item's date is empty, access never ends.",
	displayOptions: { show: { studentsFrom: ['inputItems'], accessExpiration: ['field'] } },
};

const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Batch Size',
			name: 'batchSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: STUDENTS_PER_REQUEST,
			description: 'Maximum number of students per request',
		},
	],
};

export const addManyToClass: Operation = {
	name: 'Add Many to Class',
	value: 'addManyToClass',
	action: 'Add many students to class',
	description:
		'Give many students access to a class, in batches. Students who do not exist yet are created.',
	participle: 'added',
	endpoint: {
		method: 'POST',
		path: '/classe/{id}/add-students',
		isIdempotent: true,
		likelyCauses:
			"Check 'Class' and the email addresses. Most likely no class has this ID, or the service rejected an address.",
	},
	adviceIfStopped: "Set 'On Error' to 'Continue' to find what is rejected, and add the others.",
	fields: [
		classField,
		studentsFromField,
		...inputFields,
		studentsField,
		studentsJsonField,
		...accessExpirationFieldsOfMany,
		dateField,
		optionsField,
	],
	execute: eachRow(findStudents),
	output: enrollmentOutput,
	hints: [endedHint, neverEndsHint],
};
