import fc from 'fast-check';
import sortBy from 'lodash/sortBy';
import uniqBy from 'lodash/uniqBy';
import type { INodeParameters } from 'n8n-workflow';
import { testProperty } from '../property';
import type { Temper } from '../service/service';
import type { RunOptions, RunResult } from './engine';
import { byId, EMAIL_OF_ITEM, linkOf, PYTHON, RUST, textOf, withService } from './fixture';
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
		deniedClass: fc.constant(RUST.id),
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

interface TestItem {
	email: string;
	classId: string;
	mark: string;
}

interface Scenario {
	operation: keyof typeof PARAMETERS;
	items: Array<Omit<TestItem, 'mark'>>;
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
const PARAMETERS = {
	addToClass: { ...EMAIL_OF_ITEM, ...CLASS, name: '={{ $json.mark }}' },
	removeFromClass: { ...EMAIL_OF_ITEM, ...CLASS },
	sendMagicLink: { ...EMAIL_OF_ITEM, redirectUrl: '=https://example.com/{{ $json.mark }}' },
	addManyToClass: { ...CLASS, nameField: 'mark' },
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
		operation: fc.constantFrom(
			'addManyToClass',
			...(Object.keys(PARAMETERS) as Array<keyof typeof PARAMETERS>),
		),
		items: fc.array(
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
	const isMany = operation === 'addManyToClass';
	// Nobody can be removed twice.
	const chosen = operation === 'removeFromClass' ? uniqBy(scenario.items, asText) : scenario.items;
	const items = chosen.map((item, n): TestItem => ({ ...item, mark: `row-${n}` }));
	// Of one by one, the error that stops the run says little.
	const onError = isMany ? scenario.onError : 'continueRegularOutput';
	await withService(async ({ service, student }) => {
		for (const { email, classId } of operation === 'removeFromClass' ? items : []) {
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
		const result = await student(
			operation,
			{
				...PARAMETERS[operation],
				options: { batchSize },
				requestOptions: { maxConcurrentRequests, timeout: 1000 },
			},
			{ items: items.map((item) => ({ ...item })), onError },
		);
		const invalid = items.findIndex(({ email }) => INVALID.includes(email));
		if (onError === 'stopWorkflow' && invalid >= 0) {
			expect(result.error?.message).toContain(`[item ${invalid}]`);
			expect(service.requests).toEqual([]);
			return;
		}
		const said = saidOf(result, items, isMany, onError);
		const rows = items.flatMap((item, n) => {
			if (INVALID.includes(item.email)) return [];
			const last = isMany ? items.filter((one) => asText(one) === asText(item)).at(-1)! : item;
			return [{ asks: asksOf(operation, last), said: said[n]! }];
		});
		expect(service.magicLinks).toEqual(uniqBy(service.magicLinks, 'redirectUrl'));
		expectTrueClaims(before, contentsOf(service), service.requests, rows);
		if (isMany) expectTrueWords(service.requests, rows);
		if (isFair && onError !== 'stopWorkflow') {
			service.temper = regular;
			await expectNoneLost(service, rows);
		}
	});
}

const asText = ({ classId, email }: Omit<TestItem, 'mark'>) => keyOf(classId, email.trim());

function asksOf(operation: Scenario['operation'], item: TestItem) {
	const { email, mark } = item;
	if (operation === 'sendMagicLink') {
		return new Map([[keyOf(`https://example.com/${mark}`, email.trim()), {}]]);
	}
	return new Map([[asText(item), operation === 'removeFromClass' ? undefined : { name: mark }]]);
}

/** What is said of each item, each once, in order, and linked to it. */
function saidOf(
	{ error, ...result }: RunResult,
	items: TestItem[],
	isMany: boolean,
	onError: RunOptions['onError'],
): Said[] {
	if (error && items.length === 1) return [saidBy(textOf({ error, ...result }))];
	if (error) return saidInSummary(error.message, items.length);
	for (const output of [result.items, result.errorItems]) {
		expect(output).toEqual(sortBy(output, linkOf));
	}
	const outputs = sortBy([...result.items, ...result.errorItems], linkOf);
	expect(outputs.map(linkOf)).toEqual([...items.keys()]);
	const failed = outputs.filter(({ json }) => json.error);
	expect(result.errorItems).toEqual(onError === 'continueErrorOutput' ? failed : []);
	return outputs.map(({ json }, n) => {
		expect(json.deleted ?? json.success ?? false).toBe(!json.error);
		const { email } = items[n]!;
		if (INVALID.includes(email)) expect(json.error).toContain(`item ${n}`);
		else if (isMany && json.error) {
			const words = '(was refused|was not sent|may or may not have been added)';
			expect(json.error).toMatch(new RegExp(`^${email.trim()} ${words} \\(item ${n}\\): `));
		}
		return saidBy(isMany ? String(json.error ?? '').split(':')[0] : json.error);
	});
}

/** By the words with which an error lists them, as in "added: items 0-2; not sent: item 3". */
const LISTED: Record<string, Said> = {
	added: 'done',
	refused: 'refused',
	'not sent': 'not sent',
	'may or may not have been added': 'unknown',
	'refused together, so some may have been added': 'unknown',
};

function saidInSummary(message: string, count: number): Said[] {
	const list = message.split(' before the run stopped; ')[1]!;
	const said: Said[] = [];
	for (const [, words, ranges] of list.matchAll(/([^;:]+): items? ([\d, -]+)/g)) {
		for (const range of ranges!.split(', ')) {
			const [from, to = from] = range.split('-').map(Number);
			for (let n = from!; n <= to!; n++) said[n] = LISTED[words!.trim()]!;
		}
	}
	expect([...said].filter(Boolean)).toHaveLength(count);
	return said;
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
