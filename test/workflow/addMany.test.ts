import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RequestRecord } from '../service/service';
import type { RunOptions, RunResult } from './engine';
import {
	byId,
	CONTINUE,
	emailOf,
	emailsOf,
	errorsOf,
	indexes,
	isFor,
	jsonOf,
	linkOf,
	NO_RETRIES,
	ONE_BY_ONE,
	PYTHON,
	rows,
	RUST,
	studentsIn,
	useService,
} from './fixture';

const ENROLLING = ['addToClass', 'addToClasses'];
const REMOVING = ['removeFromClass', 'removeFromClasses'];
const FROM_JSON = { studentsFrom: 'json', studentsJson: '={{ $json.students }}' };
const DATED = { email: 'a@example.com', expirationDate: '2027-01-31T00:00:00Z' };
const CLASS_OF_ITEM = { classId: byId('={{ $json.to }}') };

interface Stop {
	parameters: INodeParameters;
	items: IDataObject[];
	status: number;
	says: string;
}

const fixture = useService();

const addMany = async (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
	await fixture.student('addManyToClass', parameters, options);
const sent = () => fixture.service.requests.map(studentsIn);
const sizes = () => sent().map(({ length }) => length);
const inPython = () => fixture.service.classes.studentsOf(PYTHON.id).map(({ email }) => email);
const linksOf = ({ items, errorItems }: RunResult) =>
	[items, errorItems].map((all) => all.map(linkOf));

describe('the students of the input items', () => {
	test.each([
		[250, {}, [100, 100, 50]],
		[20, { batchSize: 7 }, [7, 7, 6]],
	])('are sent in batches, and each has its item: %i, %j', async (count, options, expected) => {
		const items = rows(count).map((row, n) => ({ ...row, name: `Student ${n}` }));
		const result = await addMany({ options }, { items });
		expect(sizes()).toEqual(expected);
		expect(jsonOf(result.items)).toEqual(
			items.map((row) => ({ success: true, ...row, classId: PYTHON.id })),
		);
		expect(linksOf(result)).toEqual([indexes(count), []]);
	});

	test('are read from the named fields, also nested ones and ones with dots in their names', async () => {
		const items = [
			{ user: { mail: 'a@example.com' }, 'full.name': 'A', until: '2027-01-31' },
			{ user: { mail: ' b@example.com ' }, 'full.name': ' ', until: '' },
			{ user: { mail: 'c@example.com' }, until: '2027-02-01T00:00:00+01:00' },
		];
		const fields = { emailField: 'user.mail', nameField: 'full.name', expirationField: 'until' };
		await addMany({ accessExpiration: 'field', ...fields }, { items });
		expect(sent()[0]).toEqual([
			{ email: 'a@example.com', name: 'A', expirationDate: '2027-01-31T03:00:00.000Z' },
			{ email: 'b@example.com' },
			{ email: 'c@example.com', expirationDate: '2027-01-31T23:00:00.000Z' },
		]);
	});

	test('have their own kind of expiration where that is an expression', async () => {
		const items = [
			{ ...DATED, kind: 'field' },
			{ email: 'b@example.com', kind: 'none' },
			{ email: 'c@example.com', kind: 'date', end: '2027-05-05T00:00:00Z' },
		];
		const expiration = {
			accessExpiration: '={{ $json.kind }}',
			expirationDate: '={{ $json.end }}',
		};
		await addMany(expiration, { items });
		expect(sent()[0]!.map(({ expirationDate }) => expirationDate)).toEqual([
			'2027-01-31T00:00:00.000Z',
			undefined,
			'2027-05-05T00:00:00.000Z',
		]);
	});

	const listed = indexes(20).map((n) => 2 * n + 2);
	test.each([
		[[17], ''],
		[[17, 401], 'Also invalid (1): item 401. '],
		[[17, 401, 403], 'Also invalid (2): items 401, 403. '],
		[[0, 1, 2], 'Also invalid (2): items 1-2. '],
		[
			[...indexes(21).map((n) => 2 * n), 101, 102],
			`Also invalid (22): items ${listed.join(', ')}, and more. `,
		],
		[indexes(21).map((n) => 2 * n), `Also invalid (20): items ${listed.join(', ')}. `],
	])('are not sent where some are invalid, who are named in short: %j', async (bad, report) => {
		const items = rows(500).map((row, n) => (bad.includes(n) ? { email: 'x' } : row));
		const { error } = await addMany({}, { items });
		expect(fixture.service.requests).toEqual([]);
		expect(error?.message).toContain(`is not an email address: "x" [item ${bad[0]}]`);
		expect(error?.description).toMatch(/^Enter one plain address such as student@example.com\./);
		expect(error?.description).toContain(`${report}Nothing was changed.`);
		expect(error?.context).toMatchObject({ itemIndex: bad[0] });
	});
});

describe('the students of a list or JSON', () => {
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
		expect(linksOf(result)).toEqual([[0, 0, 0], []]);
	});

	test('JSON given as a text or as a value', async () => {
		const students = [DATED, { email: 'b@example.com', expirationDate: null, name: '' }];
		for (const studentsJson of [JSON.stringify(students), '={{ $json.students }}']) {
			const expiration = { accessExpiration: 'date', expirationDate: '2028-01-01T00:00:00Z' };
			await addMany({ ...FROM_JSON, studentsJson, ...expiration }, { items: [{ students }] });
			expect(sent().at(-1)).toEqual([
				{ ...DATED, expirationDate: '2027-01-31T00:00:00.000Z' },
				{ email: 'b@example.com', expirationDate: '2028-01-01T00:00:00.000Z' },
			]);
		}
	});

	test('a date from a misspelled field gives nobody access for life', async () => {
		const studentsJson =
			'={{ [{ email: "a@example.com", expirationDate: null }, { email: "b@example.com", expirationDate: $json.end }] }}';
		const { error } = await addMany({ ...FROM_JSON, studentsJson }, { items: [{ ends: '2030' }] });
		expect(error?.message).toBe("'Students (JSON): expirationDate' is empty [student 2 of item 0]");
		expect(error?.description).toContain('null');
		expect(sent()).toEqual([]);
	});

	test.each(['', ' '])('nor one in a text, which is empty then: "%s"', async (blank) => {
		// n8n puts nothing in the place of what is undefined.
		const studentsJson = `=[{ "email": "a@example.com", "expirationDate": "${blank}{{ $json.end }}" }]`;
		const { error } = await addMany({ ...FROM_JSON, studentsJson }, { items: [{ ends: '2030' }] });
		expect(error?.message).toBe("'Students (JSON): expirationDate' is empty [student 1 of item 0]");
		expect(sent()).toEqual([]);
	});

	test('the output of additions and removals', async () => {
		const item = { items: [{ email: 'a@example.com', name: 'A' }] };
		const ends = { accessExpiration: 'date', expirationDate: '2127-01-01' };
		const ofItem = { email: 'a@example.com', classIds: [PYTHON.id], ...ends };
		for (const operation of [...ENROLLING, ...REMOVING]) {
			const { items } = await fixture.student(operation, ofItem, item);
			const studentsJson = JSON.stringify(jsonOf(items));
			const { error } = await addMany({ studentsFrom: 'json', studentsJson });
			expect(error).toBeUndefined();
			expect(sent().at(-1)).toEqual([
				{
					email: 'a@example.com',
					...(ENROLLING.includes(operation) && { expirationDate: items[0]!.json.expirationDate }),
				},
			]);
		}
	});

	test.each([
		['expiresAt', { expiresAt: '2127-01-01' }],
		['expiresAt', { success: true, expiresAt: '2127-01-01' }],
		['expiresAt', { deleted: true, expiresAt: '2127-01-01' }],
		['classId', { classId: RUST.id }],
		['removedAt', { deleted: true, removedAt: '2026-01-01' }],
	])("not a field that only looks like the node's own: %s", async (key, fields) => {
		const studentsJson = JSON.stringify([{ email: 'a@example.com', ...fields }]);
		const { error } = await addMany({ studentsFrom: 'json', studentsJson });
		expect(error?.message).toContain(`has an unknown field "${key}"`);
		expect(fixture.service.requests).toEqual([]);
	});

	test('an address that is a number rejects its own row only', async () => {
		const studentsJson = JSON.stringify([{ email: 42 }, ...rows(1)]);
		const { items, errorItems } = await addMany({ studentsFrom: 'json', studentsJson }, CONTINUE);
		const error = expect.stringContaining('is not an email address: "42" [student 1 of item 0]');
		expect(jsonOf(errorItems)).toMatchObject([{ error }]);
		expect(jsonOf(items)).toMatchObject([{ email: emailOf(0) }]);
	});

	test('every item brings its own students, class and date', async () => {
		const items = [
			{ to: PYTHON.id, end: '2027-01-31T00:00:00.000Z', students: rows(3) },
			{ to: RUST.id, end: '2027-02-28T00:00:00.000Z', students: rows(2) },
			{ to: RUST.id, students: 'nonsense' },
		];
		const expiration = { accessExpiration: 'date', expirationDate: '={{ $json.end }}' };
		const parameters = { ...CLASS_OF_ITEM, ...FROM_JSON, ...expiration, options: { batchSize: 2 } };
		const result = await addMany(parameters, { items, ...CONTINUE });
		expect(sizes()).toEqual([2, 1, 2]);
		expect(linksOf(result)).toEqual([[0, 0, 0, 1, 1], [2]]);
		expect(
			jsonOf(result.items).map(({ classId, expirationDate }) => [classId, expirationDate]),
		).toEqual([0, 0, 0, 1, 1].map((n) => [items[n]!.to, items[n]!.end]));
		expect(errorsOf(result)).toEqual([expect.stringContaining('is not valid JSON')]);
	});

	const SIXTY = { ...FROM_JSON, studentsJson: JSON.stringify(rows(60)) };
	test.each<[string, INodeParameters]>([
		['classId', { classId: byId(`={{ Math.random() < 0.5 ? "${PYTHON.id}" : "${RUST.id}" }}`) }],
		[
			'expirationDate',
			{ accessExpiration: 'date', expirationDate: '={{ $now.plus(9e9 * Math.random()) }}' },
		],
	])('%s is evaluated once for all of an item', async (field, parameters) => {
		const { items } = await addMany({ ...SIXTY, ...parameters });
		expect(items).toHaveLength(60);
		expect(new Set(jsonOf(items).map((json) => json[field])).size).toBe(1);
	});

	test('a class or a date that cannot be used fails each, but for who has a date', async () => {
		const studentsJson = JSON.stringify([...rows(2), DATED]);
		const expiration = { accessExpiration: 'date', expirationDate: '={{ null }}' };
		const undated = await addMany({ ...FROM_JSON, studentsJson, ...expiration }, CONTINUE);
		expect(emailsOf(undated.items)).toEqual([DATED.email]);
		expect(errorsOf(undated)).toEqual(
			indexes(2).map((n) =>
				expect.stringMatching(
					`^${emailOf(n)}: rejected: .* is empty \\[student ${n + 1} of item 0\\]`,
				),
			),
		);
		const failed = await addMany({ ...SIXTY, classId: byId('={{ null }}') }, CONTINUE);
		expect(errorsOf(failed)).toHaveLength(60);
		expect(errorsOf(failed)[59]).toContain("'Class' is empty [student 60 of item 0]");
	});
});

describe('when the service refuses students', () => {
	const isBad = (bad: number[]) => (request: RequestRecord) =>
		bad.some((n) => isFor(emailOf(n))(request));

	test.each<[string, number, number[], number]>([
		['scattered', 100, indexes(100).filter((n) => (n * 37) % 100 < 27), 120],
		['all', 100, indexes(100), 120],
		['the first', 100, [0], 20],
		['one in the middle', 100, [42], 20],
		['the last', 100, [99], 20],
		['one in each batch', 200, [42, 177], 40],
	])('all others get in: %s of %i', async (_where, count, bad, mostRequests) => {
		fixture.service.temper = { rejectEmails: bad.map(emailOf) };
		const result = await addMany({}, { items: rows(count), ...CONTINUE });
		const good = indexes(count).filter((n) => !bad.includes(n));
		expect(linksOf(result)).toEqual([good, bad]);
		for (const [index, error] of errorsOf(result).entries()) {
			const email = emailOf(bad[index]!);
			expect(error).toContain(`${email}: rejected by the service (status 400)`);
			expect(error).toContain(`(status 400): Email not accepted: ${email} [`);
		}
		expect(inPython().slice(1)).toEqual(expect.arrayContaining(good.map(emailOf)));
		expect(inPython()).toHaveLength(1 + good.length);
		expect(fixture.service.requests.length).toBeLessThanOrEqual(mostRequests);
	});

	const ERROR = { status: 'error', message: 'Blocked' };
	test.each([200, 400, 404, 409, 413, 422])('a request is divided after %i', async (status) => {
		fixture.service.temper = { failWith: { status, body: ERROR, only: isBad([17]) } };
		const result = await addMany({}, { items: rows(40), ...CONTINUE });
		expect(linksOf(result)).toEqual([indexes(40).filter((n) => n !== 17), [17]]);
		expect(errorsOf(result)).toEqual([expect.stringContaining(`(status ${status}): Blocked`)]);
	});

	test.each([
		[401, 1, 'not added'],
		[403, 1, 'not added'],
		[500, 1, 'unknown if added'],
		[429, 10, 'not added'],
		[503, 10, 'not added'],
	])('a request is not divided after %i', async (status, least, outcome) => {
		fixture.service.temper = { failWith: { status, headers: { 'Retry-After': '0' } } };
		const result = await addMany({}, { items: rows(50), ...CONTINUE });
		expect(linksOf(result)).toEqual([[], indexes(50)]);
		for (const [index, error] of errorsOf(result).entries()) {
			expect(error).toMatch(new RegExp(`^${emailOf(index)}: ${outcome}.* \\[item ${index}\\]`));
			expect(error).toContain(`(status ${status})`);
		}
		expect(new Set(sizes())).toEqual(new Set([50]));
		expect(sizes().length).toBeGreaterThanOrEqual(least);
		if (least === 1) expect(sizes()).toHaveLength(1);
	});

	describe('without "continue on fail"', () => {
		const TENS = { options: { batchSize: 10 }, ...ONE_BY_ONE };

		const LIST = { ...FROM_JSON, ...TENS };
		test.each`
			who                            | parameters    | items                       | status | says
			${'items'}                     | ${TENS}       | ${rows(50)}                 | ${400} | ${'. The node stopped. Added: items 0-19. Unknown if added: items 20-29. Not added: items 30-49.'}
			${'the students of a list'}    | ${LIST}       | ${[{ students: rows(50) }]} | ${500} | ${'Added: students 1-20 of item 0. Unknown if added: students 21-30 of item 0. Not added: students 31-50 of item 0.'}
			${'students who were put off'} | ${NO_RETRIES} | ${rows(2)}                  | ${429} | ${'. The node stopped. Not added: items 0-1.'}
		`('the error says who was added: $who', async ({ parameters, items, status, says }: Stop) => {
			const only = items.length === 2 ? undefined : isBad([25]);
			fixture.service.temper = { failWith: { status, only } };
			const result = await addMany(parameters, { items });
			expect(result.items).toEqual([]);
			expect(result.error?.message).toContain(`(status ${status})`);
			expect(result.error?.message).toContain(says);
			// Nothing is divided.
			expect(fixture.service.requests).toHaveLength(only ? 3 : 1);
			expect(inPython().slice(1)).toEqual(only ? indexes(20).map(emailOf) : []);
		});

		test.each([
			[20, '.'],
			[21, '; and more.'],
		])('the lists of %i items are named in short', async (count, end) => {
			fixture.service.temper = { failWith: { status: 400 } };
			const first20 = indexes(20).map((n) => `student 1 of item ${n}`);
			const items = rows(count).map((row) => ({ students: [row] }));
			expect((await addMany(FROM_JSON, { items })).error?.message).toContain(
				`. Unknown if added: ${first20.join('; ')}${end}`,
			);
		});
	});
});
