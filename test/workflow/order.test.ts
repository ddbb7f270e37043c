import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, jsonOf, PYTHON, RUST, useService } from './fixture';

const STUDENT = 'student@example.com';
const EARLY = '2027-01-31T12:00:00.000Z';
const LATE = '2028-01-31T12:00:00.000Z';
const BY_ITEM = { email: '={{ $json.email }}' };
const UNTIL = { accessExpiration: 'date', expirationDate: '={{ $json.until }}' };
const LATER = { 'Retry-After': '0' };

const fixture = useService();

/** Defers the first request that contains a text. */
function defer(text: string): void {
	fixture.service.temper = {
		failWith: {
			status: 503,
			times: 1,
			headers: LATER,
			only: ({ path, body }) => (path + JSON.stringify(body)).includes(text),
		},
	};
}

const twoRows = (first: IDataObject, second: IDataObject) => [
	{ email: STUDENT, ...first },
	{ email: STUDENT, ...second },
];

const CASES: Array<
	[operation: string, parameters: INodeParameters, first: string, second: string]
> = [
	['addToClass', UNTIL, EARLY, LATE],
	['addToClasses', UNTIL, EARLY, LATE],
	['removeFromClass', { classId: byId('={{ $json.until }}') }, PYTHON.id, RUST.id],
	['removeFromClasses', { classIds: '={{ [$json.until] }}' }, PYTHON.id, RUST.id],
	[
		'sendMagicLink',
		{ redirectUrl: '={{ $json.until }}' },
		'https://a.example/',
		'https://b.example/',
	],
];

describe('two rows of one student', () => {
	test.each(CASES)('%s keeps their order', async (operation, parameters, first, second) => {
		defer(first);
		const { error, items } = await fixture.student(
			operation,
			{ ...BY_ITEM, ...parameters },
			{ items: twoRows({ until: first }, { until: second }) },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(2);
		const sent = fixture.service.requests.map(({ path, body, status }) => [
			(path + JSON.stringify(body)).includes(first) ? 'first' : 'second',
			status,
		]);
		expect(sent).toEqual([
			['first', 503],
			['first', 200],
			['second', 200],
		]);
	});

	test.each(['addToClass', 'addToClasses'])('%s ends with the later date', async (operation) => {
		defer(EARLY);
		await fixture.student(
			operation,
			{ ...BY_ITEM, ...UNTIL },
			{ items: twoRows({ until: EARLY }, { until: LATE }) },
		);
		expect(fixture.service.classes.studentsOf(PYTHON.id)).toEqual([
			{ email: STUDENT, expirationDate: LATE },
		]);
	});

	test('whatever the case of the address', async () => {
		defer(EARLY);
		const items = [
			{ email: 'New.Student@Example.com', until: EARLY },
			{ email: 'new.student@example.com', until: LATE },
		];
		await fixture.student('addToClass', { ...BY_ITEM, ...UNTIL }, { items });
		expect(fixture.service.classes.studentsOf(PYTHON.id)[1]).toEqual({
			email: 'new.student@example.com',
			expirationDate: LATE,
		});
	});

	test('the second one is sent, although the first one fails', async () => {
		fixture.service.temper = {
			failWith: { status: 400, only: ({ body }) => JSON.stringify(body).includes(EARLY) },
		};
		const { items, errorItems } = await fixture.student(
			'addToClass',
			{ ...BY_ITEM, ...UNTIL },
			{
				items: twoRows({ until: EARLY }, { until: LATE }),
				onError: 'continueErrorOutput',
			},
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(jsonOf(errorItems)).toEqual([expect.objectContaining({ until: EARLY })]);
		expect(fixture.service.classes.studentsOf(PYTHON.id)[0]!.expirationDate).toBe(LATE);
	});

	test.each(['addToClass', 'sendMagicLink'])(
		'%s still handles different students at the same time, and keeps the order of the output',
		async (operation) => {
			fixture.service.temper = { latencyMs: 500 };
			const items = Array.from({ length: 10 }, (_, row) => ({
				email: `student-${row % 5}@example.com`,
				row,
			}));
			const { items: output } = await fixture.student(operation, BY_ITEM, { items });
			expect(fixture.service.peakInFlight).toBe(5);
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
				items.map(({ row }) => ({ item: row })),
			);
			expect(jsonOf(output).map(({ email }) => email)).toEqual(items.map(({ email }) => email));
		},
	);
});

test('Add Many sends a student once whom two lists name for one class', async () => {
	const items = [
		{
			students: [
				{ email: 'Twice@example.com', name: 'Old', expirationDate: EARLY },
				{ email: 'once@example.com' },
			],
		},
		{ students: [{ email: 'twice@example.com', name: 'New', expirationDate: LATE }] },
	];
	const { error, items: output } = await fixture.student(
		'addManyToClass',
		{ studentsFrom: 'json', studentsJson: '={{ $json.students }}' },
		{ items },
	);
	expect(error).toBeUndefined();
	const twice = { email: 'twice@example.com', name: 'New', expirationDate: LATE };
	expect(fixture.service.requests.map(({ body }) => body)).toEqual([
		{ students: [twice, { email: 'once@example.com' }] },
	]);
	expect(output).toEqual([
		{ json: { success: true, ...twice, classId: PYTHON.id }, pairedItem: { item: 0 } },
		{
			json: { success: true, email: 'once@example.com', classId: PYTHON.id },
			pairedItem: { item: 0 },
		},
		{ json: { success: true, ...twice, classId: PYTHON.id }, pairedItem: { item: 1 } },
	]);
});
