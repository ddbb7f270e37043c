import fc from 'fast-check';
import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import sortBy from 'lodash/sortBy';
import uniqBy from 'lodash/uniqBy';
import type { INodeParameters } from 'n8n-workflow';
import { testProperty } from '../property';
import type { Temper } from '../service/service';
import type { RunOptions, RunResult } from './engine';
import { byId, EMAIL_OF_ITEM, linkOf, PYTHON, RUST, withService } from './fixture';
import {
	contentsOf,
	expectNoneLost,
	expectTrueClaims,
	expectTrueWords,
	keyOf,
	type Said,
	saidBy,
} from './judge';

const LATER = { 'Retry-After': '0' };
/** What the service does with one request, if it does not carry it out in its own way. */
const FAILURES = {
	limit: { failWith: { status: 429, headers: LATER } },
	defer: { failWith: { status: 503, headers: LATER } },
	fail: { failWith: { status: 500 } },
	dropBefore: { drop: { when: 'before' } },
	dropAfter: { drop: { when: 'after' } },
	unavailable: { failWith: { status: 503 } },
	unavailableAfter: { failAfterEffect: { status: 503 } },
	timeoutAfter: { failAfterEffect: { status: 408 } },
	seeOtherAfter: { failAfterEffect: { status: 303, headers: { Location: '/done' } } },
	dripAfter: { drip: true },
	hang: { latencyMs: Infinity },
} satisfies Record<string, Temper>;
type Failure = keyof typeof FAILURES;
type Failing = NonNullable<Temper['failWith']>;

const EMAILS = ['a', 'b', 'A', 'c', 'd'].map((name) => `${name}@example.com`);
/** As a sheet may have them; the last ones cannot be used. */
const WRITTEN = [...EMAILS, ' b@example.com\t', '\u00a0C@example.com\n'];
const INVALID = ['', 'x', 'a b@example.com', 'a@example.com, b@example.com'];

/** What the interface of the service does not say: any of these, in any combination. */
const services = fc.record(
	{
		isOneByOne: fc.constant(true),
		refuseEnrolled: fc.constant(true),
		rejectEmails: fc.subarray(EMAILS, { maxLength: 2 }),
		refusalStatus: fc.constantFrom(404, 409, 413, 422),
		maxStudents: fc.integer({ min: 1, max: 4 }),
		textErrors: fc.constant(true),
		minPageSize: fc.constant(20),
		// One class is denied.
		failWith: fc.constant({ status: 401, only: ({ path }) => path.includes(RUST.id) } as Failing),
		answerJson: fc.constantFrom(
			{ status: 'enviado' },
			{ message: 'Magic link sent' },
			{ success: 'delivered' },
		),
	},
	{ requiredKeys: [] },
);
/** Such as take hardly anything. */
const CLOSED: Temper[] = [
	{ readOnlyS: 1 },
	{ readOnlyS: 3600 },
	{ rateLimit: { requestsPerSecond: 2, waitS: 3600 } },
];

interface Asked {
	email: string;
	classId: string;
}

/** What is asked for about one student: by an item, or by an entry of the list in it. */
interface TestRow extends Asked {
	mark: string;
	item: number;
	/** What errors call it. */
	place: string;
}

interface Scenario {
	operation: keyof typeof PARAMETERS;
	asked: Asked[];
	/** How many students an item has, if they come from JSON; a list is of one item. */
	listLength: number;
	service: Temper;
	closed: Temper;
	/** How requests fail, in the order of their arrival; the service handles all others in its own way. */
	script: Array<Failure | undefined>;
	latencyMs: number;
	batchSize: number;
	maxConcurrentRequests: number;
	onError: RunOptions['onError'];
}

const CLASS = { classId: byId('={{ $json.classId }}') };
const MANY = { operation: 'addManyToClass', ...CLASS };
const PARAMETERS = {
	addToClass: { ...EMAIL_OF_ITEM, ...CLASS, name: '={{ $json.mark }}' },
	removeFromClass: { ...EMAIL_OF_ITEM, ...CLASS },
	sendMagicLink: { ...EMAIL_OF_ITEM, redirectUrl: '=https://example.com/{{ $json.mark }}' },
	'add many from input items': { ...MANY, nameField: 'mark' },
	'add many from a list': { ...MANY, studentsFrom: 'list' },
	'add many from JSON': { ...MANY, studentsFrom: 'json', studentsJson: '={{ $json.students }}' },
} satisfies Record<string, INodeParameters>;

interface Weather {
	runs: number;
	/** At most so many requests in a row fail, and so often. */
	failuresInARow: number;
	times: number;
	failures: Failure[];
	closed?: Temper[];
	/** Whether everything gets through in the end that the service takes. */
	isFair?: boolean;
}

const scenariosIn = ({ failuresInARow, failures, times, closed = [{}] }: Weather) =>
	fc.record<Scenario>({
		operation: fc.constantFrom(...(Object.keys(PARAMETERS) as Array<keyof typeof PARAMETERS>)),
		listLength: fc.integer({ min: 1, max: 4 }),
		asked: fc.array(
			fc.record({
				email: fc.oneof(
					{ weight: 15, arbitrary: fc.constantFrom(...WRITTEN) },
					fc.constantFrom(...INVALID),
				),
				classId: fc.constantFrom(PYTHON.id, PYTHON.id, RUST.id, 'gone'),
			}),
			{ minLength: 1, maxLength: 14 },
		),
		service: services,
		closed: fc.constantFrom(...closed),
		script: fc
			.array(
				fc.tuple(
					fc.array(fc.constantFrom(...failures), { maxLength: failuresInARow }),
					fc.array(fc.constant(undefined), { minLength: 1, maxLength: 3 }),
				),
				{ maxLength: times },
			)
			.map((parts) => parts.flat(2)),
		latencyMs: fc.constantFrom(0, 0, 3),
		batchSize: fc.integer({ min: 1, max: 5 }),
		maxConcurrentRequests: fc.constantFrom(1, 2, 10),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	});

async function runScenario({ isFair }: Weather, scenario: Scenario): Promise<void> {
	const { operation, latencyMs, batchSize, maxConcurrentRequests } = scenario;
	const isMany = operation.startsWith('add many');
	const isList = isMany && operation !== 'add many from input items';
	const rows = rowsOf(scenario, isList);
	const items = Object.values(groupBy(rows, 'item')).map((ofItem) => ({
		...ofItem[0]!,
		students: ofItem.map(({ email, mark }) => ({ email, name: mark })),
	}));
	// Of a list, the error output does not say which student failed.
	const isUnclear = isList && scenario.onError === 'continueErrorOutput';
	const onError = isUnclear ? 'continueRegularOutput' : scenario.onError;
	await withService(async ({ service, student }) => {
		for (const { email, classId } of operation === 'removeFromClass' ? rows : []) {
			if (classId !== 'gone') service.classes.enroll([classId], [{ email: email.trim() }]);
		}
		const before = contentsOf(service);
		const script = [...scenario.script];
		const regular = { latencyMs, ...scenario.service, ...scenario.closed };
		service.temper = {
			// The class list answers, so that the node can see that the service is at work.
			forRequest: ({ method }) => {
				const failure = method === 'GET' && isFair ? undefined : script.shift();
				return failure ? { ...regular, ...FAILURES[failure] } : regular;
			},
		};
		// An expression, as n8n itself refuses an empty address.
		const listed = items[0]!.students.map((one) => ({
			...one,
			email: `={{ ${JSON.stringify(one.email)} }}`,
		}));
		const parameters = {
			...PARAMETERS[operation],
			students: { student: listed },
			options: { batchSize },
			requestOptions: { maxConcurrentRequests, timeout: 1000 },
		};
		const result = await student(operation, parameters, { items, onError });
		const invalid = rows.find(({ email }) => INVALID.includes(email));
		if (onError === 'stopWorkflow' && invalid) {
			expect(result.error?.message).toContain(`[${invalid.place}]`);
			expect(service.requests).toEqual([]);
			return;
		}
		const said = saidOf(result, rows, isMany, onError);
		const claims = rows.flatMap((row, n) => {
			if (INVALID.includes(row.email)) return [];
			const isLast = operation !== 'sendMagicLink' && said[n] !== 'replaced';
			const last = rows.filter((one) => asText(one) === asText(row)).at(-1)!;
			return [{ asks: asksOf(operation, isLast ? last : row), said: said[n]! }];
		});
		expect(service.magicLinks).toEqual(uniqBy(service.magicLinks, 'redirectUrl'));
		expectTrueClaims(before, contentsOf(service), service.requests, claims);
		expectTrueWords(service.requests, claims);
		if (isFair && onError !== 'stopWorkflow') {
			service.temper = regular;
			await expectNoneLost(service, claims);
		}
	});
}

/** The students of a list are in the class of its first one. */
function rowsOf({ operation, asked, listLength }: Scenario, isList: boolean): TestRow[] {
	// Nobody can be removed twice.
	const chosen = operation === 'removeFromClass' ? uniqBy(asked, asText) : asked;
	const perItem = operation === 'add many from JSON' ? listLength : chosen.length;
	return chunk(chosen, isList ? perItem : 1)
		.flatMap((list, item) =>
			list.map(({ email }, n) => ({
				email,
				classId: list[0]!.classId,
				item,
				place: isList ? `student ${n + 1} of item ${item}` : `item ${item}`,
			})),
		)
		.map((row, n) => ({ ...row, mark: `row-${n}` }));
}

const asText = ({ classId, email }: Asked) => keyOf(classId, email.trim());

function asksOf(operation: Scenario['operation'], row: TestRow) {
	const { email, mark } = row;
	if (operation === 'sendMagicLink') {
		return new Map([[keyOf(`https://example.com/${mark}`, email.trim()), {}]]);
	}
	return new Map([[asText(row), operation === 'removeFromClass' ? undefined : { name: mark }]]);
}

/** What is said of each row, each once, in order, and linked to its item. */
function saidOf(
	{ error, ...result }: RunResult,
	rows: TestRow[],
	isMany: boolean,
	onError: RunOptions['onError'],
): Said[] {
	if (error && rows.length === 1) return [saidBy(error.message.split(':')[0])];
	if (error) return saidInSummary(error.message, rows);
	for (const output of [result.items, result.errorItems]) {
		expect(output).toEqual(sortBy(output, linkOf));
	}
	const outputs = sortBy([...result.items, ...result.errorItems], linkOf);
	expect(outputs.map(linkOf)).toEqual(rows.map(({ item }) => item));
	const failed = outputs.filter(({ json }) => json.error);
	expect(result.errorItems).toEqual(onError === 'continueErrorOutput' ? failed : []);
	return outputs.map(({ json }, n) => {
		expect(json.deleted ?? json.success ?? false).toBe(!json.error);
		const { email, place } = rows[n]!;
		if (INVALID.includes(email)) expect(json.error).toContain(place);
		else if (isMany && json.error) {
			const words =
				'(rejected( by the service \\(status \\d+\\))?|not sent(, replaced by a later item)?|unknown if added): ';
			expect(json.error).toMatch(new RegExp(`^${email.trim()}: ${words}.* \\[${place}\\]`));
		} else if (json.error) {
			expect(json.error).toMatch(
				/^(Rejected( by the service \(status \d+\))?|Not sent(, replaced by a later item)?|Unknown if \w+): /,
			);
		}
		const said = String(json.error ?? '').replace(isMany ? /^[^:]*: / : '', '');
		return saidBy(said.split(':')[0]);
	});
}

/** By the words of a list, as in "added: items 0-2; not sent: student 3 of item 3". */
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
	expect([...said.keys()].sort()).toEqual(rows.map(({ place }) => place).sort());
	return rows.map(({ place }) => said.get(place)!);
}

const WEATHERS: Record<string, Weather> = {
	'whatever the service is like, what it takes is done, and what comes out is so':
		// So few failures that the service does not count as down.
		{ runs: 100, failuresInARow: 2, failures: ['limit', 'defer'], times: 5, isFair: true },
	'also with outages, what comes out is so': {
		runs: 60,
		failuresInARow: 20,
		failures: (Object.keys(FAILURES) as Failure[]).slice(0, -2),
		times: 3,
	},
	'also with a service that does hardly anything': {
		runs: 10,
		failuresInARow: 2,
		failures: ['dripAfter', 'hang', 'defer'],
		times: 2,
		closed: [{}, ...CLOSED],
	},
};
for (const [name, weather] of Object.entries(WEATHERS)) {
	const property = async (scenario: Scenario) => await runScenario(weather, scenario);
	testProperty(name, weather.runs, fc.asyncProperty(scenariosIn(weather), property));
}
