import type { IDataObject } from 'n8n-workflow';
import { type Service, startService } from '../service/service';
import { type RunOptions, type RunResult, runNode } from './engine';
import { jsonOf, linkOf, OPERATIONS, PYTHON, RUST, STUDENT_WRITES } from './fixture';
import { operationOf, type TestedOperation } from './operations';

const BY_ITEM = { baseUrl: '={{ $json.school }}', accessToken: '={{ $json.token }}' };
const NORTH_TOKEN = 'token-of-the-north';
const SOUTH_TOKEN = 'token-of-the-south';
const CONTINUE = { onError: 'continueErrorOutput' as const };

let north: Service;
let south: Service;

beforeEach(async () => {
	[north, south] = await Promise.all([
		startService({ accessToken: NORTH_TOKEN }),
		startService({ accessToken: SOUTH_TOKEN }),
	]);
	for (const { classes } of [north, south]) {
		classes.addClass(PYTHON);
		classes.addClass(RUST);
	}
});

afterEach(async () => {
	await Promise.all([north.close(), south.close()]);
	expect([north.violations, south.violations]).toEqual([[], []]);
});

const of = ({ baseUrl, accessToken }: Service) => ({ school: baseUrl, token: accessToken });
const emailOf = (name: number | string) => `student-${name}@example.com`;

/** Runs an operation, also on students by its name alone. The students of the items are in all classes before. */
async function run(
	tested: TestedOperation | string,
	items: IDataObject[],
	options: Partial<RunOptions> = {},
): Promise<RunResult> {
	const students = items.map(({ email }) => ({ email: String(email) }));
	for (const { classes } of [north, south]) {
		classes.enroll(
			classes.listClasses().map(({ id }) => id),
			students,
		);
	}
	const found = typeof tested === 'string' ? operationOf(`student ${tested}`) : tested;
	const { resource, operation, valid, ofItem } = found;
	const { parameters, ...others } = options;
	return await runNode({
		credential: BY_ITEM,
		items,
		parameters: { resource, operation, ...valid, ...ofItem, ...parameters },
		...others,
	});
}

/** Whom a service was asked for, whatever the number of requests. */
function emailsAt({ requests }: Service): string[] {
	const bodies = requests.map(({ body }) => body as { email?: string; students?: IDataObject[] });
	return bodies.flatMap(({ email, students = [] }) => [
		...(email === undefined ? [] : [email]),
		...students.map((student) => String(student.email)),
	]);
}

function expectOwnTokens(): void {
	for (const { requests, accessToken } of [north, south]) {
		expect(requests.length).toBeGreaterThan(0);
		for (const { headers, status } of requests) {
			expect([headers.authorization, status]).toEqual([`Bearer ${accessToken}`, 200]);
		}
	}
}

describe.each(['step', 'routing'] as const)('a credential by item, as a %s', (way) => {
	test.each(STUDENT_WRITES)('$name calls the school of each item', async (operation) => {
		const items = [north, south, south, north, south].map((school, index) => ({
			email: emailOf(index),
			...of(school),
		}));
		const { error, items: output } = await run(operation, items, { way });
		expect(error).toBeUndefined();
		expectOwnTokens();
		expect(emailsAt(north).sort()).toEqual([0, 3].map(emailOf));
		expect(emailsAt(south).sort()).toEqual([1, 2, 4].map(emailOf));
		expect(jsonOf(output).map(({ email }) => email)).toEqual([0, 1, 2, 3, 4].map(emailOf));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
	});

	test('Get Many lists the classes of the school of each item', async () => {
		north.classes.addClass({ name: 'Only in the north' });
		south.classes.addClass({ name: 'Only in the south' });
		const { error, items } = await run(operationOf('class getAll'), [of(south), of(north)], {
			way,
		});
		expect(error).toBeUndefined();
		expectOwnTokens();
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			[PYTHON.name, { item: 0 }],
			[RUST.name, { item: 0 }],
			['Only in the south', { item: 0 }],
			[PYTHON.name, { item: 1 }],
			[RUST.name, { item: 1 }],
			['Only in the north', { item: 1 }],
		]);
	});

	test.each([
		'={{ $json.token || "token-of-the-north" }}',
		'={{ $input.item?.json.token ?? "token-of-the-north" }}',
		'={{ $("Items").item.json.token ?? "token-of-the-north" }}',
		'={{ $itemIndex === 0 ? "token-of-the-north" : "token-of-the-south" }}',
		'={{ ["token-of-the-north", "token-of-the-south"][$itemIndex] }}',
	])('the token of the second item is not lost after a default: %s', async (accessToken) => {
		const credential = { baseUrl: `={{ $json.school || "${north.baseUrl}" }}`, accessToken };
		const items = [{ email: emailOf(0) }, { email: emailOf(1), ...of(south) }];
		for (const operation of ['addToClass', 'addManyToClass']) {
			north.resetRecord();
			south.resetRecord();
			const { error } = await run(operation, items, { credential, way });
			expect(error).toBeUndefined();
			expectOwnTokens();
			expect([emailsAt(north), emailsAt(south)]).toEqual([[emailOf(0)], [emailOf(1)]]);
		}
	});

	test.each(OPERATIONS)(
		'$name: a credential that cannot be used is an error of its item',
		async (operation) => {
			const items = [of(north), { school: '', token: NORTH_TOKEN }, of(south)].map(
				(school, index) => ({ email: emailOf(index), ...school }),
			);
			const continued = await run(operation, items, { way, ...CONTINUE });
			expect(continued.error).toBeUndefined();
			expect(jsonOf(continued.errorItems)).toEqual([
				{
					...items[1],
					error: expect.stringMatching(
						/^(student-1@example.com was not added \(item 1\): )?'Base URL' of the credential is not a valid URL/,
					),
				},
			]);
			expect([...new Set(continued.items.map(linkOf))]).toEqual([0, 2]);
			expectOwnTokens();
		},
	);
});

test.each(OPERATIONS)(
	'$name sends nothing where the credential of one item cannot be used',
	async (operation) => {
		const items = [of(north), of(south), { school: '', token: NORTH_TOKEN }].map(
			(school, index) => ({ email: emailOf(index), ...school }),
		);
		const { error } = await run(operation, items);
		expect(error?.message).toMatch(/^'Base URL' of the credential .*\[item 2\]$/);
		expect(error?.context).toMatchObject({ itemIndex: 2 });
		expect([north.requests, south.requests]).toEqual([[], []]);
	},
);

describe('Add Many', () => {
	test('sends one request to each school', async () => {
		const items = Array.from({ length: 20 }, (_, index) => ({
			email: emailOf(index),
			...of(index % 2 === 0 ? north : south),
		}));
		const { items: added } = await run('addManyToClass', items);
		expect(added).toHaveLength(20);
		expect([north, south].map(({ requests }) => requests.length)).toEqual([1, 1]);
		expectOwnTokens();
	});

	test('adds a student to the same class ID of two schools', async () => {
		const items = [north, south].map((school) => ({ email: emailOf('x'), ...of(school) }));
		const { items: added } = await run('addManyToClass', items);
		expect(added).toHaveLength(2);
		for (const school of [north, south]) {
			expect(school.classes.studentsOf(PYTHON.id)).toEqual([{ email: emailOf('x') }]);
			expect(school.requests).toHaveLength(1);
		}
	});

	test('keeps what one school refuses apart from the other', async () => {
		south.classes.deleteClass(PYTHON.id);
		const items = Array.from({ length: 6 }, (_, index) => ({
			email: emailOf(index),
			...of(index % 2 === 0 ? north : south),
		}));
		const { items: added, errorItems } = await run('addManyToClass', items, CONTINUE);
		expect(jsonOf(added).map(({ email }) => email)).toEqual([0, 2, 4].map(emailOf));
		expect(jsonOf(errorItems).map(({ email }) => email)).toEqual([1, 3, 5].map(emailOf));
	});
});

describe('a credential without expressions', () => {
	test.each(OPERATIONS)('is read only once for many items of $name', async (operation) => {
		const count = 200;
		const items = Array.from({ length: count }, (_, index) => ({ email: emailOf(index) }));
		let reads = 0;
		const options = { credential: north, onCredentialRead: () => void reads++ };
		const { error, items: output } = await run(operation, items, options);
		expect(error).toBeUndefined();
		expect(output.length).toBeGreaterThanOrEqual(count);
		expect(reads).toBe(1);
	});

	test('is read for each item where only its place among the items counts', async () => {
		const accessToken = `={{ $itemIndex === 0 ? "${NORTH_TOKEN}" : "${SOUTH_TOKEN}" }}`;
		const items = [0, 1].map((n) => ({ email: emailOf(n) }));
		const credential = { baseUrl: north.baseUrl, accessToken };
		const { items: done, errorItems } = await run('addToClass', items, { credential, ...CONTINUE });
		expect(jsonOf(done).map(({ email }) => email)).toEqual([emailOf(0)]);
		expect(jsonOf(errorItems).map(({ email }) => email)).toEqual([emailOf(1)]);
	});

	test('is read for each item where it has one', async () => {
		const items = Array.from({ length: 50 }, (_, n) => ({ email: emailOf(n), ...of(north) }));
		let reads = 0;
		await run('addManyToClass', items, { onCredentialRead: () => void reads++ });
		expect(reads).toBeGreaterThanOrEqual(50);
		expect(reads).toBeLessThanOrEqual(51);
	});
});

test('a credential that n8n cannot read says why', async () => {
	let thrown: unknown;
	const onCredentialRead = () => {
		throw thrown;
	};
	const options = { credential: north, onCredentialRead };
	for (thrown of [new Error('No access'), 'No access']) {
		for (const operation of ['addToClass', 'addManyToClass']) {
			const { error } = await run(operation, [{ email: emailOf(0) }], options);
			expect(error?.message).toBe('No access');
		}
	}
	const { error } = await run('addManyToClass', [{ email: emailOf(0) }], options);
	expect(error?.description).toBe('Nothing was sent.');
	expect(north.requests).toEqual([]);
});

describe('where one school is down', () => {
	const schoolsOf = (count: number) =>
		Array.from({ length: count }, (_, index) => (index < count / 2 ? north : south));

	test.each(['addToClass', 'addManyToClass', 'sendMagicLink'])(
		'%s serves the students of the other',
		async (operation) => {
			const items = schoolsOf(24).map((school, index) => ({
				email: emailOf(index),
				...of(school),
			}));
			await north.close();
			const {
				error,
				items: done,
				errorItems,
			} = await run(operation, items, {
				...CONTINUE,
				parameters: { requestOptions: { maxRetries: 0 } },
			});
			expect(error).toBeUndefined();
			expect(jsonOf(done).map(({ email }) => email)).toEqual(
				items.slice(12).map(({ email }) => email),
			);
			expect(emailsAt(south).sort()).toEqual(
				items
					.slice(12)
					.map(({ email }) => email)
					.sort(),
			);
			const errors = jsonOf(errorItems) as Array<{ email: string; error: string }>;
			expect(errors.map(({ email }) => email)).toEqual(
				items.slice(0, 12).map(({ email }) => email),
			);
			for (const { error: text } of errors) expect(text).toContain('connection refused');
		},
		30_000,
	);
});
