import fc from 'fast-check';
import sortBy from 'lodash/sortBy';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { testProperty } from '../property';
import type { RequestRecord, Student, Temper } from '../service/service';
import type { RunResult } from './engine';
import { byId, EMAIL_OF_ITEM, linkOf, PYTHON, RUST, studentsIn, withService } from './fixture';

const ACTIONS = {
	carryOut: {},
	reject: { failWith: { status: 400 } },
	limit: { failWith: { status: 429, headers: { 'Retry-After': '0' } } },
	defer: { failWith: { status: 503, headers: { 'Retry-After': '0' } } },
	fail: { failWith: { status: 500 } },
	dropBefore: { drop: { when: 'before' } },
	dropAfter: { drop: { when: 'after' } },
	unavailable: { failWith: { status: 503 } },
	unavailableAfter: { failAfterEffect: { status: 503 } },
	timeoutAfter: { failAfterEffect: { status: 408 } },
	seeOtherAfter: { failAfterEffect: { status: 303, headers: { Location: '/done' } } },
	dripAfter: { drip: true },
} satisfies Record<string, Temper>;

/** What the service does with one request. */
type Action = keyof typeof ACTIONS;

const isAtWork = (action: Action) => action === 'carryOut' || action === 'reject';
const isDeferring = (action: Action) => action === 'limit' || action === 'defer';
/** Whether the request may be sent again: a second link would be a second email. */
const isRepeatable = (operation: Scenario['operation'], action: Action) =>
	isDeferring(action) || (operation !== 'sendMagicLink' && action.startsWith('unavailable'));

/** An item: a student and a class. */
interface TestItem {
	email: string;
	classId: string;
}

interface Scenario {
	operation: keyof typeof PARAMETERS;
	items: TestItem[];
	/** What the service does with its requests, in the order of their arrival; it carries out all later ones. */
	script: Action[];
	latencyMs: number;
	batchSize: number;
	maxConcurrentRequests: number;
	maxRetries: number;
	onError: 'continueRegularOutput' | 'continueErrorOutput';
}

const CLASS = { classId: byId('={{ $json.classId }}') };
/** What a request says of an item. */
const markOf = (item: number) => `row-${item}`;

const PARAMETERS = {
	addToClass: { ...EMAIL_OF_ITEM, ...CLASS, name: '={{ $json.mark }}' },
	removeFromClass: { ...EMAIL_OF_ITEM, ...CLASS },
	sendMagicLink: { ...EMAIL_OF_ITEM, redirectUrl: '=https://example.com/{{ $json.mark }}' },
	addManyToClass: { ...CLASS, nameField: 'mark' },
} satisfies Record<string, INodeParameters>;

/** The items that a request is about. */
function itemsIn({ method, path, body }: RequestRecord, items: TestItem[]): number[] {
	if (method === 'GET') return [];
	const marks = [...JSON.stringify(body).matchAll(/row-(\d+)/g)].map(([, n]) => Number(n));
	if (method === 'POST') return marks;
	const [{ email }] = studentsIn({ body }) as [Student];
	return [items.findIndex((item) => path.includes(item.classId) && item.email === email)];
}

const keyOf = ({ email, classId }: TestItem) => `${classId} ${email.toLowerCase()}`;

/** The item that is sent for an item: with Add Many the last one with the same student and class. */
function sentFor({ operation, items }: Scenario, item: number): number {
	if (operation !== 'addManyToClass') return item;
	return items.map(keyOf).lastIndexOf(keyOf(items[item]!));
}

const testItem = fc.record<TestItem>({
	email: fc.constantFrom(...['a', 'b', 'A', 'c', 'd'].map((name) => `${name}@example.com`)),
	classId: fc.constantFrom(PYTHON.id, RUST.id),
});

interface Weather {
	runs: number;
	/** At most so many requests in a row fail. */
	failuresInARow: number;
	failures: Action[];
	/** How often they do. */
	times: number;
	maxRetries: fc.Arbitrary<number>;
}

const scenarioIn = ({ failuresInARow, failures, times, maxRetries }: Weather) =>
	fc
		.record<Scenario>({
			operation: fc.constantFrom(...(Object.keys(PARAMETERS) as Array<keyof typeof PARAMETERS>)),
			items: fc.array(testItem, { minLength: 1, maxLength: 14 }),
			script: fc
				.array(
					fc.tuple(
						fc.array(fc.constantFrom(...failures), { maxLength: failuresInARow }),
						fc.constantFrom<Action[]>('carryOut', 'carryOut', 'reject'),
					),
					{ maxLength: times },
				)
				.map((parts) => parts.flat(2)),
			latencyMs: fc.constantFrom(0, 0, 3),
			batchSize: fc.integer({ min: 1, max: 5 }),
			maxConcurrentRequests: fc.constantFrom(1, 2, 10),
			maxRetries,
			onError: fc.constantFrom('continueRegularOutput', 'continueErrorOutput'),
		})
		.map((scenario) => ({
			...scenario,
			// Nobody can be removed twice.
			items:
				scenario.operation === 'removeFromClass'
					? scenario.items.filter(
							(item, index, items) =>
								items.findIndex((other) => keyOf(other) === keyOf(item)) === index,
						)
					: scenario.items,
		}));

/** A request, and what the service did with it. */
interface Handled {
	action: Action;
	/** The items that it was about; none if it only read. */
	items: number[];
	tookEffect: boolean;
	/** What identifies its repetitions. */
	content: string;
}

async function runScenario(scenario: Scenario): Promise<void> {
	const { operation, items, script } = scenario;
	await withService(async ({ service, student }) => {
		for (const { email, classId } of operation === 'removeFromClass' ? items : []) {
			service.classes.enroll([classId], [{ email }]);
		}
		const actions = new Map<RequestRecord, Action>();
		service.temper = {
			forRequest: (request) => {
				const action = script[actions.size] ?? 'carryOut';
				actions.set(request, action);
				return { ...ACTIONS[action], latencyMs: scenario.latencyMs };
			},
		};
		const result = await student(
			operation,
			{
				...PARAMETERS[operation],
				options: { batchSize: scenario.batchSize },
				requestOptions: {
					maxConcurrentRequests: scenario.maxConcurrentRequests,
					maxRetries: scenario.maxRetries,
					...(script.includes('dripAfter') ? { timeout: 1000 } : {}),
				},
			},
			{
				items: items.map((item, n) => ({ ...item, mark: markOf(n) })),
				onError: scenario.onError,
			},
		);
		const handled = [...actions].map(([request, asked]): Handled => {
			const isWrite = request.method !== 'GET';
			// What was done before cannot be done again.
			const action = request.status === 400 ? 'reject' : asked;
			return {
				action,
				items: itemsIn(request, items),
				tookEffect: isWrite && (request.status === 200 || action.endsWith('After')),
				content: JSON.stringify([request.method, request.path, request.body]),
			};
		});
		const outputs = expectEachItemOnce(scenario, result);
		expectEachStudentInOrder(scenario, handled);
		items.forEach((_item, n) =>
			expectTrueOutcome(scenario, handled, sentFor(scenario, n), outputs[n]!),
		);
	});
}

/** Every item comes out once, in order, linked to itself, and is returned here in the order of the input. */
function expectEachItemOnce({ items, onError }: Scenario, result: RunResult): IDataObject[] {
	expect(result.error).toBeUndefined();
	const both = [result.items, result.errorItems];
	for (const output of both) expect(output).toEqual(sortBy(output, linkOf));
	const sorted = sortBy(both.flat(), linkOf);
	expect(sorted.map(linkOf)).toEqual([...items.keys()]);
	const failed = onError === 'continueRegularOutput' ? [] : sorted.filter(({ json }) => json.error);
	expect(result.errorItems).toEqual(failed);
	return sorted.map(({ json }) => json);
}

/** The requests about a student are in the order of the items, also where one is repeated. */
function expectEachStudentInOrder({ operation, items }: Scenario, handled: Handled[]): void {
	if (operation === 'addManyToClass') return;
	const sent = handled.flatMap((request) => request.items);
	for (const email of new Set(items.map(({ email }) => email.toLowerCase()))) {
		const ofStudent = sent.filter((n) => items[n]!.email.toLowerCase() === email);
		expect(ofStudent).toEqual([...ofStudent].sort((a, b) => a - b));
	}
}

/** What comes out for an item is what the service did with the requests about it. */
function expectTrueOutcome(
	{ operation, maxRetries }: Scenario,
	all: Handled[],
	item: number,
	{ error, ...json }: IDataObject,
): void {
	const tries = all.filter(({ items }) => items.includes(item));
	const effects = tries.filter(({ tookEffect }) => tookEffect).length;
	const last = tries.at(-1);
	const message = String(error ?? '');
	const unknown = operation === 'addManyToClass' ? /may or may not have been added/ : /is unknown/;

	// Sent again only if that can do no harm, or in a smaller part of a batch that was rejected.
	for (const { action, items } of tries.slice(0, -1)) {
		const isDivided = action === 'reject' && items.length > 1;
		expect(isRepeatable(operation, action) || isDivided).toBe(true);
	}
	if (operation === 'sendMagicLink') expect(effects).toBeLessThanOrEqual(1);
	if (error === undefined)
		expect([json.success ?? json.deleted, effects > 0]).toEqual([true, true]);
	else if (!unknown.test(message)) expect(effects).toBe(0);

	// Whom the service accepts is in, whom it rejects alone is out, and of the others nobody knows.
	if (last?.action === 'carryOut') expect(error).toBeUndefined();
	if (last?.action === 'reject') {
		expect(last.items).toHaveLength(1);
		expect(message).toContain('(status 400)');
	}
	if (last && !isAtWork(last.action) && !isDeferring(last.action)) {
		expect(message).toMatch(unknown);
	}

	// Nobody is given up as long as there are retries left, unless the service stays down.
	const sameTries = tries.filter(({ content }) => content === last?.content);
	if (!last || (isRepeatable(operation, last.action) && sameTries.length <= maxRetries)) {
		const probes = all.slice(-Math.max(3, maxRetries));
		expect(probes.filter(({ action }) => isAtWork(action))).toEqual([]);
	}
	if (!last) expect(message).toContain('Not sent: the service was down');
}

/** All but the one that takes time. */
const FAILURES = (Object.keys(ACTIONS) as Action[]).filter(
	(action) => !isAtWork(action) && action !== 'dripAfter',
);

const WEATHERS: Record<string, Weather> = {
	'with a service that is up and down, nothing is done twice, and what comes out is what was done':
		// So few failures that the service does not count as down.
		{ runs: 80, failuresInARow: 3, failures: FAILURES, times: 10, maxRetries: fc.constant(3) },
	'also with outages': {
		runs: 40,
		failuresInARow: 20,
		failures: FAILURES,
		times: 3,
		maxRetries: fc.integer({ min: 0, max: 3 }),
	},
	'also with responses that never end': {
		runs: 5,
		failuresInARow: 2,
		failures: ['dripAfter', 'defer'],
		times: 3,
		maxRetries: fc.constant(1),
	},
};
for (const [name, weather] of Object.entries(WEATHERS)) {
	testProperty(name, weather.runs, fc.asyncProperty(scenarioIn(weather), runScenario));
}
