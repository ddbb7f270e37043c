import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { testProperty } from '../property';
import type { Service, Temper } from '../service/service';
import { type RunResult, WAY } from './engine';
import { type Fixture, linkOf, PYTHON, RUST, withService } from './fixture';
import { jsonParametersFor, parametersFor, type Row } from './retries';

const LATER = { 'Retry-After': '0' };
/** What the service does with a request. */
const ACTIONS = {
	carryOut: {},
	reject: { failWith: { status: 400 } },
	fail: { failWith: { status: 500 } },
	failAfter: { failAfterEffect: { status: 500 } },
	limit: { failWith: { status: 429, headers: LATER } },
	defer: { failWith: { status: 503, headers: LATER } },
	dropBefore: { drop: { when: 'before' } },
	dropAfter: { drop: { when: 'after' } },
} satisfies Record<string, Temper>;

const STUDENTS = ['Ann@example.com', 'bob@example.com', 'Cy@example.com'];
const CLASSES = [PYTHON.id, RUST.id];
const OPERATIONS = [
	'addToClass',
	'addManyToClass',
	'json',
	'removeFromClass',
	'sendMagicLink',
] as const;
const ON_FAIL = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const OF_EXECUTION = ['current', 'original'] as const;
const KINDS = WAY === 'routing' ? ON_FAIL : [...ON_FAIL, ...OF_EXECUTION, 'current' as const];

/** What the user does between two tries, to a row. */
interface Correction {
	of: 'nothing' | 'date' | 'class' | 'case' | 'deletion' | 'insertion';
	at: number;
}

interface Scenario {
	operation: (typeof OPERATIONS)[number];
	kind: (typeof KINDS)[number];
	rows: Array<Pick<Row, 'email' | 'classId'>>;
	/** How the parameters say when access ends. */
	date: 'fixed' | 'duration' | 'now';
	/** What the service does with its requests, in the order of their arrival; it carries out all later ones. */
	script: Array<keyof typeof ACTIONS>;
	/** It rejects this student so many times. */
	rejected: { email: string; times: number };
	/** By try; only for a retry with the current workflow. */
	corrections: Correction[];
	batchSize: number;
	maxConcurrentRequests: number;
}

const row = fc.record({
	email: fc.constantFrom(...STUDENTS),
	classId: fc.constantFrom(PYTHON.id, PYTHON.id, PYTHON.id, RUST.id),
});
const scenarios = fc.record<Scenario>({
	operation: fc.constantFrom(...OPERATIONS),
	kind: fc.constantFrom(...KINDS),
	rows: fc.array(row, { minLength: 1, maxLength: 5 }),
	date: fc.constantFrom('fixed', 'fixed', 'duration', 'now'),
	script: fc.array(
		fc.oneof(
			{ weight: 3, arbitrary: fc.constant('carryOut' as const) },
			fc.constantFrom(...(Object.keys(ACTIONS) as Scenario['script'])),
		),
		{ maxLength: 8 },
	),
	rejected: fc.record({
		email: fc.constantFrom(...STUDENTS),
		times: fc.integer({ min: 0, max: 2 }),
	}),
	corrections: fc.array(
		fc.record<Correction>({
			of: fc.constantFrom('nothing', 'date', 'class', 'case', 'deletion', 'insertion'),
			at: fc.nat(4),
		}),
		{ maxLength: 3 },
	),
	batchSize: fc.integer({ min: 1, max: 2 }),
	maxConcurrentRequests: fc.constantFrom(1, 3),
});

/** A row whose year no other row has had. */
interface DatedRow extends Row {
	year: number;
}

const dated = ({ email, classId }: Scenario['rows'][number], year: number): DatedRow => {
	return { email, classId, year, until: `${year}-01-31T12:00:00.000Z` };
};

/** The rows after a correction. Only a list has rows that can be deleted or inserted. */
function correct(
	rows: DatedRow[],
	{ of, at }: Correction,
	year: number,
	isJson: boolean,
): DatedRow[] {
	if (of === 'case') return rows.map((one) => ({ ...one, email: one.email.toLowerCase() }));
	const index = at % rows.length;
	const chosen = rows[index]!;
	const other = { ...chosen, classId: chosen.classId === PYTHON.id ? RUST.id : PYTHON.id };
	const instead = {
		nothing: [chosen],
		date: [dated(chosen, year)],
		class: [other],
		deletion: isJson && rows.length > 1 ? [] : [chosen],
		insertion: isJson ? [dated(chosen, year), chosen] : [chosen],
	}[of];
	return [...rows.slice(0, index), ...instead, ...rows.slice(index + 1)];
}

function parametersOf(
	{ operation, date, ...scenario }: Scenario,
	rows: DatedRow[],
): INodeParameters {
	const { batchSize, maxConcurrentRequests } = scenario;
	const years = `${JSON.stringify(rows.map(({ year }) => year))}[$itemIndex]`;
	const isLower = rows.every(({ email }) => email === email.toLowerCase());
	const dates = {
		fixed: {},
		duration: { accessExpiration: 'duration', durationAmount: `={{ ${years} - 2000 }}` },
		now: { accessExpiration: 'date', expirationDate: `={{ $now.plus(${years} * 1e9) }}` },
	};
	const undated = rows.map((one) => ({ ...one, until: date === 'fixed' ? one.until : undefined }));
	return {
		...(operation === 'json' ? jsonParametersFor(undated) : parametersFor(rows)),
		...dates[date],
		emailField: isLower ? 'lower' : 'email',
		redirectUrl: `=https://example.com/{{ ${years} }}`,
		options: { batchSize },
		requestOptions: { maxConcurrentRequests },
	};
}

async function runScenario(scenario: Scenario): Promise<void> {
	await withService(async (fixture) => {
		const { service } = fixture;
		for (const email of STUDENTS) service.classes.enroll(CLASSES, [{ email }]);
		const script = [...scenario.script];
		let { times } = scenario.rejected;
		const address = scenario.rejected.email.toLowerCase();
		service.temper.forRequest = ({ body }) => {
			const isAbout = JSON.stringify(body ?? '')
				.toLowerCase()
				.includes(address);
			return isAbout && times-- > 0 ? ACTIONS.reject : ACTIONS[script.shift() ?? 'carryOut'];
		};
		const { result, rows } = await tryAll(fixture, scenario);
		expectNoSecondLink(service);
		if (!result.error) expectTrueClaims(scenario, service, result, rows);
	});
}

/** Tries until everything is done, or four times. */
async function tryAll({ student }: Fixture, scenario: Scenario) {
	const { operation, kind, corrections } = scenario;
	const isJson = operation === 'json';
	// The first items stay; only the parameters can be corrected.
	const items: IDataObject[] = isJson
		? [{}]
		: scenario.rows.map(({ email }) => ({ email, lower: email.toLowerCase() }));
	let rows = scenario.rows.map((one, index) => dated(one, 2031 + index));
	const tryOnce = async (options: Parameters<Fixture['student']>[2]) =>
		await student(isJson ? 'addManyToClass' : operation, parametersOf(scenario, rows), {
			items,
			...options,
		});
	if (kind !== 'current' && kind !== 'original') {
		// Of a list, the error output does not say which row failed.
		const onError = isJson && kind === 'continueErrorOutput' ? 'continueRegularOutput' : kind;
		return { result: await tryOnce({ onError, maxTries: 4 }), rows };
	}
	let result = await tryOnce({});
	for (let n = 0; n < 3 && result.error; n++) {
		await sleep(1000);
		const correction = corrections[n];
		if (kind === 'current' && correction) rows = correct(rows, correction, 2041 + n, isJson);
		result = await tryOnce({ retryOf: { run: result.run, workflow: kind } });
	}
	return { result, rows };
}

/** A link that is known to be sent is not sent again. */
function expectNoSecondLink({ requests }: Service): void {
	const sent: unknown[] = [];
	for (const { path, body, status } of requests) {
		const { redirectUrl } = (body ?? {}) as IDataObject;
		expect(sent).not.toContain(redirectUrl);
		if (status === 200 && path === '/magic-link') sent.push(redirectUrl);
	}
}

/** What comes out last for a student and a class is so. */
function expectTrueClaims(
	{ operation }: Scenario,
	{ classes, magicLinks }: Service,
	{ items, errorItems }: RunResult,
	rows: DatedRow[],
): void {
	const isJson = operation === 'json';
	const outputs = [...items, ...errorItems];
	if (!isJson) outputs.sort((a, b) => linkOf(a) - linkOf(b));
	expect(outputs).toHaveLength(rows.length);

	const last = new Map<string, { claimed: unknown; has: unknown }>();
	outputs.forEach(({ json }, index) => {
		const email = rows[index]!.email.toLowerCase();
		const { classId } = rows[isJson ? 0 : index]!;
		const key = `${classId} ${email}`;
		const sent = magicLinks.map(({ redirectUrl }) => redirectUrl);
		const students = classes.studentsOf(classId);
		const found = students.find((student) => student.email.toLowerCase() === email);
		if (/unknown|may or may not/.test(String(json.error))) last.delete(key);
		else if (json.error !== undefined) return;
		else if (json.redirectUrl) expect(sent).toContain(json.redirectUrl);
		else if (json.deleted) last.set(key, { claimed: undefined, has: found });
		else last.set(key, { claimed: json.expirationDate, has: found?.expirationDate });
	});
	for (const { claimed, has } of last.values()) expect(has).toEqual(claimed);
}

testProperty(
	'however often it is tried again, what comes out is so, and no link is sent twice',
	60,
	fc.asyncProperty(scenarios, runScenario),
);
