import type { INodeParameters } from 'n8n-workflow';
import { WAY } from './engine';
import {
	byId,
	jsonOf,
	OPERATIONS,
	PYTHON,
	RUST,
	shownFields,
	STUDENT_WRITES,
	useService,
} from './fixture';

type Case = [
	operation: string,
	parameters: INodeParameters,
	message: string | RegExp,
	advice: string,
];

const FROM_LIST = { studentsFrom: 'list' };
const FROM_JSON = { studentsFrom: 'json' };
const DURATION = { accessExpiration: 'duration' };
const EXAMPLE = 'For example: [{"name": "Student", "email": "student@example.com"}].';
const A_STUDENT = 'Each student is an object with email and, optionally, name and expirationDate.';
const A_DATE = 'Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z.';
const NEVER = "To give access that never ends, set 'Access Expiration' to 'Never'.";
const A_CHOICE = 'Choose one of: duration (After a Duration), none (Never), date (On a Date)';

/** One wrong value for each parameter of each operation. All wrong values are in the unit tests. */
const CASES: Case[] = [
	...['addToClass', 'addToClasses', 'removeFromClass', 'removeFromClasses', 'sendMagicLink'].map(
		(operation): Case => [
			operation,
			{ email: '={{ $json.missing }}' },
			"'Email' is empty",
			"Enter the student's email address, or check the expression.",
		],
	),
	...['addToClass', 'addManyToClass', 'removeFromClass'].flatMap((operation): Case[] => [
		[
			operation,
			{ classId: byId('={{ ".." }}') },
			`'Class' cannot be ".."`,
			'Choose a class from the list, or enter its ID.',
		],
		[
			operation,
			{ classId: byId('={{ {} }} ') },
			`'Class' is "[object Object]", which is not an ID`,
			'Make the expression return only the ID.',
		],
		[
			operation,
			{ classId: '={{ null }}' },
			"'Class' is empty",
			'Choose a class from the list, or enter its ID.',
		],
	]),
	...['addToClasses', 'removeFromClasses'].map((operation): Case => [
		operation,
		{ classIds: '={{ [] }}' },
		"'Class Names or IDs' contains no classes",
		'Choose at least one class, or provide IDs with an expression.',
	]),
	...['addToClass', 'addToClasses'].flatMap((operation): Case[] => [
		[
			operation,
			{ accessExpiration: 'field' },
			`'Access Expiration' has no option "field"`,
			`${A_CHOICE}.`,
		],
		[
			operation,
			{ name: '={{ {} }}' },
			`'Name' must be text, but is "{}"`,
			'Make the expression return one text value.',
		],
	]),
	...['addToClass', 'addToClasses', 'addManyToClass'].flatMap((operation): Case[] => [
		[
			operation,
			{ accessExpiration: '={{ null }}' },
			`'Access Expiration' has no option ""`,
			`${A_CHOICE}${operation === 'addManyToClass' ? ', field (On a Date From the Input)' : ''}.`,
		],
		[
			operation,
			{ accessExpiration: 'date', expirationDate: '' },
			"'Expiration Date' is empty",
			`Enter a date. ${NEVER}`,
		],
		[
			operation,
			{ accessExpiration: 'date', expirationDate: '={{ DateTime.fromISO("nonsense") }}' },
			`'Expiration Date' is not a date: "Invalid DateTime"`,
			A_DATE,
		],
		[
			operation,
			{ ...DURATION, durationAmount: '={{ null }}' },
			`'Duration' must be a whole number, 1 or greater, but is ""`,
			'Enter 1 or more.',
		],
		[
			operation,
			{ ...DURATION, durationUnit: '={{ "eons" }}' },
			`'Duration Unit' has no option "eons"`,
			'Choose one of: days (Days), weeks (Weeks), months (Months), years (Years).',
		],
	]),
	[
		'sendMagicLink',
		{ redirectUrl: '/welcome' },
		`'Redirect URL' is not a valid URL: "/welcome"`,
		'Enter a full address starting with https:// or http://, or leave the field empty.',
	],
	[
		'addManyToClass',
		{ studentsFrom: '={{ "nowhere" }}' },
		`'Students From' has no option "nowhere"`,
		'Choose one of: inputItems (Input Items), json (JSON), list (List).',
	],
	[
		'addManyToClass',
		{ emailField: ' ' },
		"'Email Field' is empty",
		'Enter the name of a field of the input items, or drag the field from the input.',
	],
	[
		'addManyToClass',
		{ emailField: 'mail' },
		`'Email Field' is "mail", but no input item has a field with that name`,
		'Available fields: email.',
	],
	[
		'addManyToClass',
		{ accessExpiration: 'field', expirationField: 'ends' },
		`'Expiration Field' is "ends", but no input item has a field with that name`,
		"Drag in the input field that contains the dates, or set 'Access Expiration' to 'Never'.",
	],
	[
		'addManyToClass',
		{ accessExpiration: 'field', expirationField: 'email' },
		`The field 'email' does not contain a date: "student@example.com"`,
		A_DATE,
	],
	[
		'addManyToClass',
		{ options: { batchSize: 0 } },
		`'Batch Size' must be a whole number, 1 or greater, but is "0"`,
		'Enter 1 or more.',
	],
	['addManyToClass', FROM_LIST, "'Students' contains no students", 'Add at least one student.'],
	[
		'addManyToClass',
		{ ...FROM_LIST, students: { student: [{ email: ' ' }] } },
		/^'Students: email' is empty \[student 1 of item 0\]$/,
		"Enter the student's email address, or check the expression.",
	],
	...(
		[
			['[]', "'Students (JSON)' contains no students", EXAMPLE],
			['={{ null }}', "'Students (JSON)' contains no students", EXAMPLE],
			['{"a": ', `'Students (JSON)' is not valid JSON: "{"a": "`, EXAMPLE],
			['{"students": []}', `'Students (JSON)' must be an array, but is `, EXAMPLE],
			[
				'["a@example.com"]',
				`'Students (JSON)' must be an array of students, but contains "a@example.com"`,
				A_STUDENT,
			],
			['[null]', `'Students (JSON)' must be an array of students, but contains "null"`, A_STUDENT],
			[
				'[{"email": "x@example.com", "expirationDate": "soon"}]',
				`'Students (JSON): expirationDate' is not a date: "soon"`,
				A_DATE,
			],
			...['expirationdate', 'expiration_date', 'expires'].map((key) => [
				`[{"email": "x@example.com", "${key}": "2027-01-31"}]`,
				`'Students (JSON)' has an unknown field "${key}"`,
				"Put the date in the field 'expirationDate'.",
			]),
		] as Array<[string, string, string]>
	).map(([studentsJson, ...says]): Case => [
		'addManyToClass',
		{ ...FROM_JSON, studentsJson },
		...says,
	]),
	...['addToClass', 'addManyToClass'].flatMap((operation) =>
		(
			[
				[{ maxConcurrentRequests: 0 }, 'Max Concurrent Requests', 1, '0'],
				[{ maxRetries: '={{ "" }}' }, 'Max Retries', 0, ''],
				[{ timeout: '={{ "many" }}' }, 'Timeout', 1, 'many'],
				[{ batching: { batch: { batchSize: -2 } } }, 'Items per Batch', -1, '-2'],
				[{ batching: { batch: { batchInterval: -1 } } }, 'Batch Interval (ms)', 0, '-1'],
			] as Array<[INodeParameters, string, number, string]>
		).map(([requestOptions, name, lowest, value]): Case => [
			operation,
			{ requestOptions },
			`'${name}' must be a whole number, ${lowest} or greater, but is "${value}"`,
			`Enter ${lowest} or more.`,
		]),
	),
];

const PROXY: Case = [
	'addToClass',
	{ requestOptions: { proxy: '127.0.0.1:8080' } },
	"'Proxy' is not a valid proxy URL",
	'Use http://host:port or http://user:password@host:port.',
];

describe('a wrong value is not sent', () => {
	const fixture = useService();

	// n8n's routing reads the proxy itself.
	test.each([...CASES, ...(WAY === 'step' ? [PROXY] : [])])(
		'%s %j',
		async (operation, parameters, message, advice) => {
			const { error } = await fixture.student(operation, parameters);
			expect(fixture.service.requests).toEqual([]);
			expect(error?.message).toMatch(message);
			// n8n's routing wraps every error.
			expect(error?.name).toBe(WAY === 'step' ? 'NodeOperationError' : 'NodeApiError');
			expect(error?.message).toContain('item 0]');
			expect(error?.context).toMatchObject({ itemIndex: 0 });
			expect(error?.description?.replace(/ Nothing was sent\.$/, '')).toBe(advice);
		},
	);

	test.each<[INodeParameters, string]>([
		[{ returnAll: '={{ null }}' }, "'Return All' must be true or false"],
		[{ limit: '={{ [5] }}' }, `'Limit' must be a whole number, 1 or greater, but is "[5]"`],
		[{ options: { page: -1 } }, "'Page' must be a whole number, 0 or greater"],
		[{ options: { pageSize: 0 } }, "'Page Size' must be a whole number, 1 or greater"],
		[{ filters: { query: '={{ {} }}' } }, "'Name Contains' must be text"],
	])('getAll %j', async (parameters, message) => {
		const { error } = await fixture.classes(parameters);
		expect(fixture.service.requests).toEqual([]);
		expect(error?.message).toMatch(message);
	});
});

describe('a required field whose expression returns nothing', () => {
	const fixture = useService();

	test.each(OPERATIONS)('$name sends nothing', async (operation) => {
		const { resource, operation: value, valid } = operation;
		const fields = await shownFields({ resource, operation: value, ...valid });
		for (const { name, displayName } of fields.filter(({ required }) => required)) {
			const { error } = await fixture.run(operation, { [name]: '={{ null }}' });
			expect(fixture.service.requests).toEqual([]);
			expect(error?.message).toContain(`'${displayName}' `);
		}
	});
});

describe('a required field that is left empty in the editor', () => {
	const fixture = useService();

	test.each([
		['addToClass', { email: '' }],
		['addToClass', { classId: byId('') }],
		['addToClasses', { classIds: [] }],
		['addManyToClass', { emailField: '' }],
	])('%s %j keeps the workflow from starting', async (operation, parameters) => {
		await expect(fixture.student(operation, parameters)).rejects.toThrow(/has issues/);
		expect(fixture.service.requests).toEqual([]);
	});
});

describe('an operation that is not chosen from the list', () => {
	const fixture = useService();

	// n8n takes every field as shown, so the required ones of all operations are filled in.
	const unrelated: INodeParameters = Object.assign(
		{ limit: 1, studentsFrom: 'json' },
		...OPERATIONS.map(({ valid }) => valid),
	);
	// Engines show expressions in different ways.
	const anyMessage = /^Operation ".*" is not available for resource ".+"$/;
	test.each<[INodeParameters, RegExp]>([
		[{ operation: 'bogus' }, /^Operation "bogus" is not available for resource "student"$/],
		[{ operation: '={{ "addToClass" }}', classIds: ['a'], ...unrelated }, anyMessage],
		[
			{ resource: '={{ "student" }}', operation: 'addToClass', classIds: ['a'], ...unrelated },
			anyMessage,
		],
	])('sends nothing: %j', async (parameters, message) => {
		const { error, items } = await fixture.student('addToClass', parameters);
		expect(fixture.service.requests).toEqual([]);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(message);
		expect(error?.description).toBe('Choose one from the list.');
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	});
});

describe('one bad item among good ones', () => {
	const fixture = useService();
	const items = ['a@example.com', '', 'b@example.com'].map((email) => ({ email, row: 'kept' }));
	beforeEach(() => {
		const students = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
		fixture.service.classes.enroll([PYTHON.id, RUST.id], students);
	});

	test.each(STUDENT_WRITES)('$name stops before anything is sent', async (operation) => {
		const { error } = await fixture.run(operation, operation.ofItem, { items });
		expect(error?.message).toMatch(/is empty \[item 1\]/);
		expect(error?.description).toMatch(/ Nothing was sent\.$/);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(fixture.service.requests).toEqual([]);
	});

	test.each(STUDENT_WRITES)(
		'$name continues with the others under "Continue"',
		async (operation) => {
			const result = await fixture.run(operation, operation.ofItem, {
				items,
				onError: 'continueRegularOutput',
			});
			expect(result.error).toBeUndefined();
			expect(jsonOf(result.items)).toEqual([
				expect.objectContaining({ email: 'a@example.com' }),
				expect.objectContaining({ error: expect.stringMatching(/is empty \[item 1\]\. Enter/) }),
				expect.objectContaining({ email: 'b@example.com' }),
			]);
			expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
		},
	);

	test.each(STUDENT_WRITES)(
		'$name puts it on the error output with its fields',
		async (operation) => {
			const result = await fixture.run(operation, operation.ofItem, {
				items,
				onError: 'continueErrorOutput',
			});
			expect(jsonOf(result.items)).toHaveLength(2);
			expect(jsonOf(result.errorItems)).toEqual([
				{ email: '', row: 'kept', error: expect.stringMatching(/is empty/) },
			]);
		},
	);

	test.each(['addToClass', 'addManyToClass'])(
		'a request option that cannot be used fails every item: %s',
		async (operation) => {
			const parameters = { requestOptions: { maxRetries: -1 } };
			const options = { items, onError: 'continueErrorOutput' } as const;
			const { error, errorItems } = await fixture.student(operation, parameters, options);
			expect(error).toBeUndefined();
			expect(errorItems).toHaveLength(3);
			expect(errorItems[0]!.json.error).toContain("'Max Retries' must be a whole number");
			expect(fixture.service.requests).toEqual([]);
		},
	);

	test('a credential that cannot be used fails every item', async () => {
		const result = await fixture.student(
			'addToClass',
			{},
			{
				items,
				onError: 'continueErrorOutput',
				credential: { baseUrl: 'nowhere', accessToken: 'x' },
			},
		);
		expect(result.items).toEqual([]);
		expect(jsonOf(result.errorItems)).toEqual(
			items.map((item) => ({
				...item,
				error: expect.stringMatching(/'Base URL' of the credential/),
			})),
		);
	});
});
