import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { addStudents } from '../../shared/bulk/addStudents';
import { STUDENTS_PER_REQUEST } from '../../shared/bulk/jobs';
import { STUDENTS_FROM, type StudentsFrom } from '../../shared/bulk/rows';
import {
	accessExpirationChoice,
	accessExpirationFields,
} from '../../shared/fields/accessExpiration';
import { classField } from '../../shared/fields/classes';
import { asCustomOperation, asRouting, type Endpoint, requestTo } from '../../shared/operation';
import { asObject } from '../../shared/values/json';
import { given } from '../../shared/values/given';

const operation = ['addManyToClass'];
const endpoint: Endpoint = { method: 'POST', url: '/classe/{id}/add-students' };
const show = { resource: ['student'], operation };
const showFrom = (...studentsFrom: StudentsFrom[]) => ({ ...show, studentsFrom });

const fieldOfInput = (
	field: Pick<INodeProperties, 'displayName' | 'name' | 'default' | 'description' | 'required'>,
	conditions: IDisplayOptions['show'] = {},
): INodeProperties => ({
	...field,
	type: 'string',
	requiresDataPath: 'single',
	displayOptions: { show: { ...showFrom('inputItems'), ...conditions } },
});

export const addManyToClassFields: INodeProperties[] = [
	classField(operation),
	{
		displayName: 'Students From',
		name: 'studentsFrom',
		type: 'options',
		options: [
			{
				name: STUDENTS_FROM.inputItems,
				value: 'inputItems',
				description: 'Every incoming item is a student, such as a row of a sheet',
			},
			{ name: STUDENTS_FROM.json, value: 'json', description: 'An array of students in one value' },
			{ name: STUDENTS_FROM.list, value: 'list', description: 'Students that you enter here' },
		],
		default: 'inputItems',
		displayOptions: { show },
	},
	fieldOfInput({
		displayName: 'Email Field',
		name: 'emailField',
		default: 'email',
		required: true,
		description: 'The name of the input field that holds the e-mail address',
	}),
	fieldOfInput({
		displayName: 'Name Field',
		name: 'nameField',
		default: 'name',
		description: 'The name of the input field that holds the name of the student',
	}),
	{
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
				values: [
					{
						displayName: 'Email',
						name: 'email',
						type: 'string',
						placeholder: 'name@email.com',
						default: '',
						required: true,
					},
					{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				],
			},
		],
		displayOptions: { show: showFrom('list') },
	},
	{
		displayName: 'Students (JSON)',
		name: 'studentsJson',
		type: 'json',
		default: '[]',
		required: true,
		hint: 'Such as [{"name": "Student", "email": "student@example.com"}]',
		description:
			'An array of objects with email and, if you like, name and expirationDate. A date here takes precedence over Access Expiration.',
		displayOptions: { show: showFrom('json') },
	},
	accessExpirationChoice(showFrom('inputItems'), true),
	accessExpirationChoice(showFrom('list', 'json')),
	...accessExpirationFields(operation),
	fieldOfInput(
		{
			displayName: 'Expiration Field',
			name: 'expirationField',
			default: 'expirationDate',
			required: true,
			description:
				'The name of the input field that holds the date on which access ends. Where it is empty, access never ends.',
		},
		{ accessExpiration: ['field'] },
	),
	{
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
				description: 'How many students to send in one request',
			},
		],
		displayOptions: { show },
	},
];

const run = addStudents(async (send, classId, students) => {
	const answer = await send({
		...requestTo(endpoint, classId),
		body: { students: students.map(given) },
		likelyCauses:
			'Check the class and the e-mail addresses: usually there is no class with this ID, or the service does not accept an address.',
	});
	return singleFields(asObject(answer));
});

export const addManyToClassOption: INodePropertyOptions = {
	name: 'Add Many to Class',
	value: 'addManyToClass',
	action: 'Add many students to class',
	description:
		'Give many students access to a class in few requests. Students who do not exist yet are created.',
	routing: asRouting(endpoint, run),
};

export const addManyToClass = asCustomOperation(run);

/** The fields of an answer for many students that fit into the item of one: those that are no lists or objects. */
function singleFields(answer: Record<string, unknown>) {
	return Object.fromEntries(
		Object.entries(answer).filter(([, value]) => typeof value !== 'object'),
	) as Record<string, string | number | boolean>;
}
