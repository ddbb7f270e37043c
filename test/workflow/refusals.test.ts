import type { INodeParameters } from 'n8n-workflow';
import { WAY } from './engine';
import {
	byId,
	CONTINUE,
	emailOf,
	emailsOf,
	errorsOf,
	jsonOf,
	linkOf,
	OPERATIONS,
	PYTHON,
	rows,
	RUST,
	shownFields,
	STUDENT_WRITES,
	useService,
} from './fixture';

const OF_STUDENT = 'addToClass addToClasses removeFromClass removeFromClasses sendMagicLink';
const OF_CLASS = 'addToClass addManyToClass removeFromClass';
const OF_CLASSES = 'addToClasses removeFromClasses';
const NAMED = 'addToClass addToClasses';
const ADD = 'addToClass addToClasses addManyToClass';
const MANY = 'addManyToClass';

const ON_DATE = { accessExpiration: 'date' };
const OF_FIELD = { accessExpiration: 'field' };
const FOR_LONG = { accessExpiration: 'duration' };
const list = (...student: INodeParameters[]) => ({ studentsFrom: 'list', students: { student } });
const json = (studentsJson: string) => ({ studentsFrom: 'json', studentsJson });
const dated = (key: string) => json(`[{"email": "x@example.com", "${key}": "2027-01-31"}]`);
const options = (requestOptions: INodeParameters) => ({ requestOptions });
const atLeast = (n: number, but: string) =>
	`must be a whole number, ${n} or greater, but is "${but}"`;

const A_CLASS = 'Choose a class from the list, or enter its ID.';
const AN_ID = 'Make the expression return only the ID.';
const AN_ADDRESS = "Enter the student's email address, or check the expression.";
const A_TEXT = 'Make the expression return one text value.';
const A_DATE = 'Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z.';
const NEVER = "set 'Access Expiration' to 'Never'.";
const A_CHOICE = 'Choose one of: duration (After a Duration), none (Never), date (On a Date)';
const A_UNIT = 'Choose one of: days (Days), weeks (Weeks), months (Months), years (Years).';
const A_SOURCE = 'Choose one of: inputItems (Input Items), json (JSON), list (List).';
const A_FIELD = 'Enter the name of a field of the input items, or drag the field from the input.';
const A_URL = 'Enter a full address starting with https:// or http://, or leave the field empty.';
const A_PROXY = 'Use http://host:port or http://user:password@host:port.';
const EXAMPLE = 'For example: [{"name": "Student", "email": "student@example.com"}].';
const STUDENTS = 'Each student is an object with email and, optionally, name and expirationDate.';
const KEY = "Put the date in the field 'expirationDate'.";

interface Case {
	operations: string;
	parameters: INodeParameters;
	message: string;
	advice: string;
}

const fixture = useService();

/** One wrong value for each parameter of each operation. All wrong values are in unit/values.test.ts. */
test.each`
	operations                        | parameters                                                               | message                                                                           | advice
	${OF_STUDENT}                     | ${{ email: '={{ $json.missing }}' }}                                     | ${"'Email' is empty"}                                                             | ${AN_ADDRESS}
	${OF_CLASS}                       | ${{ classId: byId('={{ ".." }}') }}                                      | ${'\'Class\' cannot be ".."'}                                                     | ${A_CLASS}
	${OF_CLASS}                       | ${{ classId: byId('={{ {} }} ') }}                                       | ${'\'Class\' is "[object Object]", which is not an ID'}                           | ${AN_ID}
	${OF_CLASS}                       | ${{ classId: '={{ null }}' }}                                            | ${"'Class' is empty"}                                                             | ${A_CLASS}
	${OF_CLASSES}                     | ${{ classIds: '={{ [] }}' }}                                             | ${"'Class Names or IDs' contains no classes"}                                     | ${'Choose at least one class, or provide IDs with an expression.'}
	${NAMED}                          | ${OF_FIELD}                                                              | ${'\'Access Expiration\' has no option "field"'}                                  | ${`${A_CHOICE}.`}
	${NAMED}                          | ${{ accessExpiration: '={{ null }}' }}                                   | ${'\'Access Expiration\' has no option ""'}                                       | ${`${A_CHOICE}.`}
	${MANY}                           | ${{ accessExpiration: '={{ null }}' }}                                   | ${'\'Access Expiration\' has no option ""'}                                       | ${`${A_CHOICE}, field (On a Date From the Input).`}
	${NAMED}                          | ${{ name: '={{ {} }}' }}                                                 | ${'\'Name\' must be text, but is "{}"'}                                           | ${A_TEXT}
	${ADD}                            | ${{ ...ON_DATE, expirationDate: '' }}                                    | ${"'Expiration Date' is empty"}                                                   | ${`Enter a date. To give access that never ends, ${NEVER}`}
	${ADD}                            | ${{ ...ON_DATE, expirationDate: '={{ DateTime.fromISO("nonsense") }}' }} | ${'\'Expiration Date\' is not a date: "Invalid DateTime"'}                        | ${A_DATE}
	${ADD}                            | ${{ ...FOR_LONG, durationAmount: '={{ null }}' }}                        | ${`'Duration' ${atLeast(1, '')}`}                                                 | ${'Enter 1 or more.'}
	${ADD}                            | ${{ ...FOR_LONG, durationUnit: '={{ "eons" }}' }}                        | ${'\'Duration Unit\' has no option "eons"'}                                       | ${A_UNIT}
	${'sendMagicLink'}                | ${{ redirectUrl: '/welcome' }}                                           | ${'\'Redirect URL\' is not a valid URL: "/welcome"'}                              | ${A_URL}
	${MANY}                           | ${{ studentsFrom: '={{ "nowhere" }}' }}                                  | ${'\'Students From\' has no option "nowhere"'}                                    | ${A_SOURCE}
	${MANY}                           | ${{ emailField: ' ' }}                                                   | ${"'Email Field' is empty"}                                                       | ${A_FIELD}
	${MANY}                           | ${{ emailField: 'mail' }}                                                | ${'\'Email Field\' is "mail", but no input item has a field with that name'}      | ${'Available fields: email.'}
	${MANY}                           | ${{ emailField: '={{ ["email"] }}' }}                                    | ${'\'Email Field\' must be text, but is "["email"]"'}                             | ${A_FIELD}
	${MANY}                           | ${{ nameField: 'nome' }}                                                 | ${'\'Name Field\' is "nome", but no input item has a field with that name'}       | ${'Available fields: email.'}
	${MANY}                           | ${{ ...OF_FIELD, expirationField: 'ends' }}                              | ${'\'Expiration Field\' is "ends", but no input item has a field with that name'} | ${`Drag in the input field that contains the dates, or ${NEVER}`}
	${MANY}                           | ${{ ...OF_FIELD, expirationField: 'email' }}                             | ${'The field \'email\' does not contain a date: "student@example.com"'}           | ${A_DATE}
	${MANY}                           | ${{ options: { batchSize: 0 } }}                                         | ${`'Batch Size' ${atLeast(1, '0')}`}                                              | ${'Enter 1 or more.'}
	${MANY}                           | ${{ studentsFrom: 'list' }}                                              | ${"'Students' contains no students"}                                              | ${'Add at least one student.'}
	${MANY}                           | ${list({ email: ' ' })}                                                  | ${"'Students: email' is empty [student 1 of item 0]"}                             | ${AN_ADDRESS}
	${MANY}                           | ${json('[]')}                                                            | ${"'Students (JSON)' contains no students"}                                       | ${EXAMPLE}
	${MANY}                           | ${json('={{ null }}')}                                                   | ${"'Students (JSON)' contains no students"}                                       | ${EXAMPLE}
	${MANY}                           | ${json('{"a": ')}                                                        | ${`'Students (JSON)' is not valid JSON: "{"a": "`}                                | ${EXAMPLE}
	${MANY}                           | ${json('{"students": []}')}                                              | ${"'Students (JSON)' must be an array, but is "}                                  | ${EXAMPLE}
	${MANY}                           | ${json('["a@example.com"]')}                                             | ${`'Students (JSON)' must be an array of students, but contains "a@example.com"`} | ${STUDENTS}
	${MANY}                           | ${json('[null]')}                                                        | ${`'Students (JSON)' must be an array of students, but contains "null"`}          | ${STUDENTS}
	${MANY}                           | ${json('[{"email": "x@example.com", "expirationDate": "soon"}]')}        | ${`'Students (JSON): expirationDate' is not a date: "soon"`}                      | ${A_DATE}
	${MANY}                           | ${dated('expirationdate')}                                               | ${`'Students (JSON)' has an unknown field "expirationdate"`}                      | ${KEY}
	${MANY}                           | ${dated('expiration_date')}                                              | ${`'Students (JSON)' has an unknown field "expiration_date"`}                     | ${KEY}
	${MANY}                           | ${dated('expires')}                                                      | ${`'Students (JSON)' has an unknown field "expires"`}                             | ${KEY}
	${OF_CLASS}                       | ${options({ maxConcurrentRequests: 0 })}                                 | ${`'Max Concurrent Requests' ${atLeast(1, '0')}`}                                 | ${'Enter 1 or more.'}
	${OF_CLASS}                       | ${options({ maxRetries: '={{ "" }}' })}                                  | ${`'Max Retries' ${atLeast(0, '')}`}                                              | ${'Enter 0 or more.'}
	${OF_CLASS}                       | ${options({ timeout: '={{ "many" }}' })}                                 | ${`'Timeout' ${atLeast(1, 'many')}`}                                              | ${'Enter 1 or more.'}
	${OF_CLASS}                       | ${options({ batching: { batch: { batchSize: -2 } } })}                   | ${`'Items per Batch' ${atLeast(-1, '-2')}`}                                       | ${'Enter -1 or more.'}
	${OF_CLASS}                       | ${options({ batching: { batch: { batchInterval: -1 } } })}               | ${`'Batch Interval (ms)' ${atLeast(0, '-1')}`}                                    | ${'Enter 0 or more.'}
	${WAY === 'step' ? OF_CLASS : ''} | ${options({ proxy: '127.0.0.1:8080' })}                                  | ${"'Proxy' is not a valid proxy URL"}                                             | ${A_PROXY}
`('a wrong value is not sent: $parameters', async (wrong: Case) => {
	// n8n's routing reads the proxy itself.
	for (const operation of wrong.operations.split(' ').filter(Boolean)) {
		const { error } = await fixture.student(operation, wrong.parameters);
		expect(fixture.service.requests).toEqual([]);
		expect(error?.message).toContain(wrong.message);
		// n8n's routing wraps every error.
		expect(error?.name).toBe(WAY === 'step' ? 'NodeOperationError' : 'NodeApiError');
		expect(error?.message).toContain('item 0]');
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(error?.description?.replace(/ Nothing was sent\.$/, '')).toBe(wrong.advice);
	}
});

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

describe('a required field whose expression returns nothing', () => {
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
	const items = [emailOf(0), '', emailOf(1)].map((email) => ({ email, row: 'kept' }));
	const enroll = () => fixture.service.classes.enroll([PYTHON.id, RUST.id], rows(2));

	test.each(STUDENT_WRITES)('$name stops before anything is sent', async (operation) => {
		const { error } = await fixture.run(operation, operation.ofItem, { items });
		expect(error?.message).toMatch(/is empty \[item 1\]/);
		expect(error?.description).toMatch(/ Nothing was sent\.$/);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(fixture.service.requests).toEqual([]);
	});

	test.each(STUDENT_WRITES)('$name continues with the others', async (operation) => {
		enroll();
		const result = await fixture.run(operation, operation.ofItem, { items, ...CONTINUE });
		expect(emailsOf(result.items)).toEqual(rows(2).map(({ email }) => email));
		const error = expect.stringMatching(/is empty \[item 1\]\. Enter/) as string;
		expect(jsonOf(result.errorItems)).toEqual([{ ...items[1], error }]);

		enroll();
		const options = { items, onError: 'continueRegularOutput' } as const;
		const { items: output } = await fixture.run(operation, operation.ofItem, options);
		expect(output.map(linkOf)).toEqual([0, 1, 2]);
		expect(jsonOf(output).map((json) => json.error ?? json.email)).toEqual([
			emailOf(0),
			error,
			emailOf(1),
		]);
	});

	test.each(['addToClass', 'addManyToClass'])(
		'a request option that cannot be used fails every item: %s',
		async (operation) => {
			const parameters = { requestOptions: { maxRetries: -1 } };
			const result = await fixture.student(operation, parameters, {
				items: rows(3),
				...CONTINUE,
			});
			const error = expect.stringContaining("'Max Retries' must be a whole number") as string;
			expect(errorsOf(result)).toEqual([error, error, error]);
			expect(fixture.service.requests).toEqual([]);
		},
	);
});
