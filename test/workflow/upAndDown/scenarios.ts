import fc from 'fast-check';
import type { Temper } from '../../service/service';
import { type RetryOf, type RunOptions, WAY } from '../engine';
import { PYTHON, RUST } from '../fixture';

const LATER = { 'Retry-After': '0' };
/** What the service does with one request, if it does not carry it out in its own way. */
export const FAILURES = {
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
	limitForAnHour: { failWith: { status: 429, headers: { 'Retry-After': '3600' } } },
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
export interface Student {
	email: string;
	year: number;
}

/** An item; only in a list it may have several students. */
export interface Item {
	classIds: string[];
	students: Student[];
}

/** A student of an item. */
export interface Place {
	item: number;
	student: number;
}

/** What the user corrects between two tries. */
export interface Correction {
	of: (typeof CORRECTED)[number];
	/** What there is to be instead. */
	email: string;
	year: number;
	classIds: string[];
}

export interface Scenario {
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

/** Whether the students are in a list, in one item or more. */
export const isList = ({ operation }: Scenario) => operation.startsWith('from ');

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

export type Arbitraries = { [Name in keyof Scenario]: fc.Arbitrary<Scenario[Name]> };

const EMAILS = ['a', 'b', 'A', 'c', 'd'].map((name) => `${name}@example.com`);
/** As a sheet may have them; the last ones cannot be used. */
const WRITTEN = [...EMAILS, ' b@example.com\t', '\u00a0C@example.com\n'];
export const INVALID = ['', 'x', 'a b@example.com', 'a@example.com, b@example.com'];
const written = fc.oneof(
	{ weight: 15, arbitrary: fc.constantFrom(...WRITTEN) },
	fc.constantFrom(...INVALID),
);

/** Run once, in a service that may be like anything that its interface does not say. */
export const ONCE: Arbitraries = {
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
export const OUTAGES: Arbitraries = {
	...ONCE,
	script: scriptOf(0, 60, ...(Object.keys(FAILURES) as Failure[]).slice(0, -4)),
};
/** Of a service that takes hardly anything. */
export const CLOSED: Arbitraries = {
	...ONCE,
	service: fc
		.tuple(ONCE.service, fc.constantFrom<Temper>({}, { readOnlyS: 1 }, { readOnlyS: 3600 }))
		.map(([service, closed]) => ({ ...service, ...closed })),
	script: scriptOf(0, 8, 'dripAfter', 'hang', 'defer', 'limitForAnHour'),
};
/** Run again by n8n, or by the user, who may correct something before. */
export const AGAIN: Arbitraries = {
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
export const CHAINS: Arbitraries = {
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
