import { DateTime, Settings } from 'luxon';

import { desired, LAST_END } from '../../examples/classAccess/desired';
import { plan, type Given } from '../../examples/classAccess/plan';
import { productsOf, readCodes, readDate, readSale } from '../../examples/classAccess/readSale';
import { missingRefunds } from '../../examples/classAccess/record';
import type { Round, SaleRow, Step, Student } from '../../examples/classAccess/rounds';

beforeAll(() => void (Settings.defaultZone = 'America/Sao_Paulo'));
afterAll(() => void (Settings.defaultZone = 'system'));

const at = (text: string) => DateTime.fromISO(text, { zone: 'utc' }).toMillis();
const iso = (time?: number | null) => time && new Date(time).toISOString();
const NOW = at('2026-03-01T12:00:00');
let id = 0;
const row = (values: Partial<SaleRow> = {}): SaleRow => ({
	...{ id: ++id, paymentId: 'p1', kind: 'paid', email: 'ana@example.com', name: '', classId: 'c1' },
	...{ product: 'a', months: 1, until: null, paidAt: at('2026-01-31T10:00'), rowCount: 1 },
	...{ receivedAt: NOW, doneAt: null, problem: null },
	...values,
});

describe('readDate', () => {
	test.each([
		['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
		['2026-01-31 10:00:00', '2026-01-31T10:00:00.000Z'],
		['2026-01-31T10:00:00.123-03:00', '2026-01-31T13:00:00.123Z'],
		// A day lasts until its end where the workflow is.
		['2026-01-31', '2026-02-01T02:59:59.999Z'],
	])('reads %s', (text, expected) => expect(iso(readDate(text))).toBe(expected));

	test.each([
		'05/04/2026',
		'5-4-2026',
		'2026-02-30',
		'12',
		'365',
		'46752',
		'0',
		'yesterday',
		{},
		[],
	])('refuses %j', (value) => expect(readDate(value)).toBeUndefined());

	test.each(['', ' ', null, undefined])('is empty for %j', (value) =>
		expect(readDate(value)).toBeNull(),
	);
});

describe('codes', () => {
	test.each<[unknown, string[]]>([
		[' A , b', ['a', 'b']],
		[['Inglês, básico'], ['inglês, básico']],
		['["A, B"]', ['a, b']],
		['["A",null]', ['a', 'without-code']],
		['', ['without-code']],
		[[], ['without-code']],
		[[['1']], ['without-code']],
		['[A,b]', ['a', 'b']],
		['[2027] A', ['[2027] a']],
		[1, ['1']],
	])('of %j are %j', (products, codes) => expect(readCodes(products)).toEqual(codes));

	const cells = (code: string, ...products: string[]) =>
		productsOf(
			code,
			products.map((product) => ({ product, classId: product, months: null })),
		).map(({ product }) => product);

	test('are compared as a whole, then with the parts of a cell', () => {
		expect(cells('inglês, básico', 'Inglês, básico', 'Francês, básico')).toEqual([
			'Inglês, básico',
		]);
		expect(cells('module 12', 'Module 1 2', 'Module 12')).toEqual(['Module 12']);
		expect(cells('b', 'a,b', 'b,c')).toEqual(['a,b', 'b,c']);
		expect(cells('without-code', '11,', '')).toEqual([]);
		expect(cells('ingl\u00eas', 'Ingle\u0302s')).toHaveLength(1);
	});
});

test('readSale fails with an end before the payment', () => {
	const given = { paymentId: 1, status: 'paid', paidAt: '2026-03-01T00:00Z', until: '1970-01-01' };
	expect(readSale(given).problems.join()).toContain('is not after the payment');
});

describe('desired', () => {
	const endOf = (...sales: SaleRow[]) => iso([...desired(sales).values()][0]);

	test('includes the last day, and keeps the 31st', () => {
		const months = ['2026-01-31T10:00', '2026-02-28T10:00', '2026-03-31T10:00'];
		const sales = months.map((paidAt, index) =>
			row({ paymentId: `p${index}`, paidAt: at(paidAt) }),
		);
		expect(endOf(sales[0]!)).toBe('2026-03-01T02:59:59.999Z');
		expect(endOf(...sales.slice(0, 2))).toBe('2026-04-01T02:59:59.999Z');
		expect(endOf(...sales)).toBe('2026-05-01T02:59:59.999Z');
	});

	test('takes the end that the shop says, and never a shorter one', () => {
		const until = at('2026-02-10T00:00');
		expect(endOf(row({ until }))).toBe('2026-02-10T00:00:00.000Z');
		expect(endOf(row({ months: 12 }), row({ paymentId: 'p2', until }))).toContain('2027-02-01');
	});

	test('compares ends as numbers, and caps them', () => {
		const sales = [row({ until: at('9999-12-31T00:00') }), row({ paymentId: 'p2', months: 1200 })];
		expect([...desired(sales).values()]).toEqual([LAST_END]);
	});

	test('counts neither what is refunded or moved, nor a row twice', () => {
		expect(endOf(row(), row())).toBe('2026-03-01T02:59:59.999Z');
		expect(endOf(row(), row({ kind: 'refunded', email: '' }))).toBeUndefined();
		expect(endOf(row(), row({ kind: 'moved' }))).toBeUndefined();
		const other = row({ kind: 'moved', email: 'joana@example.com' });
		expect(endOf(row(), other)).toBeDefined();
	});
});

test('a refund is recorded for each address of its payment', () => {
	const joana = row({ email: 'joana@example.com' });
	const sales = [row(), joana, row({ kind: 'refunded' }), row({ paymentId: 'p2' })];
	expect(missingRefunds(sales)).toMatchObject([{ kind: 'refunded', email: 'joana@example.com' }]);
});

describe('plan', () => {
	const student = (values: Partial<Student> = {}): Student => ({
		...{ id: 1, email: 'ana@example.com', classId: 'c1', name: '', end: null, checkAt: null },
		...{ acting: null, openedAt: null, linkClaimedAt: null, linkSentAt: null, problem: null },
		...{ changedBy: null, ...values },
	});
	const SALE = { paymentId: 'p1', status: 'paid', email: 'ana@example.com', products: 'a' };
	const given = (past: Round[], more: Partial<Given> = {}): Given => ({
		...{ now: NOW, me: '7', sales: [SALE], isByHand: false, openSales: [], due: [], past },
		products: [{ product: 'a', classId: 'c1', months: 12 }],
		...more,
	});
	const look: Step = { next: 'look', paymentId: 'p1', email: 'ana@example.com' };
	const saw = (students: Student[], sales = [row({ months: 12 })]): Round => ({
		...{ steps: [look], students, sales },
	});
	const next = (...past: Round[]) => plan(given(past));

	test('looks first, records, and opens the student', () => {
		expect(next()).toEqual([look]);
		const [record] = next(saw([], []));
		expect(record).toMatchObject({ next: 'record', kind: 'paid', classId: 'c1', months: 12 });
		expect(next(saw([], []), { steps: [record!] })).toMatchObject([
			{ next: 'open', classId: 'c1' },
		]);
	});

	test('says what it will do, does it, looks again, and notes it with the claim of the link', () => {
		const [intent] = next(saw([student()]));
		expect(intent).toMatchObject({ next: 'note', acting: '7', checkAt: NOW, seen: null });
		const written = { ...student(), ...(intent as Student) };
		const before = [saw([student()]), { steps: [intent!], students: [written] }];
		const [add] = next(...before);
		expect(add).toMatchObject({ next: 'add', isContended: false });
		const done: Round[] = [...before, { steps: [add!], answers: [{ success: true }] }];
		expect(next(...done)).toEqual([look]);
		const notes = next(...done, saw([written]));
		const end = (add as { end: number }).end;
		expect(notes).toMatchObject([{ next: 'note', end, acting: null, isClaim: true }]);
	});

	test('looks again if somebody else was faster', () => {
		const [intent] = next(saw([student()]));
		expect(next(saw([student()]), { steps: [intent!], students: [] })).toEqual([look]);
	});

	test('leaves a student to the night whom another request may still reach', () => {
		const acting = student({ acting: '6', checkAt: NOW - 1000 });
		const [intent] = next(saw([acting]));
		expect(intent).toMatchObject({ intent: { isContended: true } });
		const written = { ...acting, ...(intent as Student) };
		const before = [saw([acting]), { steps: [intent!], students: [written] }];
		const [add] = next(...before);
		const notes = next(...before, { steps: [add!], answers: [{ success: true }] }, saw([written]));
		expect(notes).toMatchObject([{ acting: 'again', checkAt: NOW }]);
	});

	test.each([
		['before its end, is a problem', NOW + 1000, 'note'],
		['after its end, is done', NOW - 1000, undefined],
	])('a removal that is rejected %s', (_, end, problem) => {
		const refunded = [row(), row({ kind: 'refunded' })];
		const before = student({ end, linkSentAt: NOW, checkAt: NOW });
		const sales = [{ ...SALE, status: 'refunded' }];
		const after = (...past: Round[]) => plan(given(past, { sales }));
		const [intent] = after(saw([before], refunded));
		const written = { ...before, ...(intent as Student) };
		const past = [saw([before], refunded), { steps: [intent!], students: [written] }];
		const [remove] = after(...past);
		expect(remove).toMatchObject({ next: 'remove', isSurelyIn: problem !== undefined });
		const answers = [{ error: 'Not there', outcome: 'rejected', status: 422 }];
		const notes = after(...past, { steps: [remove!], answers }, saw([written], refunded));
		const expected = problem ? (expect.stringContaining('Not there') as string) : null;
		expect(notes).toMatchObject([{ next: 'note', problem: expected }]);
	});
});
