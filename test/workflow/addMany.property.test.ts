import fc from 'fast-check';
import omitBy from 'lodash/omitBy';
import partition from 'lodash/partition';
import sortBy from 'lodash/sortBy';
import uniqBy from 'lodash/uniqBy';
import type { IDataObject } from 'n8n-workflow';
import type { RequestRecord, Student } from '../service/service';
import { testProperty } from '../property';
import type { RunOptions, RunResult } from './engine';
import { byId, linkOf, PYTHON, RUST, studentsIn, withService } from './fixture';

const CLASS_IDS = [PYTHON.id, PYTHON.id, RUST.id, ` ${RUST.id} `];
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

const classOf = ({ path }: RequestRecord) => decodeURIComponent(path.split('/')[2]!);

/** Runs the scenario against a service of its own, and hands over what happened. */
async function runScenario(
	scenario: Scenario,
	onError: RunOptions['onError'],
	check: (result: RunResult, requests: RequestRecord[]) => void,
): Promise<void> {
	await withService(async ({ service, student }) => {
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
		check(result, service.requests);
	});
}

/** Expects that each student of a last row is sent once. */
function expectSent(scenario: Scenario, requests: RequestRecord[]): void {
	const sent = requests.flatMap((request) => {
		const students = studentsIn(request);
		expect(students.length).toBeLessThanOrEqual(scenario.batchSize);
		return students.map((student) => ({ classId: classOf(request), student }));
	});
	const last = outcomesOf(scenario).flatMap(({ valid, sent: student }) =>
		valid && student ? [{ ...valid, student }] : [],
	);
	expect(sortBy(sent, keyOf)).toEqual(sortBy(uniqBy(last, keyOf), keyOf));
}

const shown = (output: RunResult['items']) =>
	output.map((item) => ({ item: linkOf(item), json: item.json }));

/** How the output items of all rows are to look. */
const expectedItems = (scenario: Scenario) =>
	outcomesOf(scenario).map((outcome) => ({
		item: outcome.item,
		json: expectedItem(outcome) as IDataObject,
	}));

/** How the output item of a row is to look. */
function expectedItem({ valid, sent, place }: Outcome) {
	if (valid) return { success: true, ...sent, classId: valid.classId };
	return { error: expect.stringContaining(place) as string };
}

const rows = fc.array(row, { minLength: 1, maxLength: 45 });
const validRows = fc.array(
	row.filter(({ valid }) => valid !== undefined),
	{ minLength: 1, maxLength: 45 },
);

describe('Add Many, whatever the rows', () => {
	testProperty(
		'with "continue on fail", all valid ones are sent, and each comes out once with its own outcome',
		30,
		fc.asyncProperty(
			scenarioOf(rows),
			fc.constantFrom('continueRegularOutput', 'continueErrorOutput'),
			async (scenario, onError) => {
				await runScenario(scenario, onError, (result, requests) => {
					expect(result.error).toBeUndefined();
					const items = itemsOf(scenario);
					const expected = expectedItems(scenario);
					const [done, failed] = partition(expected, ({ json }) => json.success);
					if (onError === 'continueRegularOutput') {
						// Without an error output, an item also says whose it is.
						const withIdentity = expected.map(({ item, json }) => ({
							item,
							json: json.success ? json : (expect.objectContaining(json) as IDataObject),
						}));
						expect(shown(result.items)).toEqual(withIdentity);
						expect(result.errorItems).toEqual([]);
					} else {
						expect(shown(result.items)).toEqual(done);
						expect(shown(result.errorItems)).toEqual(
							failed.map(({ item, json }) => ({ item, json: { ...items[item]!.json, ...json } })),
						);
					}
					expectSent(scenario, requests);
				});
			},
		),
	);

	testProperty(
		'without it, an invalid row keeps everything from being sent',
		20,
		fc.asyncProperty(scenarioOf(fc.oneof(rows, validRows)), async (scenario) => {
			await runScenario(scenario, undefined, ({ error, items, errorItems }, requests) => {
				expect(errorItems).toEqual([]);
				const invalid = outcomesOf(scenario).find(({ valid }) => !valid);
				if (invalid) {
					expect(requests).toEqual([]);
					expect(items).toEqual([]);
					expect(error?.message).toContain(`[${invalid.place}]`);
					return;
				}
				expect(error).toBeUndefined();
				expect(shown(items)).toEqual(expectedItems(scenario));
				expectSent(scenario, requests);
			});
		}),
	);
});
