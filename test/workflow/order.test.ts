import type { INodeParameters } from 'n8n-workflow';
import type { RequestRecord } from '../service/service';
import {
	byId,
	CONTINUE,
	EMAIL_OF_ITEM,
	emailOf,
	emailsOf,
	indexes,
	isFor,
	jsonOf,
	linkOf,
	PYTHON,
	RUST,
	STUDENT,
	studentsIn,
	useService,
} from './fixture';

const EARLY = '2027-01-31T12:00:00.000Z';
const LATE = '2028-01-31T12:00:00.000Z';
const UNTIL = { accessExpiration: 'date', expirationDate: '={{ $json.until }}' };
const LATER = { 'Retry-After': '0' };

const fixture = useService();

/** Defers the first request that contains a text. */
function defer(text: string): void {
	const only = ({ path, body }: RequestRecord) => (path + JSON.stringify(body)).includes(text);
	fixture.service.temper = { failWith: { status: 503, times: 1, headers: LATER, only } };
}

const twoRows = (first: string, second: string) =>
	[first, second].map((until) => ({ email: STUDENT, until }));

describe('two rows of one student', () => {
	test.each<[operation: string, INodeParameters, first: string, second: string]>([
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
	])('%s keeps their order', async (operation, parameters, first, second) => {
		defer(first);
		const { items } = await fixture.student(
			operation,
			{ ...EMAIL_OF_ITEM, ...parameters },
			{ items: twoRows(first, second) },
		);
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

	test('count as such whatever the case of the address', async () => {
		defer(EARLY);
		const items = [
			{ email: 'New.Student@Example.com', until: EARLY },
			{ email: 'new.student@example.com', until: LATE },
		];
		await fixture.student('addToClass', { ...EMAIL_OF_ITEM, ...UNTIL }, { items });
		expect(fixture.service.classes.studentsOf(PYTHON.id)[1]).toEqual({
			email: 'new.student@example.com',
			expirationDate: LATE,
		});
	});

	test('are both sent, although the first one fails', async () => {
		const only = isFor(EARLY);
		fixture.service.temper = { failWith: { status: 400, only } };
		const result = await fixture.student(
			'addToClass',
			{ ...EMAIL_OF_ITEM, ...UNTIL },
			{ items: twoRows(EARLY, LATE), ...CONTINUE },
		);
		expect([result.items.map(linkOf), result.errorItems.map(linkOf)]).toEqual([[1], [0]]);
		expect(fixture.service.classes.studentsOf(PYTHON.id)[0]!.expirationDate).toBe(LATE);
	});

	test.each(['addToClass', 'sendMagicLink'])(
		'%s still handles different students at the same time, and keeps the order of the output',
		async (operation) => {
			fixture.service.temper = { latencyMs: 500 };
			const items = indexes(10).map((n) => ({ email: emailOf(n % 5) }));
			const { items: output } = await fixture.student(operation, EMAIL_OF_ITEM, { items });
			expect(fixture.service.peakInFlight).toBe(5);
			expect(output.map(linkOf)).toEqual(indexes(10));
			expect(emailsOf(output)).toEqual(items.map(({ email }) => email));
		},
	);
});

test('Add Many sends a student once if two lists name them for one class', async () => {
	const twice = { email: 'twice@example.com', name: 'New', expirationDate: LATE };
	const once = { email: 'once@example.com' };
	const { items: output } = await fixture.student(
		'addManyToClass',
		{ studentsFrom: 'json', studentsJson: '={{ $json.students }}' },
		{ items: [{ students: [{ ...twice, name: 'Old' }, once] }, { students: [twice] }] },
	);
	expect(fixture.service.requests.map(studentsIn)).toEqual([[once, twice]]);
	expect(jsonOf(output)).toEqual(
		[twice, once, twice].map((student) => ({ success: true, ...student, classId: PYTHON.id })),
	);
	expect(output.map(linkOf)).toEqual([0, 0, 1]);
});
