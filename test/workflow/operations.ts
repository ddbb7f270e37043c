import type { INodeParameters } from 'n8n-workflow';

/** Classes to put students into. */
export const PYTHON = { id: 'c0ffee00-0000-4000-8000-000000000001', name: 'Python' };
export const RUST = { id: 'c0ffee00-0000-4000-8000-000000000002', name: 'Rust' };

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;

/** The parameter with which each item has a student of its own. */
export const EMAIL_OF_ITEM = { email: '={{ $json.email }}' };
export const ONE_BY_ONE = { requestOptions: { maxConcurrentRequests: 1 } };

/** The numbers from 0 on. */
export const indexes = (count: number) => [...Array(count).keys()];
export const emailOf = (n: number) => `student-${n}@example.com`;

/** Input items, a student each. */
export const rows = (count: number) => indexes(count).map((n) => ({ email: emailOf(n) }));

// Of jest's own kind, also where there is no jest.
const SOME_TEXT = { asymmetricMatch: (value: unknown) => typeof value === 'string' };

type Refused = [parameters: INodeParameters, message: string, advice?: string];

interface Description {
	/** Whether it only reads, changes nothing more the second time, or does harm then, as with a second email. */
	kind: 'read' | 'repeatable' | 'once';
	/** The least with which it succeeds for `student@example.com`, who is in both classes: each of these is required. */
	valid: INodeParameters;
	/** Parameters, besides the valid ones, that bring out everything it can send and return. */
	everything: INodeParameters;
	/** What it sends then. */
	request: { method: string; path: string; query?: Record<string, string>; body?: unknown };
	/** What comes out then. */
	output: Record<string, unknown>;
	/** Wrong values, what is said about them, and advised. That every field refuses an object is tested anyway, and what else it refuses in unit/values. */
	refused?: Refused[];
}

const email = 'student@example.com';
const { id } = PYTHON;
const classes = [{ id }, { id: RUST.id }];
const classIds = [id, RUST.id];
const expirationDate = '2027-01-31T03:00:00.000Z';
const onDate = { accessExpiration: 'date', expirationDate: '2027-01-31' };
const redirectUrl = 'https://example.com/welcome?x=1';

const atLeast = (n: number, but: string) =>
	`must be a whole number, ${n} or greater, but is "${but}"`;
const list = (...student: INodeParameters[]) => ({ studentsFrom: 'list', students: { student } });
const json = (studentsJson: string) => ({ studentsFrom: 'json', studentsJson });
const EXAMPLE = 'For example: [{"name": "Student", "email": "student@example.com"}].';
const NO_FIELD = 'but no input item has a field with that name';
const NEVER = "set 'Access Expiration' to 'Never'.";
/** Nobody gets access for life because a date is empty. */
const NO_DATE: Refused = [
	{ accessExpiration: 'date', expirationDate: '' },
	"'Expiration Date' is empty",
	NEVER,
];
const NOT_OF_FIELD: Refused = [
	{ accessExpiration: 'field' },
	`'Access Expiration' has no option "field"`,
];

/** Every operation of the node, by resource. What is tested of all operations is tested of these. */
const TABLE: Record<string, Record<string, Description>> = {
	class: {
		getAll: {
			kind: 'read',
			valid: {},
			everything: {
				limit: 5,
				filters: { query: ' Python ' },
				options: { pageSize: 20, sortBy: 'name' },
			},
			request: {
				method: 'GET',
				path: '/classe',
				query: { query: 'Python', pageSize: '5', sortBy: 'name' },
			},
			output: { ...PYTHON, createdAt: SOME_TEXT, updatedAt: SOME_TEXT, countStudents: 1 },
			refused: [
				[{ limit: 0 }, `'Limit' ${atLeast(1, '0')}`],
				[{ options: { page: -1 } }, `'Page' ${atLeast(0, '-1')}`],
				[{ options: { pageSize: 0 } }, `'Page Size' ${atLeast(1, '0')}`],
			],
		},
	},
	student: {
		addToClass: {
			kind: 'repeatable',
			valid: { classId: byId(id), email },
			everything: { name: ' Student Ünï ', ...onDate },
			request: {
				method: 'POST',
				path: `/classe/${id}/add-student`,
				body: { name: 'Student Ünï', email, expirationDate },
			},
			output: { success: true, email, name: 'Student Ünï', classId: id, expirationDate },
			refused: [NO_DATE, NOT_OF_FIELD],
		},
		addToClasses: {
			kind: 'repeatable',
			valid: { classIds, email },
			everything: { name: 'Student', ...onDate },
			request: {
				method: 'POST',
				path: '/classe/add-student',
				body: { name: 'Student', email, classes, expirationDate },
			},
			output: { success: true, email, name: 'Student', classIds, expirationDate },
			refused: [NO_DATE, NOT_OF_FIELD],
		},
		addManyToClass: {
			kind: 'repeatable',
			valid: { classId: byId(id) },
			everything: {
				studentsFrom: 'json',
				studentsJson: JSON.stringify([{ email, name: 'Student', expirationDate: '2027-01-31' }]),
			},
			request: {
				method: 'POST',
				path: `/classe/${id}/add-students`,
				body: { students: [{ name: 'Student', email, expirationDate }] },
			},
			output: { success: true, email, name: 'Student', classId: id, expirationDate },
			refused: [
				[
					list({ email, name: '={{ "A" + String.fromCharCode(0) }}' }),
					"'Students: name' contains the control character U+0000",
				],
				[{ nameField: 'nome' }, `'Name Field' is "nome", ${NO_FIELD}`, 'Available fields: email.'],
				[
					{ accessExpiration: 'field', expirationField: 'ends' },
					`'Expiration Field' is "ends", ${NO_FIELD}`,
					'Available fields: email.',
				],
				[
					{ options: { batchSize: 0 } },
					`'Batch Size' ${atLeast(1, '0')}`,
					'Enter a whole number, 1 or greater.',
				],
				[list(), "'Students' contains no students", 'Add at least one student.'],
				[list({ email: ' ' }), "'Students: email' is empty [student 1 of item 0]"],
				[json('[]'), "'Students (JSON)' contains no students", EXAMPLE],
				[json('{"a": '), `'Students (JSON)' is not valid JSON: "{"a": "`, EXAMPLE],
				[json('{"students": []}'), "'Students (JSON)' must be an array, but is ", EXAMPLE],
				[json(`["${email}"]`), "'Students (JSON)' must contain objects, but has ", EXAMPLE],
				[
					json(`[{"email": "${email}", "expires": "2027-01-31"}]`),
					'has an unknown field "expires"',
					'Use only email and, optionally, name and expirationDate.',
				],
				NO_DATE,
			],
		},
		removeFromClass: {
			kind: 'repeatable',
			valid: { classId: byId(id), email },
			everything: {},
			request: { method: 'DELETE', path: `/classe/${id}/remove-student`, body: { email } },
			output: { deleted: true, email, classId: id },
		},
		removeFromClasses: {
			kind: 'repeatable',
			valid: { classIds, email },
			everything: {},
			request: { method: 'DELETE', path: '/classe/remove-student', body: { email, classes } },
			output: { deleted: true, email, classIds },
		},
		sendMagicLink: {
			kind: 'once',
			valid: { email },
			everything: { redirectUrl: ` ${redirectUrl} ` },
			request: { method: 'POST', path: '/magic-link', body: { email, redirectUrl } },
			output: { success: true, email, redirectUrl, expiresAt: SOME_TEXT },
		},
	},
};

export interface TestedOperation extends Description {
	/** Such as `student addToClass`. */
	name: string;
	resource: string;
	operation: string;
	/** Parameters, besides the valid ones, with which each item is about the student in its field `email`. */
	ofItem: INodeParameters;
}

export const OPERATIONS: TestedOperation[] = Object.entries(TABLE).flatMap(
	([resource, operations]) =>
		Object.entries(operations).map(([operation, description]) => ({
			name: `${resource} ${operation}`,
			resource,
			operation,
			ofItem: 'email' in description.valid ? EMAIL_OF_ITEM : {},
			...description,
		})),
);
export const ADDITIONS = ['addToClass', 'addToClasses', 'addManyToClass'];
export const WRITES = OPERATIONS.filter(({ kind }) => kind !== 'read');
export const STUDENT_WRITES = WRITES.filter(({ resource }) => resource === 'student');

/** An operation by its name, such as `student addToClass`. */
export const operationOf = (name: string) =>
	OPERATIONS.find((operation) => operation.name === name)!;
