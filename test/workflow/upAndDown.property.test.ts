import fc from 'fast-check';
import { map, sortBy, uniqBy } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { testProperty } from '../property';
import type { Temper } from '../service/service';
import { type RetryOf, type RunOptions, type RunResult, WAY } from './engine';
import { byId, type Fixture, isFor, linkOf, PYTHON, RUST, withService } from './fixture';
import {
	contentsOf,
	expectNoneLost,
	expectNoSecondLink,
	expectTrueClaims,
	expectTrueWords,
	keyOf,
	type Said,
	saidBy,
	yearOf,
} from './judge';

const LATER = { 'Retry-After': '0' };
/** What the service does with one request, if it does not carry it out in its own way. */
const FAILURES = {
	limit: { failWith: { status: 429, headers: LATER } },
	defer: { failWith: { status: 503, headers: LATER } },
	fail: { failWith: { status: 500 } },
	dropBefore: { drop: { when: 'before' } },
	dropAfter: { drop: { when: 'after' } },
	failAfter: { failAfterEffect: { status: 500 } },
	unavailable: { failWith: { status: 503 } },
	unavailableAfter: { failAfterEffect: { status: 503 } },
	timeoutAfter: { failAfterEffect: { status: 408 } },
	seeOtherAfter: { failAfterEffect: { status: 303, headers: { Location: '/done' } } },
	reject: { failWith: { status: 400 } },
	dripAfter: { drip: true },
	hang: { latencyMs: Infinity },
} satisfies Record<string, Temper>;
type Failure = keyof typeof FAILURES;

const STUDENTS = ['Ann@example.com', 'ann@example.com', 'bob@example.com'];
const MANY = ['addManyToClass', 'from a list', 'from JSON'] as const;
const ADDITIONS = ['addToClass', 'addToClasses', 'addManyToClass', 'from JSON'] as const;
const OPERATIONS = [
	'addToClass',
	'addToClasses',
	...MANY,
	'removeFromClass',
	'sendMagicLink',
] as const;
const WORKFLOWS = ['current', 'current', 'current', 'current', 'current', 'original'] as const;
const CORRECTED = ['date', 'classes', 'student', 'deletion', 'insertion', 'back'] as const;
const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

/** One, and the year that tells what is asked for about it from all else: when access ends, or in the name or the link. */
interface Student {
	email: string;
	year: number;
}

/** An item; only in a list it may have several students. */
interface Item {
	classIds: string[];
	students: Student[];
}

/** A student of an item. */
interface Place {
	item: number;
	student: number;
}

/** What the user corrects between two tries. */
interface Correction {
	of: (typeof CORRECTED)[number];
	/** What there is to be instead. */
	email: string;
	year: number;
	classIds: string[];
}

interface Scenario {
	operation: (typeof OPERATIONS)[number];
	items: Array<{ classIds: string[]; emails: string[] }>;
	/** What the service is like. */
	service: Temper;
	/** It refuses these students so many times. */
	refused: { emails: string[]; times: number };
	/** How requests fail, in the order of their arrival. */
	script: Array<Failure | undefined>;
	latencyMs: number;
	batchSize: number;
	maxConcurrentRequests: number;
	/** How n8n runs the node again where it fails, or whether it does at all. */
	tries: Pick<RunOptions, 'onError' | 'maxTries'> & { workflow?: RetryOf['workflow'] };
	/** Whether the date is an expression that says something else in each try. */
	isUnstable: boolean;
	/** Where, and what between two tries; only where the workflow is the current one. */
	corrected: Place;
	corrections: Correction[];
}

const student = fc.constantFrom(...STUDENTS);
const twoClasses = fc.shuffledSubarray([PYTHON.id, RUST.id], { minLength: 1 });
const classIdsOf = fc.oneof(fc.constant<string[]>([PYTHON.id]), twoClasses);

const itemsOf = (
	[minLength, maxLength]: [number, number],
	email: fc.Arbitrary<string>,
	classIds: fc.Arbitrary<string[]> = classIdsOf,
) => {
	const emails = fc.array(email, { minLength: 1, maxLength: 3 });
	return fc.array(fc.record({ classIds, emails }), { minLength, maxLength });
};

/** Failures between other requests. */
const scriptOf = (minLength: number, maxLength: number, ...failures: Failure[]) =>
	fc.array(fc.option(fc.constantFrom(...failures), { nil: undefined, freq: 2 }), {
		minLength,
		maxLength,
	});

const correctionsOf = (minLength: number) =>
	fc.array(
		fc.record({
			of: fc.constantFrom(...CORRECTED),
			email: student,
			year: fc.integer({ min: 2031, max: 2033 }),
			classIds: classIdsOf,
		}),
		{ minLength, maxLength: 4 },
	);

type Arbitraries = { [Name in keyof Scenario]: fc.Arbitrary<Scenario[Name]> };

const EMAILS = ['a', 'b', 'A', 'c', 'd'].map((name) => `${name}@example.com`);
/** As a sheet may have them; the last ones cannot be used. */
const WRITTEN = [...EMAILS, ' b@example.com\t', '\u00a0C@example.com\n'];
const INVALID = ['', 'x', 'a b@example.com', 'a@example.com, b@example.com'];
const written = fc.oneof(
	{ weight: 15, arbitrary: fc.constantFrom(...WRITTEN) },
	fc.constantFrom(...INVALID),
);

/** Run once, in a service that may be like anything that its interface does not say. */
const ONCE: Arbitraries = {
	operation: fc.constantFrom(...OPERATIONS),
	items: itemsOf(
		[1, 14],
		written,
		fc.oneof(classIdsOf, fc.constantFrom<string[][]>(['gone'], [RUST.id, 'gone'])),
	),
	service: fc.record(
		{
			isOneByOne: fc.constant(true),
			refuseEnrolled: fc.constant(true),
			refusalStatus: fc.constantFrom(404, 409, 413, 422),
			maxStudents: fc.integer({ min: 1, max: 4 }),
			textErrors: fc.constant(true),
			minPageSize: fc.constant(20),
			// One class is denied.
			failWith: fc.constantFrom(401, 403).map((status): Temper['failWith'] => ({
				status,
				only: ({ path }) => path.includes(RUST.id),
			})),
			answerJson: fc.constantFrom(
				{ status: 'enviado' },
				{ message: 'Magic link sent' },
				{ success: 'delivered' },
			),
		},
		{ requiredKeys: [] },
	),
	refused: fc.record({
		emails: fc.subarray(EMAILS, { maxLength: 2 }),
		times: fc.constantFrom(0, Infinity),
	}),
	script: scriptOf(0, 12, 'limit', 'defer'),
	latencyMs: fc.constantFrom(0, 0, 50),
	batchSize: fc.integer({ min: 1, max: 5 }),
	maxConcurrentRequests: fc.constantFrom(1, 2, 10),
	tries: fc.record({ onError: fc.constantFrom(...ON_ERROR) }),
	isUnstable: fc.constant(false),
	corrected: fc.record({ item: fc.nat(2), student: fc.nat(2) }),
	corrections: fc.constant<Correction[]>([]),
};
const OUTAGES: Arbitraries = {
	...ONCE,
	script: scriptOf(0, 60, ...(Object.keys(FAILURES) as Failure[]).slice(0, -3)),
};
/** Of a service that takes hardly anything. */
const CLOSED: Arbitraries = {
	...ONCE,
	service: fc
		.tuple(
			ONCE.service,
			fc.constantFrom<Temper>(
				{},
				{ readOnlyS: 1 },
				{ readOnlyS: 3600 },
				{ rateLimit: { requestsPerSecond: 2, waitS: 3600 } },
			),
		)
		.map(([service, closed]) => ({ ...service, ...closed })),
	script: scriptOf(0, 8, 'dripAfter', 'hang', 'defer'),
};
/** Run again by n8n, or by the user, who may correct something before. */
const AGAIN: Arbitraries = {
	...ONCE,
	operation: fc.constantFrom(...ADDITIONS, ...ADDITIONS, 'removeFromClass', 'sendMagicLink'),
	items: itemsOf([1, 3], student),
	service: fc.record({ isOneByOne: fc.boolean() }),
	refused: fc.record({ emails: fc.tuple(student), times: fc.nat(3) }),
	script: scriptOf(0, 24, 'reject', 'reject', 'failAfter', 'fail', 'limit', 'dropAfter'),
	tries: fc.oneof(
		fc.record({ onError: fc.constantFrom(...ON_ERROR), maxTries: fc.constant(4) }),
		fc.record({
			// Where n8n runs the routing, it retries no execution.
			workflow: fc.constantFrom(...(WAY === 'routing' ? [undefined] : WORKFLOWS)),
			maxTries: fc.constantFrom(undefined, undefined, 2),
		}),
	),
	isUnstable: fc.boolean(),
	corrections: correctionsOf(0),
};
/** So few students that some go wrong only after several corrections. */
const CHAINS: Arbitraries = {
	...AGAIN,
	operation: fc.constantFrom(...ADDITIONS),
	items: itemsOf(
		[3, 3],
		fc.constantFrom('Ann@example.com', 'bob@example.com'),
		fc.constant<string[]>([PYTHON.id]),
	),
	refused: fc.record({ emails: fc.tuple(student), times: fc.constantFrom(0, 0, 2) }),
	script: scriptOf(6, 12, 'reject', 'failAfter'),
	latencyMs: fc.constant(50),
	maxConcurrentRequests: fc.constant(3),
	tries: fc.record({ workflow: fc.constant('current') }),
	isUnstable: fc.constant(false),
	corrections: correctionsOf(2),
};

const isList = ({ operation }: Scenario) => operation.startsWith('from ');

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

/** The items at first, with a year for each student. The parameter Students is the same for all, so there is one. */
function itemsAtFirst(scenario: Scenario): Item[] {
	const [{ classIds }] = scenario.items as [Item & Scenario['items'][0]];
	const whole = [{ classIds, emails: map(scenario.items, 'emails').flat() }];
	let year = 2031;
	return (scenario.operation === 'from a list' ? whole : scenario.items).map((item) => ({
		classIds: item.classIds,
		students: (isList(scenario) ? item.emails : item.emails.slice(0, 1)).map((email) => ({
			email,
			year: year++,
		})),
	}));
}

function parametersOf(scenario: Scenario, items: Item[]): INodeParameters {
	const { operation, batchSize, maxConcurrentRequests, isUnstable } = scenario;
	const each = (valueOf: (item: Item, student: Student) => unknown) =>
		`={{ ${JSON.stringify(items.map((item) => valueOf(item, item.students[0]!)))}[$itemIndex] }}`;
	const dateIn = (year: number) => `${year}-01-31T12:00:00.000Z`;
	const years = each((_item, { year }) => year - new Date().getUTCFullYear()).slice(4, -3);
	return {
		email: each((_item, student) => student.email),
		classId: byId(each(({ classIds: [id] }) => id)),
		classIds: each(({ classIds: ids }) => ids),
		redirectUrl: each((_item, { year }) => `https://example.com/${year}`),
		accessExpiration: operation === 'from a list' ? 'none' : 'date',
		expirationDate: isUnstable
			? `={{ $now.plus({ years: ${years} }) }}`
			: each((_item, { year }) => dateIn(year)),
		studentsFrom:
			{ 'from JSON': 'json', 'from a list': 'list' }[operation as string] ?? 'inputItems',
		studentsJson: each(({ students }) =>
			students.map(({ email, year }) => ({ email, expirationDate: dateIn(year) })),
		),
		students: {
			// An expression, as n8n itself refuses an empty address.
			student: items[0]!.students.map(({ email, year }) => ({
				email: `={{ ${JSON.stringify(email)} }}`,
				name: `${year}`,
			})),
		},
		options: { batchSize },
		requestOptions: { maxConcurrentRequests, timeout: 1000 },
	};
}

function temperOf({ service, refused, script, latencyMs }: Scenario): Temper {
	const failures = [...script];
	let { times } = refused;
	return {
		forRequest: (request) => {
			const failure = failures.shift();
			// Others may get through before it.
			if (failure) return { ...service, latencyMs, ...FAILURES[failure] };
			const isRefused = refused.emails.some((email) => isFor(email)(request)) && times-- > 0;
			return isRefused ? { ...service, latencyMs, rejectEmails: refused.emails } : service;
		},
	};
}

/** Runs the node; where the user tries again, until everything is done. */
async function tryAll({ student }: Fixture, scenario: Scenario) {
	const { operation, corrections, isUnstable } = scenario;
	const { workflow, onError, maxTries } = scenario.tries;
	let items = itemsAtFirst(scenario);
	const input = items.map(({ students: [first] }) => ({ ...first }));
	const tryOnce = async (retryOf?: RetryOf) =>
		await student(isList(scenario) ? 'addManyToClass' : operation, parametersOf(scenario, items), {
			items: input,
			// Of a list, the error output does not say which student failed.
			onError:
				isList(scenario) && onError === 'continueErrorOutput' ? 'continueRegularOutput' : onError,
			maxTries,
			retryOf,
		});
	let result = await tryOnce();
	let previous = items;
	for (let n = 0; workflow && n < 30 && result.error; n++) {
		if (isUnstable) await sleep(1000);
		const correction = workflow === 'current' && corrections[n];
		const now = correction ? correct(scenario, items, previous, correction) : items;
		[previous, items] = [items, now];
		result = await tryOnce({ run: result.run, workflow });
	}
	return { result, items };
}

/** What is asked for about one student: by an item, or by an entry of the list in it. */
type TestRow = ReturnType<typeof rowsOf>[number];

function rowsOf(scenario: Scenario, items: Item[]) {
	const { operation } = scenario;
	const isLink = operation === 'sendMagicLink';
	const rows = items.flatMap(({ classIds, students }, item) =>
		students.map(({ email, year }, n) => {
			const ids = operation === 'addToClasses' ? [...classIds].sort() : classIds.slice(0, 1);
			const where = isLink ? [`https://example.com/${year}`] : ids;
			return {
				email,
				item,
				/** What errors call it. */
				place: isList(scenario) ? `student ${n + 1} of item ${item}` : `item ${item}`,
				keys: where.map((one) => keyOf(one, email.trim())),
				value: isLink ? 0 : operation === 'removeFromClass' ? undefined : year,
			};
		}),
	);
	// The last row about the same student and classes is sent for all.
	const last = new Map(rows.map((row) => [row.keys.join(), row]));
	return rows.map((row) => ({ ...row, sent: last.get(row.keys.join())!.value }));
}

async function runScenario(scenario: Scenario, isFair: boolean): Promise<void> {
	const { operation, tries } = scenario;
	const isRetried = tries.workflow !== undefined || tries.maxTries !== undefined;
	await withService(async (fixture) => {
		const { service } = fixture;
		const students = scenario.items.flatMap(({ emails }) => emails);
		if (operation === 'removeFromClass') {
			service.classes.enroll(
				[PYTHON.id, RUST.id],
				students.map((email) => ({ email: email.trim() })),
			);
		}
		const before = contentsOf(service);
		service.temper = temperOf(scenario);
		const { result, items } = await tryAll(fixture, scenario);
		const rows = rowsOf(scenario, items);
		expectNoSecondLink(service);
		if (isRetried && result.error) {
			// A removal that was unknown may fail in every try, as may what n8n does not try often enough.
			expect(tries.workflow === undefined || operation === 'removeFromClass').toBe(true);
			return;
		}
		const invalid = rows.find(({ email }) => INVALID.includes(email));
		if (invalid && tries.onError === 'stopWorkflow') {
			expect(result.error?.message).toContain(`[${invalid.place}]`);
			expect(service.requests).toEqual([]);
			return;
		}
		const said = saidOf(result, rows);
		const claims = rows.flatMap(({ email, keys, value, sent }, n) => {
			if (INVALID.includes(email)) return [];
			const asked = said[n] === 'replaced' ? value : sent;
			return [{ asks: new Map(keys.map((key) => [key, asked])), said: said[n]! }];
		});
		expectTrueClaims(before, contentsOf(service), service.requests, claims);
		if (isRetried) return;
		expect(service.magicLinks).toEqual(uniqBy(service.magicLinks, 'redirectUrl'));
		expectTrueWords(service.requests, claims);
		// After four refused tokens in a row, a run is over, whatever it has not tried yet.
		const mayEnd = scenario.service.failWith?.status === 401;
		if (isFair && !mayEnd && tries.onError !== 'stopWorkflow') {
			service.temper = temperOf({ ...scenario, script: [] });
			await expectNoneLost(service, claims);
		}
	});
}

const OUTCOME =
	'(rejected( by the service \\(status \\d+\\))?|not (added|removed|sent)|unknown if \\w+|replaced by a later item): ';

/** What is said of each row, each once, in order, and linked to its item. */
function saidOf({ error, ...result }: RunResult, rows: TestRow[]): Said[] {
	if (error && rows.length === 1) return [saidBy(withoutAddress(error.message).split(':')[0])];
	if (error) return saidInSummary(error.message, rows);
	for (const output of [result.items, result.errorItems]) {
		expect(output).toEqual(sortBy(output, linkOf));
	}
	const outputs = sortBy([...result.items, ...result.errorItems], linkOf);
	expect(outputs.map(linkOf)).toEqual(map(rows, 'item'));
	if (result.errorItems.length > 0) {
		expect(result.errorItems).toEqual(outputs.filter(({ json }) => json.error));
	}
	return outputs.map(({ json }, n) => {
		const { email, place, sent } = rows[n]!;
		expect(json.deleted ?? json.success ?? false).toBe(!json.error);
		if (!json.error) {
			if (sent !== undefined) expect(yearOf(json)).toBe(sent);
			return 'done';
		}
		if (INVALID.includes(email)) expect(json.error).toContain(place);
		else expect(json.error).toMatch(new RegExp(`^${email.trim()}: ${OUTCOME}.* \\[${place}\\]`));
		return saidBy(withoutAddress(String(json.error)).split(':')[0]);
	});
}

/** The error of a student, without the address at its beginning. */
const withoutAddress = (error: string) => error.replace(/^\S+@\S+: /, '');

/** By the words of a list, as in "added: items 0-2; not added: student 3 of item 3". */
const saidInList = (words: string) =>
	['added', 'removed', 'sent'].includes(words) ? 'done' : saidBy(words);

function saidInSummary(message: string, rows: TestRow[]): Said[] {
	const list = message.split('. The node stopped. ')[1]!.toLowerCase();
	const said = new Map<string, Said>();
	let words = '';
	const parts = list.matchAll(
		/(?:([^;:.]+): )?(item|student)s? ([\d-]+(?:, [\d-]+)*)( of item \d+)?/g,
	);
	for (const [, newWords, what, ranges, ofItem = ''] of parts) {
		words = newWords?.trim() ?? words;
		for (const range of ranges!.split(', ')) {
			const [from, to = from] = range.split('-').map(Number);
			for (let n = from!; n <= to!; n++) said.set(`${what} ${n}${ofItem}`, saidInList(words));
		}
	}
	expect([...said.keys()].sort()).toEqual(map(rows, 'place').sort());
	return rows.map(({ place }) => said.get(place)!);
}

/** Several at once, since each mostly waits. */
function testScenarios(name: string, runs: number, scenario: Arbitraries, isFair = false) {
	const several = fc.array(fc.record(scenario), { minLength: 1, maxLength: 20 });
	const property = fc.asyncProperty(several, async (all) => {
		const outcomes = await Promise.allSettled(
			all.map(async (one) => await runScenario(one, isFair)),
		);
		for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
	});
	testProperty(name, runs, property);
}

describe('what comes out is so', () => {
	testScenarios('whatever the service is like, and what it takes is done', 10, ONCE, true);
	testScenarios('also with outages', 8, OUTAGES);
	testScenarios('also with a service that does hardly anything', 2, CLOSED);
	testScenarios('however often it is tried again', 6, AGAIN);
	if (WAY === 'step') testScenarios('also after a few corrections', 12, CHAINS);
});
