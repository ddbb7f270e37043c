import pick from 'lodash/pick';
import { Settings } from 'luxon';

import { desired } from '../../../examples/classAccess/book/desired';
import { paymentsOf } from '../../../examples/classAccess/book/payments';
import { readRow } from '../../../examples/classAccess/tables/rows';
import { readSale } from '../../../examples/classAccess/tables/sales';
import { BUYER_COLUMNS, STUDENT_COLUMNS } from '../../../examples/classAccess/types';
import type { Json } from '../../../examples/codeNodes/n8n';

beforeAll(() => void (Settings.defaultZone = 'America/Sao_Paulo'));

const PRODUCTS = [
	{ product: 'month', classId: 'c1', className: '', months: 1, problem: '' },
	{ product: 'both', classId: 'c1', className: '', months: 2, problem: '' },
	{ product: 'both', classId: 'c2', className: '', months: 2, problem: '' },
];
let id = 0;
const row = (values: Json) =>
	readSale({
		id: ++id,
		kind: 'paid',
		paymentId: 'p1',
		email: 'ana@example.com',
		name: 'Ana',
		products: '["month"]',
		paidAt: '2026-01-31T10:00:00Z',
		createdAt: '2026-01-31T10:00:01Z',
		...values,
	});
const paymentOf = (...rows: Json[]) => paymentsOf(rows.map(row), PRODUCTS)[0]!;

/** When each access should end, by address and class. */
function endsOf(...rows: Json[]): Record<string, string> {
	const sales = rows.map(row);
	const accesses = [...desired(paymentsOf(sales, PRODUCTS), sales)];
	return Object.fromEntries(accesses.map(([key, { end }]) => [key, new Date(end).toISOString()]));
}

const MARCH = {
	paymentId: 'p2',
	paidAt: '2026-02-28T10:00:00Z',
	createdAt: '2026-02-28T10:00:01Z',
};
const ANA = 'ana@example.com c1';

describe('an access should end', () => {
	test.each<[string, Json[], string]>([
		['at the end of its last day there', [{}], '2026-03-01T02:59:59.999Z'],
		['on the 31st again, if it began on one', [{}, MARCH], '2026-04-01T02:59:59.999Z'],
		['once, if a payment is said again', [{}, {}], '2026-03-01T02:59:59.999Z'],
		['when the shop says', [{ until: '2026-02-20T10:00:00Z' }], '2026-02-20T10:00:00.000Z'],
		[
			'at the end of a day that a database says as its midnight',
			[{ until: '2026-02-20T00:00:00.000Z' }],
			'2026-02-21T02:59:59.999Z',
		],
		['in 9999, if it is for life', [{ until: '9999-12-31' }, MARCH], '9999-12-30T00:00:00.000Z'],
		['at once, if its payment is refunded', [{}, { kind: 'refunded' }], '1970-01-01T00:00:00.000Z'],
		[
			'when an owner ends it',
			[{}, { kind: 'ended', classId: 'c1', until: '2026-02-10T10:00:00Z' }],
			'2026-02-10T10:00:00.000Z',
		],
		[
			'later, if it is paid after an owner has ended it',
			[{}, { kind: 'ended', classId: 'c1', until: '2026-02-10T10:00:00Z' }, MARCH],
			'2026-03-29T02:59:59.999Z',
		],
	])('%s', (_, rows, end) => expect(endsOf(...rows)).toEqual({ [ANA]: end }));
});

test.each([
	['', []],
	['a, b', ['a', 'b']],
	['["a, b",null]', ['a, b', 'without-code']],
	['[2027] Python', ['[2027] Python']],
	['1.10', ['1.10']],
])('the products %j are the codes %j', (products, codes) => {
	expect(readSale({ id: 1, kind: 'paid', classId: 'c1', products }).codes).toEqual(codes);
});

test.each(['{', '[1,', '{}', '[null]', '[{"classId":"c1"}]', '[{"classId":"c1","months":"six"}]'])(
	'a row whose classes are %j says so, and breaks nothing',
	(classes) => {
		expect(paymentOf({ classes }, {}).sales[0]!.problem).not.toBe('');
	},
);

test('a row whose classes an owner has entered without the code gives them', () => {
	const classes = '[{"classId":"c2","months":3}]';
	const { gifts } = paymentOf({ classes, doneAt: '2026-01-31T10:00:02Z' }, {});
	expect(gifts.map(({ classId }) => classId)).toEqual(['c2', 'c1']);
});

describe('a date that is none', () => {
	test.each(['createdAt', 'doneAt', 'until', 'paidAt'])(
		'in %s is a problem of the sale',
		(name) => {
			expect(row({ [name]: 'soon' }).problem).toContain(`${name} is "soon", not a date`);
		},
	);

	test.each([
		['a buyer', BUYER_COLUMNS],
		['a student', STUDENT_COLUMNS],
	])('in the row of %s counts as none', (_, columns) => {
		const dates = Object.entries(columns).flatMap(([name, type]) => (type === 'date' ? name : []));
		const row = Object.fromEntries(dates.map((name) => [name, 'soon']));
		expect(Object.values(pick(readRow(columns, row), dates))).toEqual(dates.map(() => null));
	});
});
