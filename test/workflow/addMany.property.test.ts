import fc from 'fast-check';
import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import omitBy from 'lodash/omitBy';
import partition from 'lodash/partition';
import sumBy from 'lodash/sumBy';
import type { IDataObject } from 'n8n-workflow';
import type { RequestRecord, Student, Temper } from '../service/service';
import { testProperty } from '../property';
import type { RunOptions, RunResult } from './engine';
import { byId, linkOf, PYTHON, RUST, STUDENT, studentsIn, withService } from './fixture';

const GONE = 'gone';
const CLASS_IDS = [PYTHON.id, PYTHON.id, RUST.id, ` ${RUST.id} `, GONE];
const EMAILS = Array.from({ length: 60 }, (_, n) => `Student-${n}@example.com`);
/** What may be written for a date, and what is sent for it. */
const DATES: Record<string, string | undefined> = {
	'': undefined,
	'2027-01-31': '2027-01-31T03:00:00.000Z',
	'2028-02-29T10:00:00+02:00': '2028-02-29T08:00:00.000Z',
};
const WRONG = {
	email: ['', ' ', 'x', 'a@b', 'a b@example.com', 'a@example.com, b@example.com'],
	classId: ['', ' ', '.', '..', 'undefined'],
	expirationDate: ['2027-02-30', 'tomorrow', '2027-13-01T00:00:00Z'],
};

/** A row as the user gives it, and what is to be sent for it, if it is valid. */
interface TestRow {
	given: { email: string; name: string; expirationDate: string; classId: string };
	valid?: { classId: string; student: Student };
}

interface Scenario {
	rows: TestRow[];
	from: 'inputItems' | 'json';
	/** At most so many students in an item, if they come from JSON. */
	listLength: number;
	batchSize: number;
	maxConcurrentRequests: number;
	/** The students whom the service refuses, and with what status. */
	refused: string[];
	status: number;
	/** The students who are in a class already, if the service refuses them there. */
	enrolled: string[];
	/** It accepts at most so many students in a request. */
	mostStudents: number;
}

const emailForms: Array<(email: string) => string> = [
	(email) => email,
	(email) => email.toUpperCase(),
	(email) => email.toLowerCase(),
	(email) => ` ${email}\t`,
	(email) => `\u00a0${email.toLowerCase()}\n`,
];

// Some addresses come often.
const email = fc.oneof(fc.constantFrom(...EMAILS.slice(0, 8)), fc.constantFrom(...EMAILS));
const emails = fc.uniqueArray(email, { maxLength: 6 });

const row = fc
	.record({
		email,
		form: fc.constantFrom(...emailForms),
		name: fc.constantFrom('', ' ', 'Ana', ' José da Silva '),
		expirationDate: fc.constantFrom(...Object.keys(DATES)),
		classId: fc.constantFrom(...CLASS_IDS),
		wrong: fc.oneof(
			{ weight: 9, arbitrary: fc.constant({}) },
			...Object.entries(WRONG).map(([field, values]) =>
				fc.constantFrom(...values).map((value) => ({ [field]: value })),
			),
		),
	})
	.map(({ email, form, name, expirationDate, classId, wrong }): TestRow => {
		const right = { email: form(email), name, expirationDate, classId };
		if (Object.keys(wrong).length > 0) return { given: { ...right, ...wrong } };
		const student = {
			email: right.email.trim(),
			name: name.trim() || undefined,
			expirationDate: DATES[expirationDate],
		};
		return {
			given: right,
			valid: { classId: classId.trim(), student: omitBy(student, (value) => !value) as never },
		};
	});

const scenarioOf = (rows: fc.Arbitrary<TestRow[]>) =>
	fc.record<Scenario>({
		rows,
		from: fc.constantFrom('inputItems', 'json'),
		listLength: fc.integer({ min: 1, max: 8 }),
		batchSize: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(100)),
		maxConcurrentRequests: fc.integer({ min: 1, max: 10 }),
		refused: emails,
		status: fc.constantFrom(400, 404, 409, 413, 422),
		enrolled: emails,
		mostStudents: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 12 })),
	});

/** An input item, and its rows. */
interface TestItem {
	json: IDataObject;
	rows: TestRow[];
}

function itemsOf({ rows, from, listLength }: Scenario): TestItem[] {
	if (from === 'inputItems') return rows.map((row) => ({ json: row.given, rows: [row] }));
	const lists: TestRow[][] = [];
	for (const row of rows) {
		const list = lists.at(-1);
		const fits = list?.[0]!.given.classId === row.given.classId && list.length < listLength;
		if (fits) list.push(row);
		else lists.push([row]);
	}
	return lists.map((list) => ({
		json: {
			classId: list[0]!.given.classId,
			students: list.map(({ given: { classId, ...student } }) => student),
		},
		rows: list,
	}));
}

/** A row, and how it is to come out. */
interface Outcome extends TestRow {
	item: number;
	/** How errors name it. */
	place: string;
	/** The student who is sent for it: that of the last row with the same address and class. */
	sent?: Student;
}

function outcomesOf(scenario: Scenario): Outcome[] {
	const last = new Map<string, Student>();
	for (const { valid } of scenario.rows) if (valid) last.set(keyOf(valid), valid.student);
	return itemsOf(scenario).flatMap(({ rows }, item) =>
		rows.map((row, n) => ({
			...row,
			item,
			place: scenario.from === 'json' ? `student ${n + 1} of item ${item}` : `item ${item}`,
			sent: row.valid && last.get(keyOf(row.valid)),
		})),
	);
}

const keyOf = ({ classId, student }: { classId: string; student: { email: string } }) =>
	`${classId} ${student.email.toLowerCase()}`;

const has = (emails: string[], { email }: Student) =>
	emails.some((other) => other.toLowerCase() === email.toLowerCase());

/** Whether the service accepts a student if nobody else is in the request. */
function isAccepted({ refused, enrolled }: Scenario, { valid, sent }: Outcome): boolean {
	if (!valid || !sent || valid.classId === GONE || has(refused, sent)) return false;
	return !(valid.classId === PYTHON.id && has(enrolled, sent));
}

function temperOf({ refused, status, mostStudents }: Scenario): Temper {
	const only = (request: RequestRecord) => {
		const students = studentsIn(request);
		return students.some((student) => has(refused, student)) || students.length > mostStudents;
	};
	return { refuseEnrolled: true, failWith: { status, only } };
}

const classOf = ({ path }: RequestRecord) => decodeURIComponent(path.split('/')[2]!);

interface Run extends RunResult {
	requests: RequestRecord[];
	/** The students whom the service has accepted. */
	accepted: Set<string>;
}

/** Runs the scenario against a service of its own, and hands over what happened. */
async function runScenario(
	scenario: Scenario,
	onError: RunOptions['onError'],
	check: (run: Run) => void,
): Promise<void> {
	await withService(async ({ service, student }) => {
		service.classes.remove([PYTHON.id, RUST.id], STUDENT);
		service.classes.enroll(
			[PYTHON.id],
			scenario.enrolled.map((email) => ({ email })),
		);
		service.temper = temperOf(scenario);
		const result = await student(
			'addManyToClass',
			{
				classId: byId('={{ $json.classId }}'),
				studentsFrom: scenario.from,
				studentsJson: '={{ $json.students }}',
				accessExpiration: scenario.from === 'json' ? 'none' : 'field',
				options: { batchSize: scenario.batchSize },
				requestOptions: { maxConcurrentRequests: scenario.maxConcurrentRequests },
			},
			{ items: itemsOf(scenario).map(({ json }) => json), onError },
		);
		const { requests } = service;
		check({ ...result, requests, accepted: acceptedIn(scenario, requests) });
	});
}

/** Expects that everyone in a request is the student of a last row, and nobody is accepted twice. */
function acceptedIn(scenario: Scenario, requests: RequestRecord[]): Set<string> {
	const allowed = new Map(
		outcomesOf(scenario).flatMap(({ valid, sent }) =>
			valid && sent ? [[keyOf(valid), sent] as const] : [],
		),
	);
	const accepted: string[] = [];
	for (const request of requests) {
		expect(studentsIn(request).length).toBeLessThanOrEqual(scenario.batchSize);
		for (const student of studentsIn(request)) {
			const key = keyOf({ classId: classOf(request), student });
			expect(student).toEqual(allowed.get(key));
			if (request.status === 200) accepted.push(key);
		}
	}
	expect(new Set(accepted).size).toBe(accepted.length);
	return new Set(accepted);
}

const shown = (output: RunResult['items']) =>
	output.map((item) => ({ item: linkOf(item), json: item.json }));

/** How the output items of all rows are to look. */
const expectedItems = (scenario: Scenario) =>
	outcomesOf(scenario).map((outcome) => ({
		item: outcome.item,
		json: expectedItem(scenario, outcome) as IDataObject,
	}));

/** How the output item of a row is to look. */
function expectedItem(scenario: Scenario, outcome: Outcome) {
	const { valid, sent, place } = outcome;
	if (isAccepted(scenario, outcome)) return { success: true, ...sent, classId: valid!.classId };
	const error = valid
		? expect.stringMatching(
				new RegExp(`^${valid.student.email} was (refused|not sent) \\(${place}\\): `),
			)
		: expect.stringContaining(place);
	return { error };
}

/** The most requests that a rejected batch may take: it is halved down to 16 students, who are sent one by one. */
function mostRequestsOf(students: number): number {
	if (students <= 16) return students === 1 ? 1 : 1 + students;
	const half = Math.ceil(students / 2);
	return 1 + mostRequestsOf(half) + mostRequestsOf(students - half);
}

/** The most requests that may add the students. A batch that is accepted takes one. */
function mostRequests(scenario: Scenario): number {
	const outcomes = outcomesOf(scenario).filter(({ valid }) => valid);
	const byStudent = new Map(outcomes.map((outcome) => [keyOf(outcome.valid!), outcome]));
	const byClass = groupBy([...byStudent.values()], ({ valid }) => valid!.classId);
	const batches = Object.values(byClass).flatMap((ofClass) => chunk(ofClass, scenario.batchSize));
	return sumBy(batches, (batch) => {
		const isWhole =
			batch.length <= scenario.mostStudents &&
			batch.every((outcome) => isAccepted(scenario, outcome));
		return isWhole ? 1 : mostRequestsOf(batch.length);
	});
}

const rows = fc.array(row, { minLength: 1, maxLength: 45 });
// No more rows than a message lists one by one.
const fewRows = (row: fc.Arbitrary<TestRow>) => fc.array(row, { minLength: 1, maxLength: 20 });

describe('Add Many, whatever the rows and whomever the service refuses', () => {
	testProperty(
		'with "continue on fail", everyone whom the service accepts is in, and each row comes out once with its own outcome',
		40,
		fc.asyncProperty(
			scenarioOf(rows),
			fc.constantFrom('continueRegularOutput', 'continueErrorOutput'),
			async (scenario, onError) => {
				await runScenario(scenario, onError, (run) => {
					expect(run.error).toBeUndefined();
					const items = itemsOf(scenario);
					const expected = expectedItems(scenario);
					const [done, failed] = partition(expected, ({ json }) => json.success);
					if (onError === 'continueRegularOutput') {
						// Without an error output, an item also says whose it is.
						const withIdentity = expected.map(({ item, json }) => ({
							item,
							json: json.success ? json : (expect.objectContaining(json) as IDataObject),
						}));
						expect(shown(run.items)).toEqual(withIdentity);
						expect(run.errorItems).toEqual([]);
					} else {
						expect(shown(run.items)).toEqual(done);
						expect(shown(run.errorItems)).toEqual(
							failed.map(({ item, json }) => ({ item, json: { ...items[item]!.json, ...json } })),
						);
					}

					const good = outcomesOf(scenario).filter((outcome) => isAccepted(scenario, outcome));
					expect(run.accepted).toEqual(new Set(good.map(({ valid }) => keyOf(valid!))));
					expect(run.requests.length).toBeLessThanOrEqual(mostRequests(scenario));
				});
			},
		),
	);

	testProperty(
		'without it, an invalid row keeps everything from being sent, and a refusal says who was added',
		40,
		fc.asyncProperty(
			scenarioOf(fc.oneof(fewRows(row), fewRows(row.filter(({ valid }) => valid !== undefined)))),
			async (scenario) => {
				await runScenario(scenario, undefined, (run) => {
					const { error, items, errorItems, requests, accepted } = run;
					const outcomes = outcomesOf(scenario);
					expect(errorItems).toEqual([]);
					const invalid = outcomes.find(({ valid }) => !valid);
					if (invalid) {
						expect(requests).toEqual([]);
						expect(items).toEqual([]);
						expect(error?.message).toContain(`[${invalid.place}]`);
						return;
					}

					const isAdded = ({ valid }: Outcome) => accepted.has(keyOf(valid!));
					if (outcomes.every(isAdded)) {
						expect(error).toBeUndefined();
						expect(shown(items)).toEqual(expectedItems(scenario));
						return;
					}
					expect(items).toEqual([]);
					expect(requests.some(({ status }) => status !== 200)).toBe(true);
					if (outcomes.length === 1) return;
					expect(error?.message).toContain(
						`${outcomes.filter(isAdded).length} of ${outcomes.length} students were added`,
					);
					expect(placesIn(error!.message, 'added')).toEqual(placesOf(outcomes.filter(isAdded)));
					const others = ['refused', 'refused together, so some may have been added', 'not sent'];
					expect(others.flatMap((state) => placesIn(error!.message, state)).sort()).toEqual(
						placesOf(outcomes.filter((outcome) => !isAdded(outcome))),
					);
				});
			},
		),
	);
});

const placesOf = (outcomes: Outcome[]) => outcomes.map(({ place }) => place).sort();

/** The rows that a message lists as in a state: "added: items 0-1, 4", or "added: student 1 of item 0; students 2-3 of item 1". */
function placesIn(message: string, state: string): string[] {
	const list = new RegExp(`; ${state}: (.*?)(?:; (?:refused|not sent)|\\.$)`).exec(message)?.[1];
	if (list === undefined) return [];
	return list
		.split('; ')
		.flatMap((part) => {
			const [, noun, ranges, of = ''] = /^(item|student)s? ([\d, -]+?)( of item \d+)?$/.exec(part)!;
			return ranges!.split(', ').flatMap((range) => {
				const [from, to = from] = range.split('-').map(Number);
				return Array.from({ length: to! - from! + 1 }, (_, n) => `${noun} ${from! + n}${of}`);
			});
		})
		.sort();
}
