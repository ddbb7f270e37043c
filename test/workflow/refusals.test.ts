import type { INodeParameters } from 'n8n-workflow';
import { WAY } from './engine';
import { byId, jsonOf, PYTHON, RUST, useService, WRITES } from './fixture';

type Refusal = [operations: string[], parameters: INodeParameters, message: RegExp];
type Case = [operation: string, parameters: INodeParameters, message: RegExp];

const WITH_EMAIL = [
	'addToClass',
	'addToClasses',
	'removeFromClass',
	'removeFromClasses',
	'sendMagicLink',
];
const WITH_CLASS = ['addToClass', 'addManyToClass', 'removeFromClass'];
const WITH_CLASSES = ['addToClasses', 'removeFromClasses'];
const ADDING = ['addToClass', 'addToClasses', 'addManyToClass'];

const emails: Array<[unknown, RegExp]> = [
	['={{ "" }}', /'Email' is empty/],
	['  ', /'Email' is empty/],
	['={{ null }}', /'Email' is empty/],
	['={{ undefined }}', /'Email' is empty/],
	['={{ $json.missing }}', /'Email' is empty/],
	['={{ 42 }}', /'Email' is not an .*address: "42"/],
	['={{ { a: 1 } }}', /'Email' is not an .*address: "\{"a":1\}"/],
	['={{ ["student@example.com"] }}', /'Email' is not an .*address: "\["student@example.com"\]"/],
	['={{ true }}', /'Email' is not an .*address: "true"/],
	['={{ new Date(0) }}', /'Email' is not an .*address: ".*1970/],
	['nonsense', /'Email' is not an .*address: "nonsense"/],
	['student@example', /'Email' is not an .*address/],
	['@example.com', /'Email' is not an .*address/],
	['student@@example.com', /'Email' is not an .*address/],
	['a b@example.com', /'Email' is not an .*address/],
	['Student <student@example.com>', /'Email' is not an .*address/],
	['a@example.com, b@example.com', /'Email' is not an .*address/],
	['student@example\u200b.com', /'Email' .*invisible character: "student@example�\.com"/],
	[`${'a'.repeat(243)}@example.com`, /'Email' is not an .*address: "a{80}…" \[/],
	['x'.repeat(80), /'Email' is not an .*address: "x{80}" \[/],
	['x'.repeat(81), /'Email' is not an .*address: "x{80}…" \[/],
];

const classIds: Array<[unknown, RegExp]> = [
	['={{ "" }}', /'Class' is empty/],
	['   ', /'Class' is empty/],
	['={{ null }}', /'Class' is empty/],
	['={{ $json.missing }}', /'Class' is empty/],
	['.', /'Class' cannot be "\."/],
	['..', /'Class' cannot be "\.\."/],
	[' .. ', /'Class' cannot be "\.\."/],
	['={{ true }}', /'Class' must be a class ID/],
	['={{ {} }} ', /'Class' is "\[object Object\]", which is not an ID/],
	['={{ "a\\nb" }}', /'Class' .*line break or an invalid character/],
	['={{ ["a"] }}', /'Class' must be a class ID/],
	['={{ "a\\ud800" }}', /'Class' .*line break or an invalid character/],
];

const listsOfClasses: Array<[unknown, RegExp]> = [
	['={{ [] }}', /'Class Names or IDs' .*no class/],
	['={{ null }}', /'Class Names or IDs' .*no class/],
	['={{ "" }}', /'Class Names or IDs' .*no class/],
	['={{ " , " }}', /'Class Names or IDs' .*no class/],
	['={{ {} }}', /'Class Names or IDs' must be a class ID/],
	['={{ ["a", null] }}', /'Class Names or IDs' .*empty entry/],
	['={{ ["a", ""] }}', /'Class Names or IDs' .*empty entry/],
	['={{ "a,,b" }}', /'Class Names or IDs' .*empty entry/],
	['={{ [{}] }} ', /'Class Names or IDs' is "\[object Object\]"/],
	['={{ "[]" }}', /'Class Names or IDs' .*no class/],
	['={{ "null" }}', /'Class Names or IDs' is "null", which is not an ID/],
	['={{ [".."] }}', /'Class Names or IDs' cannot be "\.\."/],
	['={{ [["a"]] }}', /'Class Names or IDs' must be a class ID/],
];

const dates: Array<[unknown, RegExp]> = [
	['', /'Expiration Date' is empty/],
	['={{ null }}', /'Expiration Date' is empty/],
	['={{ $json.missing }}', /'Expiration Date' is empty/],
	['soon', /'Expiration Date' is not a date: "soon"/],
	['2027-02-30', /'Expiration Date' is not a date/],
	['2027-13-01T00:00:00Z', /'Expiration Date' is not a date/],
	['31/12/2027', /'Expiration Date' is not a date/],
	['12:30', /'Expiration Date' is not a date/],
	['2027', /'Expiration Date' is not a date/],
	['={{ 1800000000000 }}', /'Expiration Date' is not a date/],
	['={{ {} }}', /'Expiration Date' is not a date/],
	['={{ DateTime.fromISO("nonsense") }}', /'Expiration Date' is not a date/],
	['={{ DateTime.utc(10000) }}', /'Expiration Date' is not a date/],
	['={{ DateTime.utc(1899, 12, 31) }}', /'Expiration Date' is not a date/],
	['1899-12-31T23:59:59Z', /'Expiration Date' is not a date/],
];

const refusals: Refusal[] = [
	...emails.map(([email, message]): Refusal => [WITH_EMAIL, { email } as INodeParameters, message]),
	...classIds.map(([id, message]): Refusal => [WITH_CLASS, { classId: byId(id) }, message]),
	[WITH_CLASS, { classId: '={{ null }}' }, /'Class' is empty/],
	...listsOfClasses.map(([ids, message]): Refusal => [
		WITH_CLASSES,
		{ classIds: ids } as INodeParameters,
		message,
	]),
	...dates.map(([date, message]): Refusal => [
		ADDING,
		{ accessExpiration: 'date', expirationDate: date } as INodeParameters,
		message,
	]),
	[
		ADDING,
		{ accessExpiration: '={{ ["none"] }}' },
		/'Access Expiration' has no option "\["none"\]"/,
	],
	[ADDING, { accessExpiration: '={{ null }}' }, /'Access Expiration' has no option ""/],
	[
		ADDING,
		{ accessExpiration: '={{ "lifelong" }}' },
		/'Access Expiration' has no option "lifelong"/,
	],
	[
		['addToClass', 'addToClasses'],
		{ accessExpiration: 'field' },
		/'Access Expiration' has no option "field"/,
	],
	...[0, -1, 1.5, '={{ null }}', '={{ "" }}', '={{ "many" }}', '={{ 1e6 }}'].map(
		(amount): Refusal => [
			ADDING,
			{ accessExpiration: 'duration', durationAmount: amount, durationUnit: 'years' },
			/'Duration' (must be a whole number, 1 or greater|is too long)/,
		],
	),
	[
		ADDING,
		{ accessExpiration: 'duration', durationUnit: '={{ "eons" }}' },
		/'Duration Unit' has no option "eons"/,
	],
	[['addToClass', 'addToClasses'], { name: '={{ {} }}' }, /'Name' must be text/],
	...[
		'example.com',
		'/welcome',
		'ftp://example.com',
		'javascript:alert(1)',
		'https://',
		'http://exa mple.com',
		'https:example.com',
		'javascript:alert("https://example.com/")',
		'https:///welcome',
		'https://\\\\example.com',
		'https://example.com/a b',
		'https://example.com\\\\a',
		'https://[example.com',
		'={{ {} }}',
	].map((redirectUrl): Refusal => [
		['sendMagicLink'],
		{ redirectUrl },
		/'Redirect URL' (is not a valid URL|must be text)/,
	]),
	[
		['addManyToClass'],
		{ studentsFrom: '={{ "nowhere" }}' },
		/'Students From' has no option "nowhere"/,
	],
	[['addManyToClass'], { emailField: ' ' }, /'Email Field' is empty/],
	[
		['addManyToClass'],
		{ emailField: 'mail' },
		/'Email Field' is "mail", but no input item has a field with that name/,
	],
	[['addManyToClass'], { options: { batchSize: 0 } }, /'Batch Size' must be a whole number/],
	[['addManyToClass'], { studentsFrom: 'list' }, /'Students' .*no student/],
	[
		['addManyToClass'],
		{ studentsFrom: 'list', students: { student: [{ email: ' ' }] } },
		/'Students: email' is empty \[student 1 of item 0\]/,
	],
	[
		['addManyToClass'],
		{ studentsFrom: 'json', studentsJson: '[]' },
		/'Students \(JSON\)' .*no student/,
	],
	[
		['addManyToClass'],
		{ studentsFrom: 'json', studentsJson: '{"a": ' },
		/'Students \(JSON\)' is not valid JSON/,
	],
	[
		['addManyToClass'],
		{ studentsFrom: 'json', studentsJson: '={{ null }}' },
		/'Students \(JSON\)' .*no student/,
	],
	[
		['addManyToClass'],
		{ studentsFrom: 'json', studentsJson: '["a@example.com"]' },
		/'Students \(JSON\)' must be an array of students, but contains "a@example.com"/,
	],
	[
		['addManyToClass'],
		{ studentsFrom: 'json', studentsJson: '[null]' },
		/'Students \(JSON\)' must be an array of students, but contains "null"/,
	],
	[
		['addManyToClass'],
		{
			studentsFrom: 'json',
			studentsJson: '[{"email": "x@example.com", "expirationDate": "soon"}]',
		},
		/'Students \(JSON\): expirationDate' is not a date/,
	],
	...['expirationdate', 'expiration_date', 'expires'].map((key): Refusal => [
		['addManyToClass'],
		{ studentsFrom: 'json', studentsJson: `[{"email": "x@example.com", "${key}": "2027-01-31"}]` },
		/'Students \(JSON\)' .*field "expir\w+"/,
	]),
	[
		['addManyToClass'],
		{ studentsFrom: 'json', studentsJson: '{"students": []}' },
		/'Students \(JSON\)' must be an array/,
	],
	[
		['addManyToClass'],
		{ accessExpiration: 'field', expirationField: 'ends' },
		/'Expiration Field' is "ends", but no input item has a field with that name/,
	],
	[
		['addManyToClass'],
		{ accessExpiration: 'field', expirationField: 'email' },
		/The field 'email' does not contain a date/,
	],
	...['maxConcurrentRequests', 'maxRetries', 'timeout'].map((option): Refusal => [
		['addToClass', 'addManyToClass'],
		{ requestOptions: { [option]: '={{ "many" }}' } },
		/'(Max Concurrent Requests|Max Retries|Timeout)' must be a whole number/,
	]),
	[
		['addToClass'],
		{ requestOptions: { maxRetries: '={{ "" }}' } },
		/'Max Retries' must be a whole number, 0 or greater, but is ""/,
	],
	...['nonsense', 'http:', 'file:///tmp', '127.0.0.1:8080'].map((proxy): Refusal => [
		['addToClass'],
		{ requestOptions: { proxy } },
		/'Proxy' is not a valid proxy URL/,
	]),
	[
		['addToClass', 'addManyToClass'],
		{ requestOptions: { batching: { batch: { batchSize: -2, batchInterval: 0 } } } },
		/'Items per Batch' must be a whole number, -1 or greater, but is "-2"/,
	],
	[
		['addToClass', 'addManyToClass'],
		{ requestOptions: { batching: { batch: { batchSize: 1, batchInterval: -1 } } } },
		/'Batch Interval \(ms\)' must be a whole number, 0 or greater, but is "-1"/,
	],
];

const cases = refusals.flatMap(([operations, parameters, message]) =>
	operations.map((operation): Case => [operation, parameters, message]),
);

const FROM_LIST = { studentsFrom: 'list' };
const FROM_JSON = { studentsFrom: 'json' };
const AFTER_A_DURATION = { accessExpiration: 'duration' };

/** One wrong value for each parameter, but not for Proxy, which n8n reads before the routing. */
const casesForRouting: Case[] = [
	['sendMagicLink', { email: 'nonsense' }, /'Email' is not an .*address/],
	['removeFromClass', { classId: byId('..') }, /'Class' cannot be/],
	['removeFromClasses', { classIds: '={{ [] }}' }, /'Class Names or IDs' .*no class/],
	['addToClass', { name: '={{ {} }}' }, /'Name' must be text/],
	['addToClass', { accessExpiration: '={{ "lifelong" }}' }, /'Access Expiration' has no option/],
	[
		'addToClasses',
		{ accessExpiration: 'date', expirationDate: 'soon' },
		/'Expiration Date' is not a date/,
	],
	['addToClass', { ...AFTER_A_DURATION, durationAmount: 0 }, /'Duration' must be a whole number/],
	[
		'addToClass',
		{ ...AFTER_A_DURATION, durationUnit: '={{ "eons" }}' },
		/'Duration Unit' has no option/,
	],
	['sendMagicLink', { redirectUrl: '/welcome' }, /'Redirect URL' is not a valid URL/],
	['addManyToClass', { studentsFrom: '={{ "nowhere" }}' }, /'Students From' has no option/],
	['addManyToClass', { emailField: 'mail' }, /'Email Field' is "mail", but no input item/],
	['addManyToClass', { ...FROM_LIST, students: {} }, /'Students' .*no student/],
	['addManyToClass', { ...FROM_JSON, studentsJson: '[]' }, /'Students \(JSON\)' .*no student/],
	[
		'addManyToClass',
		{ accessExpiration: 'field', expirationField: 'ends' },
		/'Expiration Field' is "ends", but no input item/,
	],
	['addManyToClass', { options: { batchSize: 0 } }, /'Batch Size' must be a whole number/],
	[
		'addToClass',
		{ requestOptions: { maxConcurrentRequests: 0 } },
		/'Max Concurrent Requests' must be a whole number/,
	],
	['addToClass', { requestOptions: { maxRetries: -1 } }, /'Max Retries' must be a whole number/],
	['addToClass', { requestOptions: { timeout: 0 } }, /'Timeout' must be a whole number/],
];

const A_CLASS = 'Choose a class from the list, or enter its ID.';
const A_NUMBER = 'Enter 1 or more.';
const A_FIELD = 'Enter the name of a field of the input items, or drag the field from the input.';
const EXPIRATIONS = 'duration (After a Duration), none (Never), date (On a Date)';
const EXAMPLE = 'For example: [{"name": "Student", "email": "student@example.com"}].';

/** What the description says to do about a problem. */
const ADVICE: Array<[problem: RegExp, advice: string]> = [
	[/ Field' is empty/, A_FIELD],
	[/email' is empty/i, "Enter the student's email address, or check the expression."],
	[/invisible character/, 'Retype the address instead of pasting it.'],
	[/email address/, 'Enter one plain address such as student@example.com.'],
	[/'Class' is empty|cannot be "\.|must be a class ID/, A_CLASS],
	[/which is not an ID/, 'Make the expression return only the ID.'],
	[/line break or an invalid character/, "Copy the class's ID again."],
	[/contains no classes/, 'Choose at least one class, or provide IDs with an expression.'],
	[/empty entry/, "Check that the expression returns every class's ID."],
	[
		/'Expiration Date' is empty/,
		"Enter a date. To give access that never ends, set 'Access Expiration' to 'Never'.",
	],
	[
		/31\/12\/2027/,
		"Convert it with an expression: {{ DateTime.fromFormat($json.date, 'dd/MM/yyyy') }}.",
	],
	[/(is not|does not contain) a date/, 'Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z.'],
	[
		/'Duration Unit' has no option/,
		'Choose one of: days (Days), weeks (Weeks), months (Months), years (Years).',
	],
	[/is too long/, 'Enter a smaller number.'],
	[/'Max Retries' must be/, 'Enter 0 or more.'],
	[/'Batch Interval \(ms\)' must be/, 'Enter 0 or more.'],
	[/'Items per Batch' must be/, 'Enter -1 or more.'],
	[/must be a whole number/, A_NUMBER],
	[/must be text/, 'Make the expression return one text value.'],
	[
		/'Redirect URL' is not/,
		'Enter a full address starting with https:// or http://, or leave the field empty.',
	],
	[
		/'Students From' has no option/,
		'Choose one of: inputItems (Input Items), json (JSON), list (List).',
	],
	[
		/'Expiration Field' is "ends"/,
		"Drag in the input field that contains the dates, or set 'Access Expiration' to 'Never'.",
	],
	[/no input item has a field with that name/, 'Available fields: email.'],
	[/'Students' contains no students/, 'Add at least one student.'],
	[
		/an array of students/,
		'Each student is an object with email and, optionally, name and expirationDate.',
	],
	[/has an unknown field/, "Put the date in the field 'expirationDate'."],
	[/'Students \(JSON\)'/, EXAMPLE],
	[/'Proxy'/, 'Use http://host:port or http://user:password@host:port.'],
];

function adviceFor(operation: string, message: string): string | undefined {
	if (message.startsWith("'Access Expiration'")) {
		const field = operation === 'addManyToClass' ? ', field (On a Date From the Input)' : '';
		return `Choose one of: ${EXPIRATIONS}${field}.`;
	}
	return ADVICE.find(([problem]) => problem.test(message))?.[1];
}

describe('a wrong value is not sent', () => {
	const fixture = useService();

	test.each(cases)('%s %j', async (operation, parameters, message) => {
		const { error } = await fixture.student(operation, parameters);
		expect(fixture.service.requests).toEqual([]);
		expect(error?.message).toMatch(message);
		// n8n's routing wraps every error.
		expect(error?.name).toBe(WAY === 'step' ? 'NodeOperationError' : 'NodeApiError');
		expect(error?.message).toContain('item 0]');
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(error?.description?.replace(/ Nothing was sent\.$/, '')).toBe(
			adviceFor(operation, error!.message),
		);
	});

	test.each(casesForRouting)('%s %j by the routing', async (operation, parameters, message) => {
		const { error } = await fixture.student(operation, parameters, { way: 'routing' });
		expect(fixture.service.requests).toEqual([]);
		expect(error?.message).toMatch(message);
	});

	test.each([
		[{ returnAll: '={{ "yes" }}' }, /'Return All' must be true or false, but is "yes"/],
		[{ returnAll: '={{ null }}' }, /'Return All' must be true or false/],
		[{ limit: 0 }, /'Limit' must be/],
		[{ limit: '={{ null }}' }, /'Limit' must be/],
		[{ limit: '={{ true }}' }, /'Limit' must be .* but is "true"/],
		[{ limit: '={{ [5] }}' }, /'Limit' must be .* but is "\[5\]"/],
		[{ options: { page: -1 } }, /'Page' must be/],
		[{ options: { pageSize: 0 } }, /'Page Size' must be/],
		[{ filters: { query: '={{ {} }}' } }, /'Name Contains' must be text/],
	] as Array<[INodeParameters, RegExp]>)('getAll %j', async (parameters, message) => {
		const { error } = await fixture.classes(parameters);
		expect(fixture.service.requests).toEqual([]);
		expect(error?.message).toMatch(message);
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

	const unrelated = { limit: 1, studentsFrom: 'json' };
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

	test.each(WRITES)('$name stops before anything is sent', async (operation) => {
		const { error } = await fixture.run(operation, operation.ofItem, { items });
		expect(error?.message).toMatch(/is empty \[item 1\]/);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(fixture.service.requests).toEqual([]);
	});

	test.each(WRITES)('$name continues with the others under "Continue"', async (operation) => {
		const result = await fixture.run(operation, operation.ofItem, {
			items,
			onError: 'continueRegularOutput',
		});
		expect(result.error).toBeUndefined();
		expect(jsonOf(result.items)).toEqual([
			expect.objectContaining({ email: 'a@example.com' }),
			{ error: expect.stringMatching(/is empty \[item 1\]\. Enter/) },
			expect.objectContaining({ email: 'b@example.com' }),
		]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	test.each(WRITES)('$name puts it on the error output with its fields', async (operation) => {
		const result = await fixture.run(operation, operation.ofItem, {
			items,
			onError: 'continueErrorOutput',
		});
		expect(jsonOf(result.items)).toHaveLength(2);
		expect(jsonOf(result.errorItems)).toEqual([
			{ email: '', row: 'kept', error: expect.stringMatching(/is empty/) },
		]);
	});

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
