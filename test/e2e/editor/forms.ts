import type { Field } from './details';

/** What the form of an operation shows below Operation. */
export interface Form {
	title: string;
	parameters: { resource: 'class' | 'student'; operation: string; [parameter: string]: unknown };
	notice?: string;
	fields: Field[];
}

const ONE_CLASS: Field = {
	label: 'Class',
	description: 'Choose a class from the list, or specify its ID',
};
const SEVERAL_CLASSES: Field = {
	label: 'Class Names or IDs',
	description: 'Choose from the list, or specify IDs using an expression',
};
const EMAIL: Field = {
	label: 'Email',
	description: 'Identifies the student',
};
const NAME: Field = {
	label: 'Name',
	description: 'Used if the student does not exist yet',
};
const ACCESS_EXPIRATION: Field = {
	label: 'Access Expiration',
	description: 'When access to the class ends',
};
const EXPIRATION_DATE: Field = {
	label: 'Expiration Date',
	description:
		"When access ends. A date without a time means the start of that day. A date without a time zone uses the workflow's time zone.",
};
const DURATION: Field[] = [
	{
		label: 'Duration',
		description: 'Number of days, weeks, months or years until access ends',
	},
	{ label: 'Duration Unit' },
];
const STUDENTS_FROM: Field = { label: 'Students From' };
const FIELDS_OF_INPUT: Field[] = [
	{
		label: 'Email Field',
		description: 'The name of the input field that contains the email address',
	},
	{
		label: 'Name Field',
		description: "The name of the input field that contains the student's name",
	},
];
const OPTIONS: Field = { label: 'Options' };
const CANNOT_BE_UNDONE =
	'The student loses access at once. To give it back, add the student to the class again.';

/** The fields of all operations. */
export const COMMON_FIELDS: Field[] = [
	{ label: 'Credential' },
	{ label: 'Resource' },
	{ label: 'Operation' },
];

/** Every operation, also with the fields that depend on an option. */
export const FORMS: Form[] = [
	{
		title: 'Get Many',
		parameters: { resource: 'class', operation: 'getAll' },
		fields: [
			{
				label: 'Return All',
				description: 'Whether to return all results or only up to a given limit',
			},
			{ label: 'Limit', description: 'Max number of results to return' },
			{ label: 'Filters' },
			OPTIONS,
		],
	},
	{
		title: 'Add to Class',
		parameters: { resource: 'student', operation: 'addToClass' },
		fields: [ONE_CLASS, EMAIL, NAME, ACCESS_EXPIRATION],
	},
	{
		title: 'Add to Class until a date',
		parameters: { resource: 'student', operation: 'addToClass', accessExpiration: 'date' },
		fields: [ONE_CLASS, EMAIL, NAME, ACCESS_EXPIRATION, EXPIRATION_DATE],
	},
	{
		title: 'Add to Several Classes',
		parameters: { resource: 'student', operation: 'addToClasses' },
		fields: [SEVERAL_CLASSES, EMAIL, NAME, ACCESS_EXPIRATION],
	},
	{
		title: 'Add to Several Classes for a duration',
		parameters: { resource: 'student', operation: 'addToClasses', accessExpiration: 'duration' },
		fields: [SEVERAL_CLASSES, EMAIL, NAME, ACCESS_EXPIRATION, ...DURATION],
	},
	{
		title: 'Add Many to Class',
		parameters: { resource: 'student', operation: 'addManyToClass' },
		fields: [ONE_CLASS, STUDENTS_FROM, ...FIELDS_OF_INPUT, ACCESS_EXPIRATION, OPTIONS],
	},
	{
		title: 'Add Many to Class with a date for each',
		parameters: { resource: 'student', operation: 'addManyToClass', accessExpiration: 'field' },
		fields: [
			ONE_CLASS,
			STUDENTS_FROM,
			...FIELDS_OF_INPUT,
			ACCESS_EXPIRATION,
			{
				label: 'Expiration Field',
				description:
					'The name of the input field that contains the date on which access ends. An item without a date gets access that never ends.',
			},
			OPTIONS,
		],
	},
	{
		title: 'Add Many to Class from a list',
		parameters: { resource: 'student', operation: 'addManyToClass', studentsFrom: 'list' },
		fields: [ONE_CLASS, STUDENTS_FROM, { label: 'Students' }, ACCESS_EXPIRATION, OPTIONS],
	},
	{
		title: 'Add Many to Class from JSON',
		parameters: { resource: 'student', operation: 'addManyToClass', studentsFrom: 'json' },
		fields: [
			ONE_CLASS,
			STUDENTS_FROM,
			{
				label: 'Students (JSON)',
				description:
					'An array of objects with email and, optionally, name and expirationDate. A date here overrides Access Expiration.',
			},
			ACCESS_EXPIRATION,
			OPTIONS,
		],
	},
	{
		title: 'Remove From Class',
		parameters: { resource: 'student', operation: 'removeFromClass' },
		notice: CANNOT_BE_UNDONE,
		fields: [ONE_CLASS, EMAIL],
	},
	{
		title: 'Remove From Several Classes',
		parameters: { resource: 'student', operation: 'removeFromClasses' },
		notice: CANNOT_BE_UNDONE,
		fields: [SEVERAL_CLASSES, EMAIL],
	},
	{
		title: 'Send Magic Link',
		parameters: { resource: 'student', operation: 'sendMagicLink' },
		fields: [
			EMAIL,
			{
				label: 'Redirect URL',
				description: 'The full address of the page that opens after sign-in',
			},
		],
	},
];

/** The option that n8n adds to every node with a credential that other nodes may use. */
const CUSTOM_API_CALL: Field = { label: 'Custom API Call' };

/** The options of Operation for students. */
export const STUDENT_OPERATIONS: Field[] = [
	{
		label: 'Add Many to Class',
		description:
			'Give many students access to a class, in batches. Students who do not exist yet are created.',
	},
	{
		label: 'Add to Class',
		description: 'Give a student access to a class. A student who does not exist yet is created.',
	},
	{
		label: 'Add to Several Classes',
		description:
			'Give a student access to several classes in one request. A student who does not exist yet is created.',
	},
	{
		label: 'Remove From Class',
		description: "End a student's access to a class. This cannot be undone.",
	},
	{
		label: 'Remove From Several Classes',
		description: "End a student's access to several classes in one request. This cannot be undone.",
	},
	{
		label: 'Send Magic Link',
		description:
			'Email a student a link that signs them in without a password. It is valid for 24 hours and not available for administrative accounts.',
	},
	CUSTOM_API_CALL,
];

const ENROLLED = ['success', 'email', 'name', 'classId', 'expirationDate'];

/** The output fields of every operation. */
export const OUTPUTS: Record<string, string[]> = {
	getAll: ['id', 'name', 'createdAt', 'updatedAt', 'countStudents'],
	addToClass: ENROLLED,
	addToClasses: ['success', 'email', 'name', 'classIds', 'expirationDate'],
	addManyToClass: ENROLLED,
	removeFromClass: ['deleted', 'email', 'classId'],
	removeFromClasses: ['deleted', 'email', 'classIds'],
	sendMagicLink: ['success', 'email', 'redirectUrl', 'expiresAt'],
};

/** The form of the trigger. */
export interface TriggerForm {
	title: string;
	parameters: object;
	/** What stands below the name of the node on the canvas. */
	subtitle: string;
	fields: Field[];
}

/** The first fields of the trigger. Those about polling are n8n's. */
const TRIGGER_COMMON_FIELDS: Field[] = [
	{ label: 'Credential' },
	{ label: 'Poll Times', description: 'Time at which polling should occur' },
	{ label: 'Mode', description: 'How often to trigger.' },
	{ label: 'Trigger On' },
];

const DIRECTION: Field = {
	label: 'Direction',
	description: 'Which changes in the number of students start the workflow',
};

/** The trigger with every event. */
export const TRIGGER_FORMS: TriggerForm[] = [
	{
		title: 'Created',
		parameters: { event: 'classCreated' },
		subtitle: 'Class Created',
		fields: [...TRIGGER_COMMON_FIELDS, { label: 'Filters' }],
	},
	{
		title: 'Updated',
		parameters: { event: 'classUpdated' },
		subtitle: 'Class Updated',
		fields: [...TRIGGER_COMMON_FIELDS, { label: 'Filters' }],
	},
	{
		title: 'Count',
		parameters: { event: 'studentCountChanged' },
		subtitle: 'Student Count Changed',
		fields: [...TRIGGER_COMMON_FIELDS, DIRECTION, { label: 'Filters' }],
	},
	{
		title: 'Count with a filter',
		parameters: { event: 'studentCountChanged', filters: { query: 'Python' } },
		subtitle: 'Student Count Changed',
		fields: [
			...TRIGGER_COMMON_FIELDS,
			DIRECTION,
			{ label: 'Filters' },
			{ label: 'Name Contains', description: 'Only classes whose name contains this text' },
		],
	},
];

/** The options of Trigger On. */
export const TRIGGER_EVENTS: Field[] = [
	{ label: 'Class Created', description: 'When a class is created' },
	{ label: 'Class Updated', description: 'When an existing class is changed' },
	{
		label: 'Student Count Changed',
		description: 'When the number of students in a class changes',
	},
];
