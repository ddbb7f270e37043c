import type { IDataObject } from 'n8n-workflow';
import { type Service, startService } from '../service/service';
import { type RunOptions, type RunResult, WAY } from './engine';
import {
	CONTINUE,
	emailOf,
	emailsIn,
	emailsOf,
	errorsOf,
	indexes,
	linkOf,
	NO_RETRIES,
	OPERATIONS,
	PYTHON,
	rows,
	RUST,
	STUDENT_WRITES,
	operationOf,
	type TestedOperation,
	useService,
} from './fixture';

/** By expressions, from fields of the item. */
const BY_ITEM = { baseUrl: '={{ $json.school }}', accessToken: '={{ $json.token }}' };
const NORTH_TOKEN = 'test-access-token';
const SOUTH_TOKEN = 'token-of-the-south';

const fixture = useService();
let north: Service;
let south: Service;

beforeEach(async () => {
	north = fixture.service;
	south = await startService({ accessToken: SOUTH_TOKEN });
	for (const known of [PYTHON, RUST]) south.classes.addClass(known);
});

afterEach(async () => {
	await south.close();
	expect(south.violations).toEqual([]);
});

type Access = Pick<Service, 'baseUrl' | 'accessToken'>;
const of = ({ baseUrl, accessToken }: Access) => ({ school: baseUrl, token: accessToken });
const UNUSABLE = { baseUrl: '', accessToken: NORTH_TOKEN };
/** A student for each school. */
const studentsAt = (...schools: Access[]) =>
	schools.map((school, n) => ({ email: emailOf(n), ...of(school) }));

/** Runs an operation, also on students by its name alone. The students of the items are in all classes before. */
async function run(
	tested: TestedOperation | string,
	items: IDataObject[],
	{ parameters, ...options }: Partial<RunOptions> = {},
): Promise<RunResult> {
	const students = items.map(({ email }) => ({ email: String(email) }));
	for (const { classes } of [north, south]) {
		for (const { id } of classes.listClasses()) classes.enroll([id], students);
	}
	const operation = typeof tested === 'string' ? operationOf(`student ${tested}`) : tested;
	const all = { ...operation.ofItem, ...parameters };
	return await fixture.run(operation, all, { credential: BY_ITEM, items, ...options });
}

const emailsAt = ({ requests }: Service) => emailsIn(requests).sort();

function expectOwnTokens(): void {
	for (const { requests, accessToken } of [north, south]) {
		expect(requests.length).toBeGreaterThan(0);
		for (const { headers, status } of requests) {
			expect([headers.authorization, status]).toEqual([`Bearer ${accessToken}`, 200]);
		}
	}
}

describe('a credential by item', () => {
	test.each(STUDENT_WRITES)('$name calls the school of each item', async (operation) => {
		const items = studentsAt(north, south, south, north, south);
		const { error, items: output } = await run(operation, items);
		expect(error).toBeUndefined();
		expectOwnTokens();
		expect(emailsAt(north)).toEqual([0, 3].map(emailOf));
		expect(emailsAt(south)).toEqual([1, 2, 4].map(emailOf));
		expect(emailsOf(output)).toEqual(indexes(5).map(emailOf));
		expect(output.map(linkOf)).toEqual(indexes(5));
		// Add Many sends one request to each.
		expect(north.requests).toHaveLength(operation.operation === 'addManyToClass' ? 1 : 2);
	});

	test.each([
		'={{ $json.token || "test-access-token" }}',
		'={{ $input.item?.json.token ?? "test-access-token" }}',
		'={{ $("Items").item.json.token ?? "test-access-token" }}',
		'={{ $itemIndex === 0 ? "test-access-token" : "token-of-the-south" }}',
		'={{ ["test-access-token", "token-of-the-south"][$itemIndex] }}',
	])('the token of the second item is not lost after a default: %s', async (accessToken) => {
		const credential = { baseUrl: `={{ $json.school || "${north.baseUrl}" }}`, accessToken };
		const items = [{ email: emailOf(0) }, { email: emailOf(1), ...of(south) }];
		for (const operation of ['addToClass', 'addManyToClass']) {
			north.resetRecord();
			south.resetRecord();
			const { error } = await run(operation, items, { credential });
			expect(error).toBeUndefined();
			expectOwnTokens();
			expect([emailsAt(north), emailsAt(south)]).toEqual([[emailOf(0)], [emailOf(1)]]);
		}
	});

	test.each(OPERATIONS)('$name: one that cannot be used fails its item', async (operation) => {
		const items = studentsAt(north, UNUSABLE, south);
		const { items: done, errorItems } = await run(operation, items, CONTINUE);
		const error = expect.stringMatching(
			/^(student-1@example.com: not \w+: )?'Base URL' of the credential is not a valid URL/,
		) as string;
		expect(errorItems.map(({ json }) => json)).toEqual([{ ...items[1], error }]);
		expect([...new Set(done.map(linkOf))]).toEqual([0, 2]);
		expectOwnTokens();
	});

	test.each(OPERATIONS)('$name: without "continue", nothing is sent then', async (operation) => {
		const { error } = await run(operation, studentsAt(north, south, UNUSABLE));
		expect(error?.message).toMatch(/^'Base URL' of the credential .*\[item 2\]$/);
		expect(error?.context).toMatchObject({ itemIndex: 2 });
		expect([north.requests, south.requests]).toEqual([[], []]);
	});

	test('Add Many adds a student to the same class ID of two schools', async () => {
		const items = [north, south].map((school) => ({ email: emailOf(0), ...of(school) }));
		const { items: added } = await run('addManyToClass', items);
		expect(added).toHaveLength(2);
		expect([emailsAt(north), emailsAt(south)]).toEqual([[emailOf(0)], [emailOf(0)]]);
	});

	test.each(STUDENT_WRITES)('$name keeps two tokens at one address apart', async (operation) => {
		// Each batch of n8n may be a run.
		const batching = { batch: { batchSize: 1, batchInterval: 9 } };
		for (const requestOptions of [{}, { batching }]) {
			for (const refused of [0, 1]) {
				const tokens = [0, 1].map((item) => (item === refused ? SOUTH_TOKEN : NORTH_TOKEN));
				const items = tokens.map((accessToken) => ({
					email: emailOf(0),
					...of({ ...north, accessToken }),
				}));
				north.resetRecord();
				const options = { ...CONTINUE, parameters: { requestOptions } };
				const { items: done, errorItems } = await run(operation, items, options);
				expect([errorItems.map(linkOf), done.map(linkOf)]).toEqual([[refused], [1 - refused]]);
				const sent = north.requests.map(({ headers }) => headers.authorization);
				expect(sent.sort()).toEqual(tokens.map((token) => `Bearer ${token}`).sort());
			}
		}
	});

	test.each(STUDENT_WRITES)('$name serves a school if the other is down', async (operation) => {
		const items = studentsAt(...indexes(24).map((n) => (n < 12 ? north : south)));
		await north.close();
		const options = { ...CONTINUE, parameters: NO_RETRIES };
		const result = await run(operation, items, options);
		expect(result.items.map(linkOf)).toEqual(indexes(12).map((n) => n + 12));
		expect(emailsAt(south)).toEqual(emailsOf(result.items).sort());
		expect(result.errorItems.map(linkOf)).toEqual(indexes(12));
		for (const text of errorsOf(result)) expect(text).toContain('connection refused');
	});
});

describe('n8n reads a credential', () => {
	test.each(OPERATIONS)('once for many items of $name', async (operation) => {
		let reads = 0;
		const options = { credential: north, onCredentialRead: () => void reads++ };
		const { items } = await run(operation, rows(200), options);
		expect(items.length).toBeGreaterThanOrEqual(200);
		// By the routing, for each item: that is slow anyway.
		expect(reads).toBeLessThanOrEqual(WAY === 'step' ? 1 : 201);
	});

	test('once where it cannot be used, which is said once', async () => {
		let reads = 0;
		const credential = { ...north, baseUrl: '' };
		const onCredentialRead = () => void reads++;
		const { error } = await run('addManyToClass', rows(200), { credential, onCredentialRead });
		expect(error?.message).toContain("'Base URL' of the credential is not a valid URL");
		expect(reads).toBeLessThanOrEqual(WAY === 'step' ? 1 : 201);
		if (WAY === 'step') expect(error?.description).not.toContain('Also invalid');
	});

	test('for each item where it has expressions', async () => {
		const items = studentsAt(...indexes(50).map(() => north));
		let reads = 0;
		await run('addManyToClass', items, { onCredentialRead: () => void reads++ });
		expect(reads).toBeGreaterThanOrEqual(50);
		if (WAY === 'step') expect(reads).toBeLessThanOrEqual(51);
	});

	if (WAY === 'step') {
		test('and what it says if it cannot is shown', async () => {
			const onCredentialRead = () => {
				throw new Error('No access');
			};
			for (const operation of ['addToClass', 'addManyToClass']) {
				const options = { credential: north, onCredentialRead };
				const { error } = await run(operation, rows(1), options);
				expect(error?.message).toBe('No access');
			}
			expect(north.requests).toEqual([]);
		});
	}
});
