import upperFirst from 'lodash/upperFirst';
import {
	type IDataObject,
	type INode,
	type INodeParameters,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestRecord, type Service, startService, type Student } from '../service/service';
import { type RetryOf, type RunOptions, type RunResult, saved, WAY } from './engine';
import {
	ADDITIONS,
	byId,
	jsonOf,
	linkOf,
	PYTHON,
	rows,
	RUST,
	STUDENT_WRITES,
	studentsIn,
	textOf,
	useService,
} from './fixture';
import { operationOf } from './operations';

/** A way in which n8n tries again. */
interface Kind {
	name: string;
	onError?: INode['onError'];
	workflow?: RetryOf['workflow'];
}

// n8n runs a node again, with the same items, where its first output item is an error or where it throws.
const ON_FAIL: Kind[] = [
	{ name: 'Retry On Fail' },
	{ name: 'Retry On Fail with Continue', onError: 'continueRegularOutput' },
	{ name: 'Retry On Fail with an error output', onError: 'continueErrorOutput' },
];
const CURRENT: Kind = { name: 'Retry with the current workflow', workflow: 'current' };
const ORIGINAL: Kind = { name: 'Retry with the original workflow', workflow: 'original' };
const OF_EXECUTION = [CURRENT, ORIGINAL];
// Where n8n runs the routing, it retries no execution.
const describeRetry = WAY === 'routing' ? () => {} : describe;
const KINDS = WAY === 'routing' ? ON_FAIL : [...ON_FAIL, ...OF_EXECUTION];
const STOPPING = KINDS.filter(({ onError }) => !onError);
const CONTINUING = KINDS.filter(({ onError }) => onError);

const ONE_BY_ONE = { options: { batchSize: 1 }, requestOptions: { maxConcurrentRequests: 1 } };
const BY_ITEM = { email: '={{ $json.email }}', ...ONE_BY_ONE };
const UNTIL_2030 = { accessExpiration: 'date', expirationDate: '2030-01-01' };
const FOR_A_YEAR = { accessExpiration: 'duration', durationAmount: 12 };
const LATE = { email: 'late@example.com', title: 'Late' };
const ONE_OR_MANY = ['sendMagicLink', 'addManyToClass'];

/** Two rows of one student, with a class in common. */
const OVERLAPPING = [
	{ email: 'x@example.com', classIds: [PYTHON.id, RUST.id], end: '2028-06-01' },
	{ email: 'x@example.com', classIds: [RUST.id], end: '2030-06-01' },
];
const BY_ITEM_WITH_END = {
	...BY_ITEM,
	classIds: '={{ $json.classIds }}',
	accessExpiration: 'date',
	expirationDate: '={{ $json.end }}',
};

/** Reads input items such as "x, y": a student each. */
const rowsIn = (names: string) =>
	names.split(', ').map((name) => ({ email: `${name}@example.com` }));

const inWords = ({ email, expirationDate }: Student) =>
	[email.split('@')[0], expirationDate?.slice(0, 4)].filter(Boolean).join(' ');
/** What a request says about its students, such as "x 2027": whose access ends then. */
const changesIn = (request: RequestRecord) => studentsIn(request).map(inWords);
/** What an output item says, in the same words. */
const claimIn = (json: IDataObject) => inWords(json as unknown as Student);

const fixture = useService();

const isAbout = (text: string) => (request: RequestRecord) =>
	changesIn(request).some((change) => `${change} `.startsWith(`${text} `));
const statusesFor = (text: string) =>
	fixture.service.requests.filter(isAbout(text)).map(({ status }) => status);

/** What a service has carried out. */
const doneBy = ({ requests }: Service) =>
	requests.filter(({ status }) => status === 200).flatMap(changesIn);
const done = () => doneBy(fixture.service);

/** Lets the first requests about a student fail. */
function fail(text: string, ...statuses: number[]): void {
	fixture.service.temper.forRequest = (request) => {
		const status = isAbout(text)(request) ? statuses.shift() : undefined;
		// Late enough for all others.
		return status === undefined ? undefined : { failWith: { status }, latencyMs: 300 };
	};
}

/** Lets requests fail by their numbers, counted from 1. */
function failAt(statuses: Record<number, number>): void {
	fixture.service.temper.forRequest = () => {
		const status = statuses[fixture.service.requests.length];
		return status === undefined ? undefined : { failWith: { status } };
	};
}

/** An output item shows which response it was made from. */
const numbersOf = ({ items }: RunResult) => items.map(({ json }) => json.number);
const enrollAll = () =>
	fixture.service.classes.enroll([PYTHON.id, RUST.id], rowsIn('x, y, z, late'));

/** Adds the item that fails at first: where n8n tries again although the others were done. */
const withLate = <Item>({ onError }: Kind, items: Item[], late: Item) =>
	onError ? [late, ...items] : [...items, late];

interface Tries extends Partial<RunOptions> {
	/** What the user corrects in the parameters. */
	correction?: INodeParameters;
	/** Other options of the later tries. */
	later?: Partial<RunOptions>;
	tries?: number;
}

/** Runs an operation, and tries again until it succeeds, three times in all. */
async function run(
	{ onError, workflow }: Kind,
	operation: string,
	parameters: INodeParameters,
	{ correction, later, tries = 3, ...options }: Tries,
): Promise<RunResult> {
	if (!workflow) {
		return await fixture.student(operation, parameters, { ...options, onError, maxTries: tries });
	}
	let result = await fixture.student(operation, parameters, options);
	expect(result.error).toBeDefined();
	for (let n = 1; n < tries && result.error; n++) {
		const again = { ...options, ...later, retryOf: { run: result.run, workflow } };
		result = await fixture.student(operation, { ...parameters, ...correction }, again);
	}
	return result;
}

describe.each(KINDS)('$name', (kind) => {
	const items = withLate<IDataObject>(kind, rowsIn('x, y'), LATE);

	test.each(STUDENT_WRITES)('$name does the rest, and nothing twice', async (operation) => {
		const named = items.map((item, index) => (index === 1 ? { ...item, name: 'Student' } : item));
		const { resource, valid, ofItem } = operation;
		const redirectUrl = 'https://example.com/';
		const more = { ...UNTIL_2030, name: '={{ $json.name ?? "" }}', redirectUrl, ...ONE_BY_ONE };
		const parameters = { resource, ...valid, ...ofItem, ...more };
		const { temper, requests } = fixture.service;
		temper.onRequest = () => {
			const number = requests.length;
			const ofThis = { number, [`field ${number}`]: null, 'a.b': '' };
			temper.extraAnswerFields = { tags: ['a', 'b'], deep: { er: { than: 1 } }, ...ofThis };
		};
		enrollAll();
		const once = await fixture.student(operation.operation, parameters, { items: named });
		fixture.service.resetRecord();
		enrollAll();
		fail('late', 500, 400);
		const result = await run(kind, operation.operation, parameters, { items: named });
		expect(result.error).toBeUndefined();
		expect(result.errorItems).toEqual([]);
		expect(statusesFor('late')).toEqual([500, 400, 200]);
		expect(fixture.service.requests).toHaveLength(5);
		expect(result.items.map(linkOf)).toEqual([0, 1, 2]);
		expect(numbersOf(result)).toEqual(kind.onError ? [5, 2, 3] : [1, 2, 5]);
		// What was done comes out as it was, to the last field.
		const doneAtFirst = (all: RunResult) =>
			jsonOf(all.items).filter(({ email }) => email !== LATE.email);
		const entriesOf = ({ expiresAt, ...json }: IDataObject) => [
			...Object.entries(json),
			!expiresAt,
		];
		expect(doneAtFirst(result).map(entriesOf)).toEqual(doneAtFirst(once).map(entriesOf));
		// Nor do the items share what another node may change.
		const [a, b] = doneAtFirst(result);
		if (a!.classIds) expect(a!.classIds).not.toBe(b!.classIds);
	});

	test.each(ONE_OR_MANY)('%s: unknown stays unknown', async (operation) => {
		fail('late', 500, 400);
		const result = await run(kind, operation, BY_ITEM, { items, tries: 2 });
		const errors = [...result.items, ...result.errorItems].map(({ json }) => json.error);
		expect(`${textOf(result)} ${errors.join(' ')}`).toMatch(/can't tell whether/);
		expect(textOf(result)).not.toMatch(/not added/i);
	});

	test.each(ONE_OR_MANY)('%s in a loop', async (operation) => {
		// In the second round.
		failAt({ [kind.onError ? 3 : 4]: 400 });
		const result = await run(kind, operation, BY_ITEM, { items: rowsIn('x, y'), rounds: 3 });
		expect(result.error).toBeUndefined();
		expect(done().sort()).toEqual(['x', 'x', 'x', 'y', 'y', 'y']);
		const rounds = result.run.data.resultData.runData['Class Enrollment']!;
		expect(rounds.map(({ data }) => jsonOf(data!.main![0]!).map(claimIn))).toEqual([
			['x', 'y'],
			['x', 'y'],
			['x', 'y'],
		]);
	});

	test('reads again', async () => {
		const refused = kind.onError ? 'P' : 'R';
		const only = ({ query }: RequestRecord) => query.query === refused;
		fixture.service.temper.failWith = { status: 403, times: 1, only };
		const filters = { query: '={{ $json.name }}' };
		const parameters = { resource: 'class', filters, ...ONE_BY_ONE };
		const names = [{ name: 'P' }, { name: 'R' }];
		const result = await run(kind, 'getAll', parameters, { items: names });
		expect(jsonOf(result.items).map(({ name }) => name)).toEqual([PYTHON.name, RUST.name]);
		expect(fixture.service.requests).toHaveLength(4);
	});
});

describe.each(STOPPING)('$name', (kind) => {
	test('a row is not sent again because a later one about its class is rejected', async () => {
		failAt({ 2: 400, 3: 400 });
		const { error } = await run(kind, 'addToClasses', BY_ITEM_WITH_END, {
			items: OVERLAPPING,
			tries: 2,
		});
		const sent = fixture.service.requests.flatMap(changesIn);
		expect(sent).toEqual(['x 2028', 'x 2030', 'x 2030']);
		expect(error!.message).toContain('Added: item 0. Rejected: item 1.');
	});

	test('sends nothing twice if the access token is replaced meanwhile', async () => {
		const { service } = fixture;
		service.temper.forRequest = (request) => {
			if (!isAbout('late')(request) || service.accessToken === 'replaced') return undefined;
			service.accessToken = 'replaced';
			return { failWith: { status: 400 } };
		};
		const result = await run(kind, 'sendMagicLink', BY_ITEM, { items: rowsIn('x, y, late') });
		expect(result.error).toBeUndefined();
		expect(done()).toEqual(['x', 'y', 'late']);
	});

	test.each([
		['sendMagicLink', 'sent'],
		['addManyToClass', 'added'],
	])('%s: the error says all that was done in any try', async (operation, became) => {
		fixture.service.temper.rejectEmails = [LATE.email];
		const result = await run(kind, operation, BY_ITEM, { items: rowsIn('x, late, y, z') });
		expect(result.items).toEqual([]);
		expect(textOf(result)).toContain('Email not accepted');
		expect(textOf(result)).toContain(
			`. The node stopped. ${upperFirst(became)}: item 0. Rejected: item 1. Not ${became}: items 2-3.`,
		);
		expect(statusesFor('late')).toEqual([400, 400, 400]);
	});
});

describe.each(CONTINUING)('$name', ({ onError }) => {
	const options = { items: rowsIn('late, y'), onError, maxTries: 3 };

	test.each(ONE_OR_MANY)('%s: what fails in every try is an error', async (operation) => {
		fixture.service.temper.rejectEmails = [LATE.email];
		const { items, errorItems } = await fixture.student(operation, BY_ITEM, options);
		const [failed, added] = [...errorItems, ...items];
		expect(failed!.json.error).toMatch(
			/rejected by the service \(status 400\): Email not accepted/i,
		);
		expect([failed, added].map((item) => linkOf(item!))).toEqual([0, 1]);
		expect(errorItems).toHaveLength(onError === 'continueErrorOutput' ? 1 : 0);
		expect(done()).toEqual(['y']);
	});

	test.each([
		['addToClasses', ['x 2028', 'x 2030', 'x 2028', 'x 2030']],
		['removeFromClasses', ['x', 'x', 'x']],
	])('%s: what overwrote a row is sent again after it', async (operation, sent) => {
		fixture.service.classes.enroll([PYTHON.id, RUST.id], rowsIn('x'));
		failAt({ 1: 403 });
		await fixture.student(operation, BY_ITEM_WITH_END, {
			items: OVERLAPPING,
			onError,
			maxTries: 2,
		});
		expect(fixture.service.requests.flatMap(changesIn)).toEqual(sent);
	});

	test('a row that a later one overwrote in part is not sent again', async () => {
		// n8n tries again if the first item has failed.
		const first = { email: 'y@example.com', classIds: [RUST.id], end: '2030-06-01' };
		const items = [first, ...OVERLAPPING];
		fail('y', 403);
		const result = await fixture.student('addToClasses', BY_ITEM_WITH_END, {
			items,
			onError,
			maxTries: 2,
		});
		expect(fixture.service.requests.flatMap(changesIn)).toEqual([
			'y 2030',
			'x 2028',
			'x 2030',
			'y 2030',
		]);
		expect(result.items.map(({ json }) => json.expirationDate)).toEqual([
			'2030-06-01T03:00:00.000Z',
			'2028-06-01T03:00:00.000Z',
			'2030-06-01T03:00:00.000Z',
		]);
	});

	test('also if only a row that is never sent fails', async () => {
		const items = [{ email: 'nobody' }, ...rowsIn('x, y')];
		await fixture.student('addManyToClass', ONE_BY_ONE, { ...options, items });
		expect(done()).toEqual(['x', 'y']);
	});
});

describe.each(KINDS)('$name, after a while', (kind) => {
	const items = withLate<IDataObject>(kind, rowsIn('x, y'), LATE);
	const DAY_MS = 24 * 60 * 60 * 1000;

	test.each<[operation: string, parameters: INodeParameters]>([
		['addToClass', FOR_A_YEAR],
		['addToClasses', FOR_A_YEAR],
		['addManyToClass', FOR_A_YEAR],
		['addToClass', { ...UNTIL_2030, expirationDate: '={{ $now.plus(9e9) }}' }],
		['addManyToClass', { ...UNTIL_2030, expirationDate: '={{ $now.plus(9e9) }}' }],
		['sendMagicLink', { redirectUrl: '=https://example.com/?at={{ $now.toMillis() }}' }],
	])('%s is not repeated, and says what was sent: %j', async (operation, parameters) => {
		fixture.service.temper.latencyMs = 1000;
		fail('late', 400, 400);
		const result = await run(kind, operation, { ...BY_ITEM, ...parameters }, { items });
		expect(fixture.service.requests).toHaveLength(5);
		for (const { json } of result.items) {
			const request = fixture.service.requests
				.filter(isAbout(claimIn(json).split(' ')[0]!))
				.at(-1)!;
			const { students, classes, ...body } = request.body as IDataObject;
			expect(json).toMatchObject((students as IDataObject[] | undefined)?.[0] ?? body);
			if (!json.expiresAt) continue;
			const sentAt = Date.parse(String(json.expiresAt)) - DAY_MS;
			expect(Math.abs(sentAt - request.receivedAt)).toBeLessThan(500);
		}
		// A duration counts from the first try.
		const ends = new Set(jsonOf(result.items).map(({ expirationDate }) => expirationDate));
		if (parameters === FOR_A_YEAR) expect(ends.size).toBe(1);
	});
});

/** Corrections of parameters, and whether what was done is another change then. */
const CORRECTIONS: Array<
	[isAnother: boolean, operation: string, before: INodeParameters, correction: INodeParameters]
> = [
	[true, 'sendMagicLink', {}, { redirectUrl: 'https://example.com/' }],
	[true, 'addToClass', {}, { name: 'Student' }],
	[true, 'addToClass', { name: 'Studnet' }, { name: 'Student' }],
	[true, 'addToClass', { name: 'Student' }, { name: '' }],
	[true, 'addToClasses', { classIds: [PYTHON.id] }, { classIds: [RUST.id] }],
	[true, 'addToClasses', { classIds: [PYTHON.id] }, { classIds: [PYTHON.id, RUST.id] }],
	[false, 'addToClasses', { classIds: [PYTHON.id, RUST.id] }, { classIds: [RUST.id] }],
	[true, 'removeFromClasses', { classIds: [PYTHON.id] }, { classIds: [RUST.id] }],
	[true, 'addToClass', UNTIL_2030, { accessExpiration: 'none' }],
	[true, 'addToClasses', FOR_A_YEAR, { durationAmount: 6 }],
	[true, 'addManyToClass', FOR_A_YEAR, { durationAmount: 6 }],
	[true, 'removeFromClass', {}, { operation: 'addToClass' }],
	[false, 'removeFromClasses', { classIds: [PYTHON.id, RUST.id] }, { classIds: [PYTHON.id] }],
	[false, 'addToClasses', { classIds: [PYTHON.id, RUST.id] }, { classIds: [RUST.id, PYTHON.id] }],
	[false, 'sendMagicLink', {}, { email: '={{ $json.email.trim() }}' }],
	[
		false,
		'sendMagicLink',
		{ redirectUrl: '=https://example.com/?at={{ $now.toMillis() }}' },
		{ email: '={{ $json.email.trim() }}' },
	],
	[false, 'addToClass', {}, { classId: byId(`={{ "${PYTHON.id}" }}`) }],
	[false, 'addToClass', FOR_A_YEAR, { requestOptions: { maxConcurrentRequests: 1, timeout: 1e4 } }],
	[false, 'addManyToClass', FOR_A_YEAR, { options: { batchSize: 2 } }],
	[false, 'addToClass', FOR_A_YEAR, { name: '={{ $json.title }}' }],
	[false, 'addManyToClass', FOR_A_YEAR, { nameField: 'title' }],
];

describeRetry('Retry after a correction', () => {
	const items = [...rowsIn('x, y'), LATE];

	test.each(CORRECTIONS)('is another change: %s (%s: %j, then %j)', async (...row) => {
		const [isAnother, operation, before, correction] = row;
		enrollAll();
		const { temper, requests } = fixture.service;
		temper.onRequest = () => void (temper.extraAnswerFields = { number: requests.length });
		temper.latencyMs = 1000;
		fail('late', 400);
		const { valid } = operationOf(`student ${operation}`);
		const parameters = { ...valid, ...BY_ITEM, ...before };
		const result = await run(CURRENT, operation, parameters, { items, correction });
		expect(result.error).toBeUndefined();
		expect(numbersOf(result)).toEqual(isAnother ? [4, 5, 6] : [1, 2, 4]);
	});

	test.each(ADDITIONS)("of the workflow's time zone: %s", async (operation) => {
		fail('late', 400);
		const parameters = { ...BY_ITEM, ...UNTIL_2030, classIds: [PYTHON.id] };
		const later = { timezone: 'Asia/Tokyo' };
		const result = await run(CURRENT, operation, parameters, { items, later });
		expect(done()).toEqual(['x 2030', 'y 2030', 'x 2029', 'y 2029', 'late 2029']);
		expect(jsonOf(result.items).map(claimIn)).toEqual(done().slice(-3));
	});

	test.each(['addToClass', 'addManyToClass'])(
		'of the Base URL of one item: %s',
		async (operation) => {
			const other = await startService();
			other.classes.addClass(PYTHON);
			fail('late', 400);
			const { baseUrl, accessToken } = fixture.service;
			const result = await run(CURRENT, operation, BY_ITEM, {
				items: items.map((item, n) => ({ ...item, school: n === 0 ? other.baseUrl : baseUrl })),
				credential: { baseUrl: '={{ $json.school }}', accessToken },
				later: { credential: fixture.service },
			});
			await other.close();
			expect(result.error).toBeUndefined();
			expect(done().sort()).toEqual(['late', 'x', 'y']);
			expect(doneBy(other)).toEqual(['x']);
		},
	);

	test('of the credential', async () => {
		fail('late', 400);
		const credentials = { classEnrollmentApi: { id: '2', name: 'Another' } };
		await run(CURRENT, 'addToClass', BY_ITEM, { items, later: { settings: { credentials } } });
		expect(done()).toEqual(['x', 'y', 'x', 'y', 'late']);
	});

	test('of an invalid item, which kept everything from being sent', async () => {
		const parameters = { ...BY_ITEM, email: '={{ $itemIndex === 1 ? "nobody" : $json.email }}' };
		await run(CURRENT, 'sendMagicLink', parameters, { items, correction: BY_ITEM });
		expect(done()).toEqual(['x', 'y', 'late']);
	});

	test.each(ONE_OR_MANY)('into an invalid item denies nothing: %s', async (operation) => {
		fail('late', 400);
		const correction = { email: 'nobody', emailField: 'title' };
		const result = await run(CURRENT, operation, BY_ITEM, { items, correction });
		expect(result.error).toBeDefined();
		expect(textOf(result)).not.toContain('Nothing was changed');
		expect(fixture.service.requests).toHaveLength(3);
	});
});

describeRetry('Retry of an execution', () => {
	const items = [...rowsIn('x, y'), LATE];
	const retry = async (
		{ run: failed }: RunResult,
		operation: string,
		parameters: INodeParameters = BY_ITEM,
		options: Partial<RunOptions> = {},
	) => {
		const retryOf = { run: failed, workflow: 'current' } as const;
		return await fixture.student(operation, parameters, { items, retryOf, ...options });
	};
	const runFailing = async (operation: string, options: Partial<RunOptions> = {}) => {
		fail('late', 400);
		return await fixture.student(operation, BY_ITEM, { items, ...options });
	};

	test('with a credential that cannot be used forgets nothing', async () => {
		const credential = { ...fixture.service, baseUrl: 'example.com' };
		const first = await runFailing('sendMagicLink');
		const second = await retry(first, 'sendMagicLink', BY_ITEM, { credential });
		expect(second.error).toBeDefined();
		await retry(second, 'sendMagicLink');
		expect(done()).toEqual(['x', 'y', 'late']);
	});

	test('counts a duration from then, if nobody was added before', async () => {
		const dayMs = 24 * 60 * 60 * 1000;
		const forAYear = { ...BY_ITEM, ...FOR_A_YEAR };
		fixture.service.temper = { failWith: { status: 401 } };
		const first = await fixture.student('addToClass', forAYear, { items });
		fixture.service.temper = {};
		await sleep(dayMs);
		const retriedAt = Date.now();
		const { items: added } = await retry(first, 'addToClass', forAYear);
		for (const { json } of added)
			expect(Date.parse(String(json.expirationDate)) - retriedAt).toBeGreaterThanOrEqual(
				365 * dayMs,
			);
		expect(added).toHaveLength(3);
	});

	test('as a removal, and then as an addition again, adds everybody again', async () => {
		const first = await runFailing('addToClass');
		// The last student is in no class.
		const second = await retry(first, 'removeFromClass');
		const third = await retry(second, 'addToClass');
		expect(third.error).toBeUndefined();
		expect(done()).toEqual(['x', 'y', 'x', 'y', 'x', 'y', 'late']);
	});

	describe('and what is saved', () => {
		const contextOf = ({ run: { data } }: RunResult) => data.executionData!.contextData;
		const recordOf = (result: RunResult) => contextOf(result)['node:Class Enrollment'] ?? {};

		test.each<[when: string, options: Partial<RunOptions>]>([
			['n8n has nothing to retry', { onError: 'continueRegularOutput' }],
			// The agent may call once more on purpose.
			['an agent calls', { settings: { rewireOutputLogTo: NodeConnectionTypes.AiTool } }],
		])('is nothing where %s', async (_when, options) => {
			const result = await runFailing('sendMagicLink', options);
			expect(done()).toEqual(['x', 'y']);
			expect(recordOf(result)).toEqual({});
		});

		test.each(ONE_OR_MANY)('is nothing of a success: %s', async (name) => {
			const atOnce = await fixture.student(name, BY_ITEM, { items, maxTries: 3 });
			expect(recordOf(atOnce)).toEqual({});
			const onFail = await runFailing(name, { maxTries: 3 });
			expect(onFail.error).toBeUndefined();
			expect(recordOf(onFail)).toEqual({});
			const first = await runFailing(name);
			expect(recordOf(first)).not.toEqual({});
			expect(recordOf(await retry(first, name))).toEqual({});
		});

		test.each<[version: string, change: (journal: IDataObject) => unknown]>([
			['another version', (journal) => ({ ...journal, version: 2 })],
			['none', ({ startedAt, entries }) => ({ startedAt, entries })],
			['a text', () => 'saved'],
		])('is an error in another version, which sends nothing: %s', async (_version, change) => {
			const first = await runFailing('sendMagicLink');
			const record = recordOf(first);
			const { journal } = record;
			record.journal = change(journal as IDataObject) as IDataObject;
			const second = await retry(first, 'sendMagicLink');
			expect(second.error?.message).toBe("The node can't tell what the failed execution did");
			expect(second.error?.description).toMatch(/can't be read.*Check in the service/);
			expect(done()).toEqual(['x', 'y']);
			// Nor does a retry of the retry.
			expect((await retry(second, 'sendMagicLink')).error).toBeDefined();
			expect(done()).toEqual(['x', 'y']);
			recordOf(second).journal = journal!;
			await retry(second, 'sendMagicLink');
			expect(done()).toEqual(['x', 'y', 'late']);
		});

		test.each<[from: string, parameters: INodeParameters, input: IDataObject[]]>([
			['input items', {}, rows(5000)],
			['JSON', { studentsFrom: 'json', studentsJson: JSON.stringify(rows(5000)) }, [{}]],
		])('is at most 300 bytes a student: %s', async (_from, students, input) => {
			fail('student-4999', 400);
			const { requestOptions } = BY_ITEM;
			const parameters = { ...students, ...FOR_A_YEAR, requestOptions };
			const first = await fixture.student('addManyToClass', parameters, { items: input });
			const second = await retry(first, 'addManyToClass', parameters, { items: input });
			expect(jsonOf(second.items)).toMatchObject(rows(5000));
			expect(fixture.service.requests).toHaveLength(50 + 1);

			expect(recordOf(first)).not.toEqual({});
			const whole = saved(first.run).length;
			delete contextOf(first)['node:Class Enrollment'];
			expect(whole - saved(first.run).length).toBeLessThan(5000 * 300);
		});
	});
});
