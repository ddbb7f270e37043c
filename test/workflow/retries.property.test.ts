import fc from 'fast-check';
import sortBy from 'lodash/sortBy';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { testProperty } from '../property';
import type { Service, Temper } from '../service/service';
import { type RunResult, WAY } from './engine';
import { byId, type Fixture, isFor, linkOf, PYTHON, RUST, withService } from './fixture';
import { type Contents, contentsOf, expectTrueClaims, keyOf, saidBy } from './judge';

const LATER = { 'Retry-After': '0' };
/** How the service fails a request. */
const FAILURES = {
	reject: { failWith: { status: 400 } },
	fail: { failWith: { status: 500 } },
	failAfter: { failAfterEffect: { status: 500 } },
	limit: { failWith: { status: 429, headers: LATER } },
	defer: { failWith: { status: 503, headers: LATER } },
	dropBefore: { drop: { when: 'before' } },
	dropAfter: { drop: { when: 'after' } },
} satisfies Record<string, Temper>;

const STUDENTS = ['Ann@example.com', 'ann@example.com', 'bob@example.com'];
const ADDITIONS = ['addToClass', 'addToClasses', 'addManyToClass', 'json'] as const;
const OPERATIONS = [...ADDITIONS, ...ADDITIONS, 'removeFromClass', 'sendMagicLink'] as const;
const ON_FAIL = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const OF_EXECUTION = ['current', 'current', 'current', 'current', 'current', 'original'] as const;

/** One, and in what year access is to end. */
interface Student {
	email: string;
	year: number;
}

/** An item; only from JSON it may have several students. */
interface Item {
	classIds: string[];
	students: Student[];
}

/** A student of an item. */
interface Place {
	item: number;
	student: number;
}

interface Scenario {
	operation: (typeof OPERATIONS)[number];
	kind: (typeof ON_FAIL | typeof OF_EXECUTION)[number];
	items: Array<{ classIds: string[]; emails: string[] }>;
	/** Whether the date is an expression that says something else in each try. */
	isUnstable: boolean;
	isOneByOne: boolean;
	/** Whose request fails, one in each try, and how. */
	failures: Array<Place & { how: keyof typeof FAILURES }>;
	/** How long a failure takes: others may get through before it. */
	latencyMs: number;
	/** The service refuses this student so many times. */
	refused: { email: string; times: number };
	/** Where the user corrects something, and what between two tries; only where the workflow is the current one. */
	corrected: Place;
	corrections: Correction[];
	batchSize: number;
	maxConcurrentRequests: number;
	/** With Retry On Fail, how often it runs the node in each try. */
	maxTries?: number;
}

interface Correction {
	of: 'date' | 'classes' | 'student' | 'deletion' | 'insertion' | 'back';
	/** What there is to be instead. */
	email: string;
	year: number;
	classIds: string[];
}

const email = fc.constantFrom(...STUDENTS);
const classIds = fc.oneof(
	fc.constant<string[]>([PYTHON.id]),
	fc.shuffledSubarray([PYTHON.id, RUST.id], { minLength: 1 }),
);
const place = { item: fc.nat(2), student: fc.nat(2) };
const items = (minLength: number, email: fc.Arbitrary<string>, ids = classIds) =>
	fc.array(fc.record({ classIds: ids, emails: fc.array(email, { minLength: 1, maxLength: 3 }) }), {
		minLength,
		maxLength: 3,
	});
const failures = (minLength: number, ...how: Array<keyof typeof FAILURES>) =>
	fc.array(fc.record({ ...place, how: fc.constantFrom(...how) }), { minLength, maxLength: 4 });
const corrections = (minLength: number) =>
	fc.array(
		fc.record<Correction>({
			of: fc.constantFrom('date', 'classes', 'student', 'deletion', 'insertion', 'back'),
			email,
			year: fc.integer({ min: 2031, max: 2033 }),
			classIds,
		}),
		{ minLength, maxLength: 4 },
	);
const ANY: { [Name in keyof Scenario]-?: fc.Arbitrary<Scenario[Name]> } = {
	operation: fc.constantFrom(...OPERATIONS),
	kind: fc.constantFrom(...ON_FAIL, ...(WAY === 'routing' ? [] : OF_EXECUTION)),
	items: items(1, email),
	isUnstable: fc.boolean(),
	isOneByOne: fc.boolean(),
	failures: failures(0, 'reject', ...(Object.keys(FAILURES) as Array<keyof typeof FAILURES>)),
	latencyMs: fc.constantFrom(0, 50),
	refused: fc.record({ email, times: fc.integer({ min: 0, max: 3 }) }),
	corrected: fc.record(place),
	corrections: corrections(0),
	batchSize: fc.integer({ min: 1, max: 3 }),
	maxConcurrentRequests: fc.constantFrom(1, 3),
	maxTries: fc.constantFrom(undefined, undefined, 2),
};
/** So few that some go wrong only after several corrections. */
const CHAINS: typeof ANY = {
	...ANY,
	operation: fc.constantFrom(...ADDITIONS),
	kind: fc.constant('current'),
	items: items(3, fc.constantFrom('Ann@example.com', 'bob@example.com'), fc.constant([PYTHON.id])),
	isUnstable: fc.constant(false),
	failures: failures(2, 'reject', 'failAfter'),
	latencyMs: fc.constant(50),
	refused: fc.record({ email, times: fc.constantFrom(0, 0, 2) }),
	corrections: corrections(2),
	maxConcurrentRequests: fc.constant(3),
	maxTries: fc.constant(undefined),
};

const isOfExecution = ({ kind }: Scenario) => kind === 'current' || kind === 'original';
const isList = ({ operation }: Scenario) => operation === 'json';

const studentAt = (items: Item[], { item, student }: Place) => {
	const { students } = items[item % items.length]!;
	return students[student % students.length]!;
};

/** The items after a correction. Only a list has students that can be deleted or inserted. */
function correct(scenario: Scenario, items: Item[], previous: Item[], { of, ...to }: Correction) {
	const { operation, corrected } = scenario;
	if (of === 'back' && operation !== 'sendMagicLink') return previous;
	const { email, year, classIds } = to;
	const student = studentAt(items, corrected);
	// A link is sent for every other address.
	const dated = { ...student, year: operation === 'sendMagicLink' ? student.year + 10 : year };
	// Add Many takes the address from the input item.
	const another = operation === 'addManyToClass' ? dated : { ...student, email };
	const canDelete = items[corrected.item % items.length]!.students.length > 1;
	const instead = {
		classes: [student],
		date: [dated],
		back: [dated],
		student: [another],
		deletion: canDelete ? [] : [another],
		insertion: isList(scenario) ? [{ email, year }, student] : [dated],
	};
	return items.map((item): Item => ({
		classIds: of === 'classes' && item.students.includes(student) ? classIds : item.classIds,
		students: item.students.flatMap((one) => (one === student ? instead[of] : one)),
	}));
}

function parametersOf(scenario: Scenario, items: Item[]): INodeParameters {
	const { batchSize, maxConcurrentRequests, isUnstable } = scenario;
	const each = (valueOf: (item: Item, student: Student) => unknown) =>
		`={{ ${JSON.stringify(items.map((item) => valueOf(item, item.students[0]!)))}[$itemIndex] }}`;
	const dateIn = (year: number) => `${year}-01-31T12:00:00.000Z`;
	const years = each((_item, { year }) => year - new Date().getUTCFullYear()).slice(4, -3);
	return {
		email: each((_item, student) => student.email),
		classId: byId(each(({ classIds: [id] }) => id)),
		classIds: each(({ classIds: ids }) => ids),
		redirectUrl: each((_item, { year }) => `https://example.com/${year}`),
		accessExpiration: 'date',
		expirationDate: isUnstable
			? `={{ $now.plus({ years: ${years} }) }}`
			: each((_item, { year }) => dateIn(year)),
		studentsFrom: isList(scenario) ? 'json' : 'inputItems',
		studentsJson: each(({ students }) =>
			students.map(({ email, year }) => ({ email, expirationDate: dateIn(year) })),
		),
		options: { batchSize },
		requestOptions: { maxConcurrentRequests },
	};
}

async function runScenario(scenario: Scenario): Promise<void> {
	await withService(async (fixture) => {
		const { service } = fixture;
		for (const email of STUDENTS) service.classes.enroll([PYTHON.id, RUST.id], [{ email }]);
		const before = contentsOf(service);
		const { result, items } = await tryAll(fixture, scenario);
		expectNoSecondLink(service);
		// A removal that was unknown may fail in every try.
		if (isOfExecution(scenario) && scenario.operation !== 'removeFromClass') {
			expect(result.error).toBeUndefined();
		}
		if (result.error) return;
		const rows = rowsOf(scenario, items, result);
		expectTrueClaims(inYears(before), inYears(contentsOf(service)), service.requests, rows);
	});
}

/** Tries until everything is done; with Retry On Fail alone, four times. */
async function tryAll({ service, student }: Fixture, scenario: Scenario) {
	const { operation, kind, isOneByOne, latencyMs, refused } = scenario;
	let year = 2031;
	let items = scenario.items.map(({ classIds, emails }): Item => {
		const listed = isList(scenario) ? emails : emails.slice(0, 1);
		return { classIds, students: listed.map((email) => ({ email, year: year++ })) };
	});
	const input = items.map(({ students: [first] }) => ({ ...first }));

	const failures = [...scenario.failures];
	let [failure] = failures;
	let { times } = refused;
	service.temper.forRequest = (request) => {
		if (isFor(refused.email)(request) && times-- > 0) {
			return { isOneByOne, latencyMs, rejectEmails: [refused.email] };
		}
		if (!failure || !isFor(studentAt(items, failure).email)(request)) return { isOneByOne };
		const { how } = failure;
		failure = isOfExecution(scenario) ? undefined : failures.shift();
		return { isOneByOne, latencyMs, ...FAILURES[how] };
	};

	const tryOnce = async (options: Parameters<Fixture['student']>[2]) => {
		failure = failures.shift();
		const parameters = parametersOf(scenario, items);
		const name = isList(scenario) ? 'addManyToClass' : operation;
		return await student(name, parameters, { items: input, ...options });
	};
	if (kind !== 'current' && kind !== 'original') {
		// Of a list, the error output does not say which row failed.
		const onError = isList(scenario) && kind !== 'stopWorkflow' ? 'continueRegularOutput' : kind;
		return { result: await tryOnce({ onError, maxTries: 4 }), items };
	}
	const { corrections, isUnstable, maxTries } = scenario;
	let result = await tryOnce({ maxTries });
	let previous = items;
	for (let n = 0; n < 12 && result.error; n++) {
		if (isUnstable) await sleep(1000);
		const correction = kind === 'current' && corrections[n];
		const now = correction ? correct(scenario, items, previous, correction) : items;
		[previous, items] = [items, now];
		result = await tryOnce({ maxTries, retryOf: { run: result.run, workflow: kind } });
	}
	return { result, items };
}

/** The rows with what came out for them, which must be the year that was asked for. */
function rowsOf(scenario: Scenario, items: Item[], { items: done, errorItems }: RunResult) {
	const isLink = scenario.operation === 'sendMagicLink';
	const isRemoval = scenario.operation === 'removeFromClass';
	const all = items.flatMap(({ classIds, students }) =>
		students.map(({ email, year }) => {
			const ids = scenario.operation === 'addToClasses' ? classIds : classIds.slice(0, 1);
			const where = isLink ? [`https://example.com/${year}`] : ids;
			const value = isLink ? {} : isRemoval ? undefined : year;
			return { keys: where.map((one) => keyOf(one, email)), value };
		}),
	);
	const outputs = sortBy([...done, ...errorItems], linkOf);
	expect(outputs).toHaveLength(all.length);
	return all.map((row, index) => {
		const { error, expirationDate } = outputs[index]!.json;
		// The last row about the same student and classes stands for all.
		const last = all.filter(({ keys }) => keys.join() === row.keys.join()).at(-1)!;
		const { value } = isLink ? row : last;
		if (expirationDate) expect(yearOf(expirationDate)).toBe(value);
		return { asks: new Map(row.keys.map((key) => [key, value])), said: saidBy(error) };
	});
}

const yearOf = (date: unknown) => Number(String(date).slice(0, 4));
/** The same with nothing but the year of an enrollment. */
const inYears = (contents: Contents): Contents =>
	new Map(
		[...contents].map(([key, value]) => {
			const { expirationDate } = Object(value) as IDataObject;
			return [key, expirationDate ? yearOf(expirationDate) : value];
		}),
	);

/** A link that is known to be sent is not sent again. */
function expectNoSecondLink({ requests }: Service): void {
	const sent: string[] = [];
	for (const { body, status } of requests.filter(({ path }) => path === '/magic-link')) {
		const link = JSON.stringify(body).toLowerCase();
		expect(sent).not.toContain(link);
		if (status === 200) sent.push(link);
	}
}

// Several at once, since each mostly waits.
const several = (arbitraries: typeof ANY) =>
	fc.asyncProperty(
		fc.array(fc.record(arbitraries), { minLength: 1, maxLength: 20 }),
		async (all) => {
			const outcomes = await Promise.allSettled(all.map(runScenario));
			for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
		},
	);

describe('however often it is tried again, the service holds what the last row says', () => {
	// Where n8n runs the routing, it retries no execution.
	if (WAY === 'step') testProperty('also after a few corrections', 12, several(CHAINS));
	testProperty('in every way', 6, several(ANY));
});
