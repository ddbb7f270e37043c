import type { INodeParameters } from 'n8n-workflow';
import { byId, jsonOf, largeTest, PYTHON, RUST, useService } from './fixture';

const CONTINUE = { onError: 'continueErrorOutput' } as const;
const rows = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		email: `student-${n}@example.com`,
		name: `Student ${n}`,
	}));

describe('Add Many', () => {
	const fixture = useService();
	const addMany = async (
		parameters: INodeParameters,
		options: Parameters<typeof fixture.student>[2] = {},
	) => await fixture.student('addManyToClass', parameters, options);
	const sent = () =>
		fixture.service.requests.map(
			({ body }) => (body as { students: Array<Record<string, unknown>> }).students,
		);
	const emailsIn = (classId: string) =>
		fixture.service.classes.studentsOf(classId).map(({ email }) => email);

	describe('from input items', () => {
		test('sends them in batches and gives an item for each, in their order', async () => {
			const items = rows(250);
			const result = await addMany({}, { items });
			expect(sent().map((students) => students.length)).toEqual([100, 100, 50]);
			expect(jsonOf(result.items)).toEqual(
				items.map(({ email, name }) => ({ success: true, email, name, classId: PYTHON.id })),
			);
			expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
				items.map((_, item) => ({ item })),
			);
		});

		test('takes as many at a time as asked', async () => {
			await addMany({ options: { batchSize: 7 } }, { items: rows(20) });
			expect(sent().map((students) => students.length)).toEqual([7, 7, 6]);
		});

		largeTest('5,000 students take 50 requests', async () => {
			await addMany({}, { items: rows(5000) });
			expect(fixture.service.requests).toHaveLength(50);
			expect(emailsIn(PYTHON.id)).toHaveLength(5001);
		});

		test('groups them by class', async () => {
			const items = rows(6).map((row, n) => ({ ...row, to: n % 2 ? PYTHON.id : RUST.id }));
			const { items: output } = await addMany({ classId: byId('={{ $json.to }}') }, { items });
			expect(fixture.service.requests).toHaveLength(2);
			expect(jsonOf(output).map(({ classId }) => classId)).toEqual(items.map(({ to }) => to));
			expect(emailsIn(RUST.id)).toContain('student-4@example.com');
			expect(emailsIn(RUST.id)).not.toContain('student-1@example.com');
		});

		test('reads the named fields, also nested ones and ones with dots in their names', async () => {
			const items = [
				{ user: { mail: 'a@example.com' }, 'full.name': 'A', until: '2027-01-31' },
				{ user: { mail: ' b@example.com ' }, 'full.name': ' ', until: '' },
				{ user: { mail: 'c@example.com' }, until: '2027-02-01T00:00:00+01:00' },
			];
			await addMany(
				{
					emailField: 'user.mail',
					nameField: 'full.name',
					accessExpiration: 'field',
					expirationField: 'until',
				},
				{ items },
			);
			expect(sent()[0]).toEqual([
				{ email: 'a@example.com', name: 'A', expirationDate: '2027-01-31T03:00:00.000Z' },
				{ email: 'b@example.com' },
				{ email: 'c@example.com', expirationDate: '2027-01-31T23:00:00.000Z' },
			]);
		});

		test('reads dates of all forms, and refuses what is none', async () => {
			const dates = [
				'2027-06-01',
				'2027-06-01 10:00:00',
				'2027-06-01T10:00:00.5Z',
				'2027-02-29T00:00:00Z',
			];
			const items = dates.map((until, n) => ({ email: `student-${n}@example.com`, until }));
			const result = await addMany(
				{ accessExpiration: 'field', expirationField: 'until' },
				{ items, onError: 'continueErrorOutput' },
			);
			expect(sent()[0]!.map(({ expirationDate }) => expirationDate)).toEqual([
				'2027-06-01T03:00:00.000Z',
				'2027-06-01T13:00:00.000Z',
				'2027-06-01T10:00:00.500Z',
			]);
			expect(jsonOf(result.errorItems)).toEqual([
				{
					...items[3],
					error: expect.stringMatching(
						/^student-3@example.com was not added \(item 3\): .*not contain a date: "2027-02-29T00:00:00Z"/,
					),
				},
			]);
		});

		test('every row has its own kind of expiration where that is an expression', async () => {
			const items = [
				{ email: 'a@example.com', kind: 'field', expirationDate: '2027-01-31T00:00:00Z' },
				{ email: 'b@example.com', kind: 'none' },
				{ email: 'c@example.com', kind: 'date', end: '2027-05-05T00:00:00Z' },
			];
			await addMany(
				{ accessExpiration: '={{ $json.kind }}', expirationDate: '={{ $json.end }}' },
				{ items },
			);
			expect(sent()[0]!.map(({ expirationDate }) => expirationDate)).toEqual([
				'2027-01-31T00:00:00.000Z',
				undefined,
				'2027-05-05T00:00:00.000Z',
			]);
		});

		test('the source of the students must be the same for all items', async () => {
			const items = [{ from: 'inputItems', email: 'a@example.com' }, { from: 'json' }];
			const { error } = await addMany({ studentsFrom: '={{ $json.from }}' }, { items });
			expect(error?.message).toContain("'Students From' must be the same for all items");
			expect(fixture.service.requests).toEqual([]);
		});

		test('an expiration may be an expression of the item', async () => {
			const items = rows(2).map((row, n) => ({ ...row, end: `2027-01-0${n + 1}T00:00:00Z` }));
			await addMany({ accessExpiration: 'date', expirationDate: '={{ $json.end }}' }, { items });
			expect(sent()[0]!.map(({ expirationDate }) => expirationDate)).toEqual([
				'2027-01-01T00:00:00.000Z',
				'2027-01-02T00:00:00.000Z',
			]);
		});

		test('all students of a run get the same end of a duration', async () => {
			await addMany({ accessExpiration: 'duration' }, { items: rows(300) });
			const ends = sent().flatMap((students) =>
				students.map(({ expirationDate }) => expirationDate),
			);
			expect(new Set(ends).size).toBe(1);
			expect(ends[0]).toMatch(/Z$/);
		});

		test('a repeated email address is sent once, as in the later row, and both rows are reported', async () => {
			const items = [
				{ email: 'Student-1@example.com', name: 'Old' },
				{ email: 'student-2@example.com' },
				{ email: 'student-1@Example.com', name: 'New' },
			];
			const result = await addMany({}, { items });
			expect(sent()).toEqual([
				[{ email: 'student-1@Example.com', name: 'New' }, { email: 'student-2@example.com' }],
			]);
			expect(result.items).toHaveLength(3);
			expect(result.items[0]!.json).toMatchObject({ success: true, name: 'New' });
			expect(result.items[2]!.json).toMatchObject({ success: true, name: 'New' });
		});

		test('the same student may go into two classes', async () => {
			const items = [PYTHON.id, RUST.id].map((to) => ({ email: 'student-1@example.com', to }));
			await addMany({ classId: byId('={{ $json.to }}') }, { items });
			expect(emailsIn(PYTHON.id)).toContain('student-1@example.com');
			expect(emailsIn(RUST.id)).toContain('student-1@example.com');
		});

		test('a field that only some items have is empty in the others', async () => {
			const { error } = await addMany({}, { items: [{ email: 'a@example.com' }, { name: 'B' }] });
			expect(error?.message).toBe("The field 'email' is empty [item 1]");
		});

		test('bad rows keep everything from being sent, and all are named', async () => {
			const items = rows(1000).map((row, n) =>
				[17, 400, 401].includes(n) ? { ...row, email: 'x' } : row,
			);
			const { error } = await addMany({}, { items });
			expect(fixture.service.requests).toEqual([]);
			expect(error?.message).toContain('not contain an email address: "x" [item 17]');
			expect(error?.description).toContain('2 more are invalid: items 400-401. Nothing was sent.');
			expect(error?.context).toMatchObject({ itemIndex: 17 });
		});

		test.each([
			[[17, 401], '1 more is invalid: item 401. Nothing was sent.'],
			[[17, 401, 403], '2 more are invalid: items 401, 403. Nothing was sent.'],
			[[0, 1, 2], '2 more are invalid: items 1-2. Nothing was sent.'],
			[
				Array.from({ length: 22 }, (_, n) => 2 * n),
				`21 more are invalid: items ${Array.from({ length: 20 }, (_, n) => 2 * n + 2).join(', ')} and more. Nothing was sent.`,
			],
			[
				Array.from({ length: 21 }, (_, n) => 2 * n),
				`20 more are invalid: items ${Array.from({ length: 20 }, (_, n) => 2 * n + 2).join(', ')}. Nothing was sent.`,
			],
		])('the bad rows %j are named in short', async (bad, report) => {
			const items = rows(500).map((row, n) => (bad.includes(n) ? { ...row, email: 'x' } : row));
			const { error } = await addMany({}, { items });
			expect(error?.message).toContain(`[item ${bad[0]}]`);
			expect(error?.description).toBe(
				`Enter one plain address such as student@example.com. ${report}`,
			);
		});

		test('one bad row is not followed by others', async () => {
			const { error } = await addMany({}, { items: [...rows(2), { email: 'x', name: 'X' }] });
			expect(error?.description).toBe(
				'Enter one plain address such as student@example.com. Nothing was sent.',
			);
		});

		test('bad rows cost only themselves under "continue on fail"', async () => {
			const items = rows(1000).map((row, n) =>
				[17, 400, 401].includes(n) ? { ...row, email: 'x' } : row,
			);
			const result = await addMany({}, { items, ...CONTINUE });
			expect(result.items).toHaveLength(997);
			expect(jsonOf(result.errorItems).map(({ name }) => name)).toEqual([
				'Student 17',
				'Student 400',
				'Student 401',
			]);
			expect(fixture.service.requests).toHaveLength(10);
			const regular = await addMany({}, { items, onError: 'continueRegularOutput' });
			expect(regular.items[400]!.json).toEqual({
				error: expect.stringMatching(/^x was not added \(item 400\): /),
				email: 'x',
				classId: PYTHON.id,
			});
		});

		test('fields of the response are kept, but no lists', async () => {
			fixture.service.temper = { extraAnswerFields: { job: 'j1', students: [1, 2], email: 'x' } };
			const { items } = await addMany({});
			expect(items[0]!.json).toEqual({
				success: true,
				email: 'student@example.com',
				classId: PYTHON.id,
				job: 'j1',
			});
		});
	});

	describe('from a list or JSON', () => {
		test('a list', async () => {
			const student = [
				{ email: 'a@example.com', name: 'A' },
				{ email: ' b@example.com ' },
				{ email: 'c@example.com', name: null },
			] as unknown as INodeParameters[];
			const result = await addMany({ studentsFrom: 'list', students: { student } });
			expect(sent()).toEqual([
				[
					{ email: 'a@example.com', name: 'A' },
					{ email: 'b@example.com' },
					{ email: 'c@example.com' },
				],
			]);
			expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 0, 0].map((item) => ({ item })),
			);
		});

		test.each([
			['a text', (students: unknown) => JSON.stringify(students)],
			['an expression', () => '={{ $json.students }}'],
		])('JSON given as %s', async (_form, write) => {
			const students = [
				{ email: 'a@example.com', name: 'A', expirationDate: '2027-01-01T00:00:00Z' },
				{ email: 'b@example.com', expirationDate: null, note: '1' },
			];
			await addMany(
				{
					studentsFrom: 'json',
					studentsJson: write(students) as string,
					accessExpiration: 'date',
					expirationDate: '2028-01-01T00:00:00Z',
				},
				{ items: [{ students }] },
			);
			expect(sent()).toEqual([
				[
					{ email: 'a@example.com', name: 'A', expirationDate: '2027-01-01T00:00:00.000Z' },
					{ email: 'b@example.com', expirationDate: '2028-01-01T00:00:00.000Z' },
				],
			]);
		});

		test('every item brings its own students, class and batches', async () => {
			const items = [
				{ to: PYTHON.id, students: rows(3) },
				{ to: RUST.id, students: rows(2) },
				{ to: RUST.id, students: 'nonsense' },
			];
			const result = await addMany(
				{
					classId: byId('={{ $json.to }}'),
					studentsFrom: 'json',
					studentsJson: '={{ $json.students }}',
					options: { batchSize: 2 },
				},
				{ items, ...CONTINUE },
			);
			expect(sent().map((students) => students.length)).toEqual([2, 1, 2]);
			expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 0, 0, 1, 1].map((item) => ({ item })),
			);
			expect(jsonOf(result.errorItems)).toEqual([
				{ ...items[2], error: expect.stringContaining('is not valid JSON') },
			]);
		});
	});

	describe('when the service refuses', () => {
		test('a 500 leaves it open what was added', async () => {
			fixture.service.temper = { failWith: { status: 500 } };
			const { error } = await addMany({}, { items: rows(2) });
			expect(error?.message).toContain('unknown: items 0-1');
		});

		test('a 503 with Retry-After leaves nothing open', async () => {
			const headers = { 'Retry-After': '1' };
			fixture.service.temper = { failWith: { status: 503, headers } };
			const { error } = await addMany({ requestOptions: { maxRetries: 0 } }, { items: rows(2) });
			expect(error?.message).toContain('added before the run stopped; not added: items 0-1.');
		});

		test('one student alone fails with what the service says', async () => {
			fixture.service.temper = { failWith: { status: 400 } };
			const { error } = await addMany({}, { items: rows(1) });
			expect(error?.message).toBe(
				'The service rejected the request (status 400): Told to fail with 400',
			);
		});

		test('the lists of many items are named in short', async () => {
			const message = async (count: number) => {
				fixture.service.temper = { failWith: { status: 400 } };
				const { error } = await addMany(
					{ studentsFrom: 'json', studentsJson: '={{ $json.students }}' },
					{ items: rows(count).map((row) => ({ students: [row] })) },
				);
				return error?.message;
			};
			const first20 = Array.from({ length: 20 }, (_, n) => `student 1 of item ${n}`).join('; ');
			expect(await message(20)).toContain(`; not added: ${first20}.`);
			expect(await message(21)).toContain(`; not added: ${first20}; and more.`);
		});

		test('students of a list are named shortly', async () => {
			fixture.service.temper = { rejectEmails: ['student-150@example.com'] };
			const { error } = await addMany(
				{
					studentsFrom: 'json',
					studentsJson: JSON.stringify(rows(300)),
					requestOptions: { maxConcurrentRequests: 1 },
				},
				{},
			);
			expect(error?.message).toContain(
				'added: students 1-100 of item 0; not added: students 101-300 of item 0.',
			);
		});

		test('a credential that cannot be used fails every row', async () => {
			const credential = { baseUrl: 'nowhere', accessToken: 'x' };
			const result = await addMany({}, { items: rows(3), ...CONTINUE, credential });
			expect(result.items).toEqual([]);
			expect(jsonOf(result.errorItems)[2]!.error).toMatch(
				/^student-2@example.com was not added \(item 2\): 'Base URL' .* not a valid URL/,
			);
		});

		test('a request with an unknown outcome is listed apart', async () => {
			fixture.service.temper = {
				drop: { when: 'after', only: ({ body }) => JSON.stringify(body).includes('student-15@') },
			};
			const { error } = await addMany(
				{ options: { batchSize: 10 }, requestOptions: { maxConcurrentRequests: 1 } },
				{ items: rows(30) },
			);
			expect(error?.message).toContain(
				'added: items 0-9; not added: items 20-29; unknown: items 10-19',
			);
			fixture.service.temper.drop!.times = 1;
			const { errorItems } = await addMany(
				{ options: { batchSize: 10 } },
				{ items: rows(30), ...CONTINUE },
			);
			expect(errorItems[0]!.json.error).toContain('may or may not have been added');
		});
	});

	test('honors timeout and batch interval', async () => {
		fixture.service.temper = { latencyMs: 400 };
		const slow = await addMany({ requestOptions: { timeout: 100 } });
		expect(slow.error?.message).toContain('it took too long to respond');
		fixture.service.temper = {};
		fixture.service.resetRecord();
		const batching = { batch: { batchSize: 1, batchInterval: 600 } };
		await addMany(
			{ options: { batchSize: 10 }, requestOptions: { batching } },
			{ items: rows(30) },
		);
		const [first, , third] = fixture.service.requests.map(({ receivedAt }) => receivedAt);
		// Two pauses, less what the first request may have been late.
		expect(third! - first!).toBeGreaterThan(700);
	});

	test('honors the proxy', async () => {
		const { error } = await addMany({
			requestOptions: { proxy: 'http://127.0.0.1:9', maxRetries: 0 },
		});
		expect(error?.message).toMatch(
			/^No response from http:\S+ through the proxy: connection refused$/,
		);
		expect(error?.description).toMatch(
			/^Nothing was changed\. Check the Proxy under Request Options/,
		);
		expect(fixture.service.requests).toEqual([]);
		const { host } = new URL(fixture.service.baseUrl);
		await addMany(
			{ requestOptions: { proxy: ` http://${host} ` } },
			{ credential: { baseUrl: 'http://service.invalid/v1', accessToken: 'test-access-token' } },
		);
		expect(fixture.service.requests).toHaveLength(1);
		expect(fixture.service.requests[0]!.headers).not.toHaveProperty('proxy-authorization');
		await addMany(
			{ requestOptions: { proxy: `http://user:p%40ss@${host}` } },
			{ credential: { baseUrl: 'http://service.invalid/v1', accessToken: 'test-access-token' } },
		);
		expect(fixture.service.requests[1]!.headers['proxy-authorization']).toBe(
			`Basic ${Buffer.from('user:p@ss').toString('base64')}`,
		);
		fixture.allowViolations();
	});

	test.each([
		[{ studentsFrom: 'inputItems' }],
		[{ studentsFrom: 'json', studentsJson: '[{"email": "student@example.com"}]' }],
		[{ studentsFrom: 'list', students: { student: [{ email: 'student@example.com' }] } }],
	] as INodeParameters[][])('by the routing alone, as for a tool: %j', async (parameters) => {
		const { items, error } = await addMany(parameters!, { way: 'routing' });
		expect(error).toBeUndefined();
		expect(sent()).toEqual([[{ email: 'student@example.com' }]]);
		expect(jsonOf(items)).toEqual([
			{ success: true, email: 'student@example.com', classId: PYTHON.id },
		]);
	});
});
