import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Execution, type Item } from '../canvas/execution';
import { MODES, tellStory } from '../classAccess/modes';
import { advance, begin, executeAlone, newWorld, record } from '../classAccess/story';
import type { Workflow } from '../n8n/workflows';
import { TIMES } from '../property';

const FILE = join(__dirname, '../../examples/class-access.json');
const workflow = JSON.parse(readFileSync(FILE, 'utf8')) as Workflow;

describe.each(Object.entries(MODES))('sales %s', (_, mode) => {
	// The same stories each time. PROPERTY_RUNS tells more of them.
	const tell = () => {
		for (let seed = 0; seed < 20 * TIMES; seed++) {
			const { isRight, text } = tellStory(workflow, mode, seed);
			if (!isRight) throw new Error(`Story ${seed}\n${text}`);
		}
	};
	test('end with the students who have paid, each with a link', tell, 300_000 * TIMES);
});

const MINUTE = 60_000;
const DAY = 86_400_000;
const SALE = {
	paymentId: 'p1',
	status: 'paid' as const,
	email: 'ana@example.com',
	name: 'Ana',
	products: 'A',
	paidAt: '2026-03-01T00:00:00Z',
};

const REFUND = { ...SALE, status: 'refunded' as const };
const REMOVAL = 'removeFromClass ana@example.com c1';

const isDone = ([item]: Item[]) => item?.json.next === 'done';

describe('one sale', () => {
	let world = newWorld(workflow);
	beforeEach(() => void (world = newWorld(workflow)));
	const execute = (sale?: object) => executeAlone(workflow, world, sale);
	const beginSale = (sale: object) => begin(workflow, world, record(world, sale));
	const sales = () => world.tables.class_sales!.rows;
	const students = () => world.tables.class_students!.rows;
	/** What an owner adds to class_sales. */
	const byHand = (row: object) => world.tables.class_sales!.insert(row, world.now);
	const hour = () => execute();
	/** Nobody knows whether an execution that has died still works, until its lease has run out. */
	const afterTheLease = () => void (world.now += 11 * MINUTE);
	const inClass = () => [...world.service.students.keys()].sort();

	test.each([
		['several codes, in any case', ['a', ' B'], { c1: '2027-03-01', c2: '2026-04-01' }],
		['another code of the product', ['ALSO a'], { c1: '2027-03-01' }],
		['a code with a blank in it', ['b ', 'also  AB'], { c1: '2026-09-01', c2: '2026-09-01' }],
		[
			'two products of one class, for the longer',
			['A', 'AB'],
			{ c1: '2027-03-01', c2: '2026-09-01' },
		],
		['a product without months, for a year', ['year'], { c1: '2027-03-01' }],
		['a code with a comma', ['Inglês, básico'], { c2: '2027-03-01' }],
		['decomposed letters', ['Inglês, básico'.normalize('NFD')], { c2: '2027-03-01' }],
	])('adds to the classes of %s', (_, products, ends) => {
		world.tables.class_products!.insert({ product: 'year', classId: 'c1', months: null }, 0);
		world.tables.class_products!.insert({ product: '"inglês, básico"', classId: 'c2' }, 0);
		expect(execute({ ...SALE, products: JSON.stringify(products) })).toMatchObject({
			result: 'added',
		});
		expect(world.service.students.size).toBe(Object.keys(ends).length);
		for (const [id, end] of Object.entries(ends))
			expect(world.service.students.get(`ana@example.com ${id}`)).toContain(end);
	});

	test.each([
		['no code', { products: '[]' }, 'Unknown product: without-code.'],
		['an unknown product', { products: 'Z' }, 'Unknown product: Z. Enter it in'],
		['an unknown code with a comma', { products: '["Z, b"]' }, 'Enter "Z, b" with its quotes in'],
		['a list in a list', { products: '[["A"]]' }, "A product's code is a list"],
		['another kind', { status: 'pending' }, 'Unknown kind: "pending"'],
		['no address', { email: 'ana' }, '"ana", which is not an email address'],
		['an invisible character', { email: 'ana@example.com​' }, 'invisible character'],
		['no date', { paidAt: 'yesterday' }, 'paidAt is "yesterday", not a date'],
		['a date of another country', { until: '05/04/2026' }, 'not a date'],
		['a day that there is not', { until: '2026-02-30' }, 'not a date'],
		['a number of days', { until: '365' }, 'not a date'],
		['an end before the payment', { until: '2026-02-28' }, "isn't after the payment"],
		['an end of another calendar', { until: '2569-03-01' }, 'until is in the year 2569'],
		['a date of another calendar', { paidAt: '2569-03-01' }, 'paidAt is in the future'],
	])('says once that a sale with %s fails', (_, changes, problem) => {
		const reason = expect.stringContaining(problem) as string;
		expect(execute({ ...SALE, ...changes })).toMatchObject({ result: 'failed', reason });
		expect(sales()).toMatchObject([{ problem: reason, doneAt: expect.any(String) as string }]);
		for (let hours = 0; hours < 3; hours++) hour();
		expect(world.service.requests).toEqual([]);
	});

	test('gives the product that is known, and says which one is not', () => {
		const reason = expect.stringContaining('Unknown product: Z.') as string;
		const sale = { ...SALE, products: '["A","Z"]' };
		expect(execute(sale)).toMatchObject({ result: 'failed', reason });
		expect(inClass()).toEqual(['ana@example.com c1']);
		expect(world.service.links).toHaveLength(1);
		world.tables.class_products!.insert({ product: 'Z', classId: 'c2', months: 1 }, 0);
		expect(execute(sale)).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
	});

	test('says that one of the rows of its product has no class', () => {
		for (const classId of ['c1', ''])
			world.tables.class_products!.insert({ product: 'Z', classId }, 0);
		const reason = expect.stringContaining('Product Z has no classId in class_products.') as string;
		expect(execute({ ...SALE, products: 'Z' })).toMatchObject({ result: 'failed', reason });
	});

	test('says that the row of its product has no class', () => {
		world.tables.class_products!.insert({ product: 'Z' }, 0);
		const reason = expect.stringContaining('Product Z has no classId in class_products.') as string;
		expect(execute({ ...SALE, products: '["Z"]' })).toMatchObject({ result: 'failed', reason });
	});

	test('gives nobody what an empty piece of a cell could mean', () => {
		world.tables.class_products!.rows.forEach((row) => (row.product = `${String(row.product)},,`));
		const reason = expect.stringContaining('without-code') as string;
		const sale = { ...SALE, products: '["Z",""]' };
		expect(execute(sale)).toMatchObject({ result: 'failed', reason });
		expect(world.service.requests).toEqual([]);
	});

	test('needs no address if it has no class', () => {
		world.tables.class_products!.insert({ product: 'book', classId: '-' }, 0);
		const sale = { ...SALE, email: '', products: 'book' };
		expect(execute(sale)).toMatchObject({ result: 'ignored', reason: 'No class was bought.' });
	});

	test('fails if it was not recorded first', () => {
		const execution = new Execution(workflow, world, 'Sale');
		Array.from(execution.start([{ json: { ...SALE, returnFailure: true } }]));
		const reason = expect.stringContaining('Insert the sale into class_sales first') as string;
		expect(execution.output).toMatchObject([{ json: { result: 'failed', reason } }]);
	});

	test('gives all classes of its product when the months of one are corrected', () => {
		const { class_products: products } = world.tables;
		products!.insert({ product: 'pair', classId: 'c1', months: 12 }, 0);
		const wrong = products!.insert({ product: 'pair', classId: 'c2', months: 0 }, 0);
		const reason = expect.stringContaining('Correct it in class_products') as string;
		expect(execute({ ...SALE, products: 'pair' })).toMatchObject({ result: 'failed', reason });
		products!.rows.find(({ id }) => id === wrong.id)!.months = 6;
		sales()[0]!.doneAt = null;
		hour();
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		expect(sales()).toMatchObject([{ problem: null }]);
	});

	test.each([10_000_000, 0, 0.5])('fails with %j months', (months) => {
		world.tables.class_products!.insert({ product: 'wrong', classId: 'c1', months }, 0);
		const reason = expect.stringContaining('from 1 to 1200') as string;
		expect(execute({ ...SALE, products: 'wrong' })).toMatchObject({ result: 'failed', reason });
	});

	test('gives the class of a product that was pasted with a character that nobody sees', () => {
		world.tables.class_products!.insert({ product: 'Z', classId: 'c1\u200b' }, 0);
		expect(execute({ ...SALE, products: 'Z' })).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('keeps what a product gave when it was bought', () => {
		execute(SALE);
		world.tables.class_products!.rows.forEach((row) => (row.months = 1));
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
	});

	test('says a rejection for good once, until the owner empties doneAt', () => {
		world.service.outcome = () => 'rejected';
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		const what = 'add Ana ana@example.com to class c1: Rejected';
		const problem = expect.stringContaining(what) as string;
		expect(students()).toMatchObject([{ inClass: false, end: null, problem }]);
		hour();
		expect(world.service.requests).toHaveLength(1);
		sales()[0]!.doneAt = null;
		expect(hour).toThrow(what);
		hour();
		expect(world.service.requests).toHaveLength(2);
		world.service.outcome = () => 'done';
		sales()[0]!.doneAt = null;
		hour();
		expect(students()).toMatchObject([{ inClass: true, problem: null }]);
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test.each([
		'Record',
		'Plan',
		'Open Buyer',
		'Lock',
		'Look Up Sales',
		'Add to Class',
		'Add to Class, item 1',
	])('is done by the next one to come after the lease, if n8n dies before %s', (node) => {
		advance(beginSale(SALE), node);
		afterTheLease();
		execute({ ...SALE, paymentId: 'p2', email: 'joana@example.com' });
		expect(inClass()).toEqual(['ana@example.com c1', 'joana@example.com c1']);
		expect(sales().map(({ doneAt }) => typeof doneAt)).toEqual(['string', 'string']);
		expect(world.service.links.filter((email) => email === 'ana@example.com')).toHaveLength(1);
	});

	test.each(['Lock', 'Remove From Class', 'Note Student, item 1', 'Unlock'])(
		'is refunded after the lease, if n8n dies before %s',
		(node) => {
			execute(SALE);
			advance(beginSale(REFUND), node);
			afterTheLease();
			hour();
			expect(inClass()).toEqual([]);
		},
	);

	describe('that is refunded by an execution that died', () => {
		const dieBefore = (node: string) => {
			execute(SALE);
			advance(beginSale(REFUND), node);
			afterTheLease();
		};

		test.each(['Remove From Class, item 1', 'Note Student'])(
			'before %s says once that its removal is rejected then',
			(node) => {
				dieBefore(node);
				expect(hour).toThrow('not in the class. They may not be in the class.');
				hour();
				expect(inClass()).toEqual([]);
				expect(students()).toMatchObject([{ inClass: false, end: null }]);
			},
		);

		test('stays in the class if that is rejected, and is told', () => {
			dieBefore('Remove From Class');
			world.service.outcome = () => 'rejected';
			expect(hour).toThrow('Blocked. They may not be in the class.');
			expect(execute(REFUND)).toMatchObject({ result: 'removed' });
		});
	});

	test.each([
		['fails, and says so', 8, 'failed', 1],
		['is given', 6, 'added', 2],
	])('an item that is added to the order %s after %i days', (_, days, result, count) => {
		execute(SALE);
		world.now += days * DAY;
		expect(execute({ ...SALE, products: '["A","B"]' })).toMatchObject({ result });
		expect(world.service.students.size).toBe(count);
		expect(execute(SALE)).toMatchObject({ result: 'already processed' });
	});

	test('keeps who was added by hand when a payment is sent again after its end', () => {
		world.service.students.set('ana@example.com c1', null);
		const sale = { ...SALE, paidAt: '2024-03-01T00:00:00Z' };
		expect(execute(sale)).toMatchObject({ result: 'ignored', reason: 'The access has ended.' });
		hour();
		execute({ ...sale, status: 'refunded' });
		expect(world.service.requests).toEqual([]);
	});

	test('removes nobody before the end of whom class_sales says nothing', () => {
		execute(SALE);
		sales().length = 0;
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		hour();
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
	});

	test('adds again who renewed while an execution removed and died', () => {
		execute(SALE);
		world.now = Date.parse('2027-03-02T00:00:00Z');
		const removing = begin(workflow, world);
		advance(removing, 'Remove From Class, item 1');
		expect(execute({ ...SALE, paymentId: 'p2', paidAt: '2027-03-02T00:00:00Z' })).toMatchObject({
			result: 'recorded',
		});
		afterTheLease();
		hour();
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('stops if its lease has run out, and leaves the rest to the next hour', () => {
		const payment = beginSale(SALE);
		advance(payment, 'Add to Class, item 1');
		afterTheLease();
		execute(REFUND);
		expect(inClass()).toEqual([]);
		world.service.students.set('ana@example.com c1', '2027-03-01T23:59:59.999Z'); // it arrives late
		advance(payment);
		expect(students()).toMatchObject([{ inClass: null }]);
		hour();
		expect(inClass()).toEqual([]);
	});

	test('is removed at its end, if the platform rejects to add again who may have been added', () => {
		world.service.outcome = () => 'lost';
		execute(SALE);
		world.service.outcome = () => 'rejected';
		expect(hour).toThrow("Couldn't add");
		world.service.outcome = () => 'done';
		hour();
		expect(inClass()).toEqual(['ana@example.com c1']);
		world.now = Date.parse('2027-03-02T00:00:00Z');
		hour();
		expect(inClass()).toEqual([]);
	});

	test('goes on with others if an owner has emptied the address of a student', () => {
		execute(SALE);
		Object.assign(students()[0]!, { email: '', checkAt: new Date(world.now).toISOString() });
		record(world, { ...SALE, paymentId: 'p2', email: 'bob@example.com' });
		world.now += MINUTE;
		const begun = begin(workflow, world);
		advance(begun);
		expect(begun.execution.runs.get('Due Students')).toHaveLength(1);
		// The first output: n8n returns it to the caller.
		expect(begun.execution.runs.get('What Is Next?')!.filter(isDone)).toHaveLength(1);
		expect(inClass()).toEqual(['ana@example.com c1', 'bob@example.com c1']);
	});

	test.each(['class_sales', 'class_students', 'class_buyers', 'class_products'])(
		'goes on with others, whatever an owner has typed into %s',
		(table) => {
			const typed = [null, 'x', '[null]', '[{"classId":"c1","months":1}]', '1900-01-01'];
			const columns = Object.keys(world.tables[table]!.insert({}, 0)).filter(
				(name) => name !== 'id',
			);
			for (const [column, value] of columns.flatMap((name) => typed.map((cell) => [name, cell]))) {
				world = newWorld(workflow);
				execute(SALE);
				Object.assign(world.tables[table]!.rows[0]!, { doneAt: null, [column!]: value });
				execute({ ...SALE, paymentId: 'p2', products: 'B' });
				world.tables.class_products!.insert({ product: 'new', classId: 'c2' }, 0);
				record(world, { ...SALE, paymentId: 'p3', email: 'bob@example.com', products: 'new' });
				try {
					hour();
				} catch (error) {
					expect(error).toMatchObject({ name: 'Error' });
				}
				expect(inClass()).toContain('bob@example.com c2');
			}
		},
	);

	describe('of a class that is gone', () => {
		beforeEach(() => {
			execute(SALE);
			world.service.classes.shift();
		});

		test('is ended by the hour, which has listed the classes', () => {
			world.now += 366 * DAY;
			hour();
			expect(students()).toMatchObject([{ end: null, inClass: false, checkAt: null }]);
		});

		test('is refunded by the next hour, when the refund itself has shown the rejection', () => {
			expect(execute(REFUND)).toMatchObject({ result: 'failed' });
			hour();
			expect(students()).toMatchObject([
				{ end: null, inClass: false, checkAt: null, problem: null },
			]);
			hour();
			expect(world.service.requests.slice(2)).toEqual([REMOVAL, REMOVAL]);
		});

		test('is a problem until the end, if the platform lists the class', () => {
			world.service.listed = ['c1'];
			expect(execute(REFUND)).toMatchObject({ result: 'failed' });
			expect(hour).toThrow('Not found');
			hour();
			const problem = expect.stringContaining('Not found') as string;
			expect(students()).toMatchObject([{ inClass: true, problem }]);
			expect(world.service.requests.slice(2)).toEqual([REMOVAL, REMOVAL]);
		});
	});

	test('shows a removal of who is surely in the class that is rejected', () => {
		execute(SALE);
		world.service.students.clear();
		expect(execute(REFUND)).toMatchObject({ result: 'failed' });
		const problem = expect.stringContaining("Couldn't remove") as string;
		expect(students()).toMatchObject([{ problem, inClass: true }]);
	});

	test('shows a removal that is rejected of who may have been added', () => {
		world.service.outcome = () => 'lost';
		execute(SALE);
		world.service.outcome = () => 'rejected';
		const reason = expect.stringContaining('may not be in the class') as string;
		expect(execute(REFUND)).toMatchObject({ result: 'failed', reason });
		// The addition may have arrived later, so it is asked and said once more.
		afterTheLease();
		expect(hour).toThrow('may not be in the class');
		hour();
		expect(world.service.requests.slice(1)).toEqual([REMOVAL, REMOVAL]);
	});

	describe('by hand', () => {
		test('adds until the end that was entered', () => {
			const until = new Date(world.now + 30 * DAY).toISOString();
			byHand({ kind: ' Given ', classId: ' c1', email: ' Ana@Example.com', until });
			hour();
			expect([...world.service.students]).toEqual([['ana@example.com c1', until]]);
			expect(world.service.links).toEqual(['ana@example.com']);
			world.now += 31 * DAY;
			hour();
			expect(world.service.students.size).toBe(0);
		});

		test('finds an address with decomposed letters, and remembers what it gave', () => {
			byHand({ classId: 'c1', email: 'josé@example.com'.normalize('NFD') });
			hour();
			execute({ ...SALE, email: 'josé@example.com', products: 'B' });
			expect([...world.service.students]).toEqual([
				['josé@example.com c1', '2027-03-01T23:59:59.999Z'],
				['josé@example.com c2', '2026-04-01T23:59:59.999Z'],
			]);
			expect(sales()).toMatchObject([{ doneAt: expect.any(String) as string }, {}]);
		});

		test('gives the months of the row in place of those of its product', () => {
			byHand({ kind: 'given', email: 'ana@example.com', products: 'A', months: 3 });
			hour();
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-06-01');
		});

		test.each([
			['after its refund', [REFUND], { months: 6 }, '2026-09-01'],
			['for more months', [], { months: 6 }, '2027-09-01'],
			['for less time than it lasts', [], { until: '2026-09-30' }, '2027-03-01'],
		])('gives beside a payment whose number it has, %s', (_, more, values, end) => {
			for (const sale of [SALE, ...more]) execute(sale);
			byHand({
				kind: 'given',
				paymentId: 'p1',
				classId: 'c1',
				email: 'ana@example.com',
				...values,
			});
			try {
				hour();
			} catch (error) {
				// Somebody must be told that it gives nothing.
				expect(String(error)).toContain("doesn't prolong");
			}
			expect(world.service.students.get('ana@example.com c1')).toContain(end);
		});

		describe('under the number of a payment that comes later', () => {
			const give = (values = {}) => {
				const row = { kind: 'given', paymentId: 'p1', classId: 'c1', email: 'ana@example.com' };
				byHand({ ...row, ...values });
				hour();
			};

			test('is a part of that payment', () => {
				give();
				execute(SALE);
				expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
			});

			test('keeps no months of that payment from counting', () => {
				give({ until: '2026-05-31' });
				execute(SALE);
				const [end] = world.service.students.values();
				expect(Date.parse(end!)).toBeGreaterThan(Date.parse('2027-03-01T00:00:00Z'));
			});

			test.each([{}, { until: '9999-12-31' }])('is refunded with it: %j', (values) => {
				give(values);
				byHand({ kind: 'refunded', paymentId: 'p1' });
				hour();
				execute(SALE);
				expect(inClass()).toEqual([]);
			});

			test('keeps its months if that payment lasts until a day', () => {
				give({ classId: 'c2' });
				execute({ ...SALE, until: '2026-04-30' });
				expect(world.service.students.get('ana@example.com c2')).toContain('2027-');
				expect(world.service.students.get('ana@example.com c1')).toContain('2026-04-30');
			});

			test.each([{}, { until: '9999-12-31' }])(
				'stays at the address to which it has moved: %j',
				(values) => {
					give(values);
					byHand({ kind: 'moved', paymentId: 'p1', email: 'bob@example.com' });
					hour();
					execute(SALE);
					expect(inClass()).toEqual(['bob@example.com c1']);
				},
			);
		});

		test('ends when the last row says so', () => {
			execute(SALE);
			for (const until of ['2026-05-31', '2026-08-31']) {
				byHand({ kind: 'ended', classId: 'c1', email: 'ana@example.com', until });
				hour();
			}
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-08-31');
		});

		test('ends the class that a product had before it was corrected', () => {
			const { id } = world.tables.class_products!.insert({ product: 'C', classId: 'c1' }, 0);
			execute({ ...SALE, products: 'C' });
			world.tables.class_products!.rows.find((row) => row.id === id)!.classId = 'c2';
			Object.assign(sales()[0]!, { classes: null, doneAt: null });
			hour();
			byHand({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
			hour();
			expect(inClass()).toEqual(['ana@example.com c2']);
		});

		test('ends nothing on a day that comes, if no sale gives it, and says so', () => {
			const student = { email: 'ana@example.com', classId: 'c2', inClass: true };
			world.tables.class_students!.insert(student, world.now);
			world.service.students.set('ana@example.com c2', null);
			byHand({ kind: 'ended', classId: 'c2', email: 'ana@example.com', until: '2027-12-31' });
			expect(hour).toThrow('so nothing ends');
			expect(inClass()).toEqual(['ana@example.com c2']);
			byHand({ kind: 'ended', classId: 'c2', email: 'ana@example.com' });
			hour();
			expect(inClass()).toEqual([]);
		});

		test.each(['busy', 'down', 'lost'] as const)(
			'ends in a later hour what no sale gives, if its removal was %s at first',
			(outcome) => {
				byHand({ classId: 'c1', email: 'ana@example.com', until: '9999-12-31' });
				hour();
				sales().length = 0;
				byHand({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
				world.service.outcome = () => outcome;
				expect(hour).toThrow("Couldn't remove");
				world.service.outcome = () => 'done';
				afterTheLease();
				hour();
				expect(inClass()).toEqual([]);
				expect(sales()).toMatchObject([{ doneAt: expect.any(String) as string, problem: null }]);
			},
		);

		test('gives nothing twice, if a row is pasted or imported again, and says so', () => {
			const row = { email: 'ana@example.com', classId: 'c1' };
			byHand({ ...row, kind: 'given' });
			byHand(row);
			expect(hour).toThrow('Row 2 of class_sales: It is the same as row 1, so it gives nothing.');
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
		});

		test('says what is missing in a row that is carried out before it is filled in', () => {
			const row = byHand({ email: 'ana@example.com' });
			expect(hour).toThrow('Row 1 of class_sales: Enter a classId, then empty doneAt.');
			Object.assign(row, { classId: 'c1', doneAt: null });
			hour();
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('reads a kind and a class that were pasted with characters that nobody sees', () => {
			byHand({ kind: 'Given\u200b', email: 'ana@example.com', classId: '\ufeffc1\u200b' });
			hour();
			expect(inClass()).toEqual(['ana@example.com c1']);
			byHand({ kind: '\u2060ended', email: 'ana@example.com', classId: 'c1\u200b' });
			hour();
			expect(inClass()).toEqual([]);
		});

		test('gives nothing twice, if its code is typed again with capitals', () => {
			byHand({ email: 'ana@example.com', products: 'also a' });
			byHand({ email: ' Ana@example.com', products: 'Also  A' });
			expect(hour).toThrow('Row 2 of class_sales: It is the same as row 1, so it gives nothing.');
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
		});

		test('gives nothing twice, if a row with a number is recorded twice', () => {
			const row = { email: 'ana@example.com', classId: 'c1', paymentId: 'gift 1' };
			byHand(row);
			byHand(row);
			expect(hour).toThrow('It is the same as row 1, so it gives nothing.');
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
		});

		test('gives what a row says that was entered anew because the first one was wrong', () => {
			byHand({ email: 'ana@example.com', products: 'Z' });
			expect(hour).toThrow('Unknown product');
			const row = { email: 'ana@example.com', classId: 'c1' };
			byHand({ ...row, months: 0 });
			byHand(row);
			expect(hour).toThrow("Row 2 of class_sales: The months aren't");
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test.each([
			['of other months', { months: 1 }, 0, '2027-04-01'],
			['weeks later', {}, 20, '2028-03-01'],
			['of another payment', { kind: 'paid', paidAt: '2026-02-01' }, 0, '2028-02-01'],
		])('gives what a similar row %s says, too', (_, changes, days, end) => {
			const row = { email: 'ana@example.com', classId: 'c1' };
			byHand(row);
			hour();
			world.now += days * DAY;
			byHand({ ...row, ...changes });
			hour();
			expect(world.service.students.get('ana@example.com c1')).toContain(end);
		});

		test('gives the same again after it was ended', () => {
			const row = { email: 'ana@example.com', classId: 'c1' };
			for (const kind of ['given', 'ended', 'given']) {
				byHand({ ...row, kind });
				hour();
			}
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('moves and refunds what it gave under a number of its own', () => {
			byHand({ paymentId: 'gift', classId: 'c1', email: 'ana@exmaple.com' });
			hour();
			byHand({ kind: 'moved', paymentId: 'gift', email: 'ana@example.com' });
			hour();
			expect(inClass()).toEqual(['ana@example.com c1']);
			byHand({ kind: 'refunded', paymentId: 'gift' });
			hour();
			expect(inClass()).toEqual([]);
		});

		test('prolongs, ends, and begins again', () => {
			execute(SALE);
			byHand({ classId: 'c1', email: 'ana@example.com', months: 1 });
			hour();
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-04-01');
			byHand({ kind: 'ended', classId: 'c1', email: 'ana@example.com', until: '2026-05-31' });
			hour();
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-05-31');
			byHand({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
			hour();
			expect(inClass()).toEqual([]);
			world.now += DAY;
			execute({ ...SALE, paymentId: 'p2', products: 'AB', paidAt: '2026-03-02T00:00:00Z' });
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-09-02');
		});

		test('finds a payment by its number with a blank around it', () => {
			execute({ ...SALE, email: 'ana@exmaple.com' });
			byHand({ kind: 'moved', paymentId: ' p1 ', email: 'ana@example.com' });
			hour();
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test.each(['ana@exmaple.com', ''])(
			'stays at the address to which a number with a blank around it has moved it (refunded by "%s")',
			(email) => {
				execute({ ...SALE, email: 'ana@exmaple.com' });
				byHand({ kind: 'moved', paymentId: '\u00a0p1 ', email: 'ana@example.com' });
				hour();
				execute({ ...SALE, email: 'ana@exmaple.com' });
				expect(inClass()).toEqual(['ana@example.com c1']);
				expect(execute({ ...REFUND, email })).toMatchObject({ result: 'removed' });
				expect(inClass()).toEqual([]);
			},
		);

		test('is refunded by the number that an owner has typed with a blank around it', () => {
			byHand({ classId: 'c1', email: 'ana@example.com', paymentId: 'g1 ' });
			byHand({ classId: 'c2', email: 'ana@example.com' });
			hour();
			byHand({ kind: 'refunded', paymentId: 'g1' });
			hour();
			expect(inClass()).toEqual(['ana@example.com c2']);
		});

		test('moves a payment to another address, with a link', () => {
			execute({ ...SALE, email: 'ana@exmaple.com' });
			byHand({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
			hour();
			expect(inClass()).toEqual(['ana@example.com c1']);
			expect(world.service.links).toEqual(['ana@exmaple.com', 'ana@example.com']);
			// A repeat of the first notification moves nothing back.
			expect(execute({ ...SALE, email: 'ana@exmaple.com' })).toMatchObject({
				result: 'already processed',
			});
			execute({ ...REFUND, email: '' });
			expect(inClass()).toEqual([]);
		});

		test('says that nothing ends at the former address of a payment', () => {
			execute({ ...SALE, email: 'ana@exmaple.com' });
			execute(SALE);
			byHand({ kind: 'ended', classId: 'c1', email: 'ana@exmaple.com' });
			expect(hour).toThrow('gives ana@exmaple.com no access to class "c1"');
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test.each([
			['an address that is none', { email: 'ana@example' }],
			['no address', { email: '' }],
		])('moves a payment with %s', (_, wrong) => {
			expect(execute({ ...SALE, ...wrong })).toMatchObject({ result: 'failed' });
			byHand({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
			hour();
			expect(inClass()).toEqual(['ana@example.com c1']);
			expect(world.service.links).toEqual(['ana@example.com']);
		});

		test.each([
			[{ classId: 'c9' }, 'Unknown class: "c9"'],
			[{ classId: '' }, 'Enter a classId, then empty doneAt.'],
			[{ email: 'ana' }, '"ana", which is not an email address'],
			[{ email: '' }, 'A row of kind given has no email address.'],
			[{ kind: 'moved', paymentId: 'p1', email: '' }, 'A row of kind moved has no email address.'],
			[{ months: 0.5 }, 'from 1 to 1200'],
			[{ kind: 'refund' }, 'Unknown kind: "refund"'],
			[{ products: '11' }, 'Enter products or a classId, not both.'],
			[{ months: 3, until: '2027-01-31' }, 'Enter months or until, not both.'],
			[{ until: '2207-01-31' }, 'until is in the year 2207'],
			[{ paidAt: '2062-01-31' }, 'paidAt is in the future: "2062-01-31"'],
			[{ kind: 'moved', paymentId: 'p9' }, 'There is no payment p9.'],
			[{ kind: 'moved' }, 'Enter the paymentId'],
			[{ kind: 'refunded' }, 'Enter the paymentId'],
			[{ kind: 'refunded', paymentId: 'p9' }, 'There was no payment p9 yet.'],
			[{ kind: 'ended', classId: '' }, 'Enter the classId'],
			[
				{ kind: 'ended', classId: 'Python' },
				'class_sales gives ana@example.com no access to class "Python"',
			],
			[
				{ kind: 'ended', email: 'anna@example.com' },
				'gives anna@example.com no access to class "c1"',
			],
		])('says once that a row with %j is wrong', (values, problem) => {
			byHand({ classId: 'c1', email: 'ana@example.com', ...values });
			expect(hour).toThrow(problem);
			hour();
			expect(sales()).toMatchObject([{ problem: expect.stringContaining(problem) as string }]);
			expect(world.service.requests).toEqual([]);
		});

		test.each([
			[{ kind: 'refunded', classId: 'c1' }, 'names a part of it'],
			[{ kind: 'refunded', products: 'a' }, 'names a part of it'],
			[{ kind: 'moved', classId: 'c1', email: 'bob@example.com' }, 'names a part of it'],
			[{ kind: 'ended', classId: 'c1', months: 3 }, 'A row of kind ended has no months.'],
			[{ kind: 'ended', classId: 'c2', until: '2027-12-31' }, 'ends on 2026-04-01 already'],
		])('takes nothing away by a row with %j, which says something else', (values, problem) => {
			execute({ ...SALE, products: '["A","B"]' });
			const before = [...world.service.students];
			byHand({ email: 'ana@example.com', paymentId: 'p1', ...values });
			expect(hour).toThrow(problem);
			hour();
			expect([...world.service.students]).toEqual(before);
		});

		test('is refunded by a row that names all that it gave', () => {
			execute({ ...SALE, products: '["A","B"]' });
			byHand({ kind: 'refunded', paymentId: 'p1', products: 'b, a' });
			hour();
			expect(inClass()).toEqual([]);
		});

		test('keeps what it gave if its months are corrected, and says how that counts', () => {
			byHand({ classId: 'c1', email: 'ana@example.com', months: 120 });
			hour();
			Object.assign(sales()[0]!, { months: 12, doneAt: null });
			expect(hour).toThrow('Empty classes, too');
			expect(world.service.students.get('ana@example.com c1')).toContain('2036-03-01');
			Object.assign(sales()[0]!, { classes: null, doneAt: null });
			hour();
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
		});

		test('keeps the class that it gave if another one is entered, and says so', () => {
			byHand({ classId: 'c1', email: 'ana@example.com' });
			hour();
			Object.assign(sales()[0]!, { classId: 'c2', doneAt: null });
			expect(hour).toThrow('A class that it gave by mistake needs a row of kind ended.');
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('names each row that is wrong, also those that are wrong alike', () => {
			byHand({ classId: 'c1' });
			byHand({ classId: 'c2' });
			expect(hour).toThrow(
				/^Row 1 of class_sales: A row of kind given .* Row 2 of class_sales: A row of kind given /,
			);
		});

		test('does what is due, and says whom it would remove', () => {
			execute(SALE);
			world.now = Date.parse('2027-03-02T00:00:00Z');
			byHand({ classId: 'c2', email: 'joana@example.com' });
			const byPerson = begin(workflow, world, undefined, 'test');
			advance(byPerson);
			expect(inClass()).toEqual(['ana@example.com c1', 'joana@example.com c2']);
			const wouldRemove = [{ email: 'ana@example.com', classId: 'c1' }];
			expect(byPerson.execution.output).toMatchObject([{ json: { result: 'done', wouldRemove } }]);
			byHand({ kind: 'refunded', paymentId: 'p1' });
			hour();
			expect(inClass()).toEqual(['joana@example.com c2']);
		});
	});

	test('fails every hour if the platform lists no classes', () => {
		world.service.listed = [];
		expect(hour).toThrow('lists no classes');
	});

	test.each([
		['a date that is none', { paidAt: '01/03/2026' }],
		['an end before it', { until: '2026-02-28' }],
	])('is given when it is corrected after a row with %s', (_, wrong) => {
		expect(execute({ ...SALE, ...wrong })).toMatchObject({ result: 'failed' });
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
	});

	test('moves to a corrected address, with a link, and the wrong one loses it', () => {
		execute({ ...SALE, email: 'ana@exmaple.com' });
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['ana@example.com c1']);
		expect(world.service.links).toEqual(['ana@exmaple.com', 'ana@example.com']);
		// The shop may repeat itself, or correct the address back. So it stays, and an owner is asked once.
		const reason = expect.stringContaining('add a row of kind moved') as string;
		expect(execute({ ...SALE, email: 'ana@exmaple.com' })).toMatchObject({
			result: 'failed',
			reason,
		});
		expect(execute({ ...SALE, email: 'ana@exmaple.com' })).toMatchObject({
			result: 'already processed',
		});
		expect(inClass()).toEqual(['ana@example.com c1']);
		byHand({ kind: 'moved', paymentId: 'p1', email: 'ana@exmaple.com' });
		hour();
		expect(inClass()).toEqual(['ana@exmaple.com c1']);
	});

	describe('whose address an owner corrects after a row of it was rejected', () => {
		const reason = expect.stringContaining('add a row of kind moved, and empty doneAt') as string;
		const other = { ...SALE, email: 'ana@exmaple.com', paidAt: '2026-03-03T00:00:00Z' };
		beforeEach(() => {
			execute({ ...SALE, until: '2026-04-05' });
			world.now = Date.parse(other.paidAt);
		});

		test('lasts as long as that row says', () => {
			expect(execute({ ...other, until: '2026-05-05' })).toMatchObject({
				result: 'failed',
				reason,
			});
			byHand({ kind: 'moved', paymentId: 'p1', email: other.email });
			hour();
			expect([...world.service.students]).toEqual([
				['ana@exmaple.com c1', '2026-05-05T23:59:59.999Z'],
			]);
		});

		test('gives what that row says, if it is done again', () => {
			expect(execute({ ...other, products: 'B' })).toMatchObject({ result: 'failed', reason });
			byHand({ kind: 'moved', paymentId: 'p1', email: other.email });
			sales()[1]!.doneAt = null;
			hour();
			expect(inClass()).toEqual(['ana@exmaple.com c1', 'ana@exmaple.com c2']);
		});

		test('stays where it is if the row by hand names a part of it', () => {
			execute({ ...other, until: '2026-05-05' });
			byHand({ kind: 'moved', paymentId: 'p1', email: other.email, classId: 'c2' });
			expect(hour).toThrow('names a part of it');
			expect(inClass()).toEqual(['ana@example.com c1']);
		});
	});

	test('stays ended if its address is corrected then, until it is paid again', () => {
		execute({ ...SALE, email: 'ana@exmaple.com' });
		byHand({ kind: 'ended', classId: 'c1', email: 'ana@exmaple.com' });
		hour();
		byHand({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
		hour();
		expect(inClass()).toEqual([]);
		expect(world.service.links).toEqual(['ana@exmaple.com']);
		world.now += DAY;
		execute({ ...SALE, paymentId: 'p2', products: 'AB', paidAt: '2026-03-02T00:00:00Z' });
		expect(world.service.students.get('ana@example.com c1')).toContain('2026-09-02');
	});

	test('that moves keeps the end that an owner has entered', () => {
		execute({ ...SALE, email: 'ana@exmaple.com' });
		byHand({ kind: 'ended', classId: 'c1', email: 'ana@exmaple.com', until: '2026-05-31' });
		hour();
		execute(SALE);
		expect([...world.service.students]).toEqual([
			['ana@example.com c1', '2026-05-31T23:59:59.999Z'],
		]);
	});

	describe('that renews a payment whose address was corrected', () => {
		const renewal = { ...SALE, paymentId: 'p2', paidAt: '2027-02-27T00:00:00Z' };
		const said = (reason: string) => ({
			result: 'failed',
			reason: expect.stringContaining(reason) as string,
		});
		beforeEach(() => {
			execute({ ...SALE, email: 'ana@exmaple.com' });
			byHand({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
			hour();
			world.now = Date.parse('2027-02-27T00:00:00Z');
		});

		test('says once that the shop still has the old address', () => {
			const old = { ...renewal, email: 'ana@exmaple.com' };
			expect(execute(old)).toMatchObject(
				said('payment p1 of ana@exmaple.com is of ana@example.com now'),
			);
			expect(execute(old)).toMatchObject({ result: 'already processed' });
			byHand({ kind: 'moved', paymentId: 'p2', email: 'ana@example.com' });
			hour();
			expect([...world.service.students]).toEqual([
				['ana@example.com c1', '2028-03-01T23:59:59.999Z'],
			]);
		});

		test.each([
			['with the corrected address', renewal],
			['for another class', { ...renewal, email: 'ana@exmaple.com', products: 'B' }],
		])('is silent %s', (_, sale) => {
			expect(execute(sale)).toMatchObject({ result: 'added' });
		});

		test('is silent for no class', () => {
			world.tables.class_products!.insert({ product: 'book', classId: '-' }, 0);
			const old = { ...SALE, email: 'ana@exmaple.com', products: '["A","book"]' };
			execute({ ...old, paymentId: 'p3' });
			byHand({ kind: 'moved', paymentId: 'p3', email: 'ana@example.com' });
			hour();
			const book = { ...old, paymentId: 'p4', products: 'book' };
			expect(execute(book)).toMatchObject({ result: 'ignored' });
		});
	});

	test('takes from nobody if two shops use the same payment number', () => {
		execute(SALE);
		const other = { ...SALE, email: 'joana@example.com', paidAt: '2026-03-01T05:00:00Z' };
		const reason = expect.stringContaining('Two shops') as string;
		expect(execute(other)).toMatchObject({ result: 'failed', reason });
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('stays if another shop refunds another buyer under its number, which is said once', () => {
		execute(SALE);
		const joanas = { ...REFUND, email: 'joana@example.com', name: 'Joana' };
		const reason = expect.stringContaining('names joana@example.com. So it stays.') as string;
		expect(execute(joanas)).toMatchObject({ result: 'failed', reason });
		expect(execute(joanas)).toMatchObject({ result: 'ignored' });
		world.now += 2 * DAY;
		expect(execute(SALE)).toMatchObject({ result: 'already processed' });
		expect(inClass()).toEqual(['ana@example.com c1']);
		byHand({ kind: 'refunded', paymentId: 'p1' });
		hour();
		expect(inClass()).toEqual([]);
	});

	test.each([
		['payment', {}],
		['refund', { status: 'refunded' }],
	])('keeps the name of its buyer after a %s of somebody else under its number', (_, changes) => {
		execute(SALE);
		execute({ ...SALE, email: 'joana@example.com', name: 'Joana', ...changes });
		execute({ ...SALE, paymentId: 'p2', name: '' });
		expect(students()).toMatchObject([{ email: 'ana@example.com', name: 'Ana' }]);
	});

	test('takes from nobody if two shops that tell no dates use the same payment number', () => {
		execute({ ...SALE, paidAt: '' });
		world.now += DAY;
		const other = { ...SALE, email: 'joana@example.com', products: 'B', paidAt: '' };
		const reason = expect.stringContaining('Two shops must not use') as string;
		for (let times = 0; times < 3; times++)
			expect(execute(other)).toMatchObject({ result: 'failed', reason });
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('takes from nobody if each payment has the same number, such as that of the shop', () => {
		execute({ ...SALE, paidAt: '' });
		const other = { ...SALE, email: 'joana@example.com', name: 'Joana', paidAt: '' };
		const reason = expect.stringContaining('by ana@example.com under another name') as string;
		expect(execute(other)).toMatchObject({ result: 'failed', reason });
		expect(inClass()).toEqual(['ana@example.com c1']);
		expect(execute({ ...other, name: ' ANA' })).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['joana@example.com c1']);
	});

	test('takes from nobody if neither a date nor a name says that it is the same payment', () => {
		const nameless = { ...SALE, name: '', paidAt: '' };
		execute(nameless);
		world.now += 30 * DAY;
		const other = { ...nameless, email: 'joana@example.com' };
		const reason = expect.stringContaining('no date or name to compare') as string;
		expect(execute(other)).toMatchObject({ result: 'failed', reason });
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('gives no class for what is added later and is none, and says nothing', () => {
		world.tables.class_products!.insert({ product: 'book', classId: '-' }, 0);
		execute(SALE);
		world.now += 8 * DAY;
		const more = { ...SALE, products: '["A","book"]' };
		expect(execute(more)).toMatchObject({ result: 'already processed' });
	});

	test('is of the first address that is one, also if there is no date or name to compare', () => {
		const nameless = { ...SALE, name: '', paidAt: '' };
		expect(execute({ ...nameless, email: 'ana' })).toMatchObject({ result: 'failed' });
		expect(execute(nameless)).toMatchObject({ result: 'added' });
	});

	test('of a product that is called canceled fails, and n8n does not take it for a cancelled execution', () => {
		record(world, { ...SALE, products: 'canceled' });
		expect(hour).toThrow('Unknown product: Canceled. Enter it');
	});

	test('keeps whose it is, also after its first row has been done with a problem', () => {
		record(world, { ...SALE, products: 'Z', email: 'anna@example.com', paidAt: '' });
		record(world, { ...SALE, paidAt: '' });
		expect(hour).toThrow('Unknown product: Z. Enter it in the data table class_products.');
		expect(inClass()).toEqual([]);
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		expect(inClass()).toEqual(['ana@example.com c2']);
	});

	test('moves with a row by hand if a later instalment has another address, and stays there', () => {
		execute(SALE);
		world.now += 30 * DAY;
		const later = { ...SALE, email: 'anna@example.com', paidAt: '2026-03-31T00:00:00Z' };
		const reason = expect.stringContaining('add a row of kind moved') as string;
		expect(execute(later)).toMatchObject({ result: 'failed', reason });
		byHand({ kind: 'moved', paymentId: 'p1', email: 'anna@example.com' });
		hour();
		expect(inClass()).toEqual(['anna@example.com c1']);
		world.now += 30 * DAY;
		expect(execute({ ...later, paidAt: '2026-04-30T00:00:00Z' })).toMatchObject({
			result: 'already processed',
		});
	});

	test('sends the link with the next repeat when its sending failed, or within the hour', () => {
		const { requests } = world.service;
		const isLink = () => requests.at(-1)!.startsWith('sendMagicLink');
		world.service.outcome = () => (isLink() ? 'busy' : 'done');
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		expect(hour).toThrow("Couldn't send a magic link to ana@example.com");
		world.service.outcome = () => 'done';
		hour();
		hour();
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test('sends at most a second link if the answer was lost, and says so', () => {
		const { requests } = world.service;
		world.service.outcome = () => (requests.at(-1)!.startsWith('sendMagicLink') ? 'lost' : 'done');
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		expect(hour).toThrow('It may have arrived, and is not sent again.');
		for (let hours = 0; hours < 3; hours++) hour();
		expect(world.service.links).toHaveLength(2);
		// Of the next purchase, the first answer that is lost isn't the second one.
		world.now += 30 * MINUTE;
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		expect(hour).toThrow('not sent again');
		hour();
		expect(world.service.links).toHaveLength(4);
	});

	test('sends the link of a purchase twice if its answer was lost, also after one that was lost before a refund', () => {
		const { requests } = world.service;
		world.service.outcome = () => (requests.at(-1)!.startsWith('sendMagicLink') ? 'lost' : 'done');
		execute(SALE);
		execute(REFUND);
		expect(inClass()).toEqual([]);
		world.now += 30 * MINUTE;
		execute({ ...SALE, paymentId: 'p2' });
		expect(hour).toThrow('not sent again');
		expect(world.service.links).toHaveLength(3);
	});

	test('sends no second link to who got one before another request outlasted the lease', () => {
		record(world, SALE);
		record(world, { ...SALE, paymentId: 'p2', email: 'bob@example.com' });
		// The link of the second buyer hangs.
		world.service.latency = () => (world.service.links.length === 1 ? 11 * MINUTE : 0);
		expect(hour).not.toThrow();
		world.service.latency = () => 0;
		for (let hours = 0; hours < 3; hours++) {
			world.now += 60 * MINUTE;
			hour();
		}
		expect([...world.service.links].sort()).toEqual(['ana@example.com', 'bob@example.com']);
		expect(inClass()).toEqual(['ana@example.com c1', 'bob@example.com c1']);
	});

	test.each(['end', 'checkAt', 'since'])(
		'mends the row of a student whose %s is no date',
		(name) => {
			execute(SALE);
			const [before] = structuredClone(students());
			Object.assign(students()[0]!, { checkAt: new Date(world.now).toISOString(), [name]: 'soon' });
			world.now += 60 * MINUTE;
			execute({ ...SALE, paymentId: 'p2', products: 'B' });
			hour();
			const { end, checkAt } = before!;
			expect(students()[0]).toMatchObject({ end, checkAt, inClass: true, problem: null });
			expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		},
	);

	test('keeps who is in a class without a sale if an execution dies, and the answer of the next one is lost', () => {
		const student = { email: 'ana@example.com', classId: 'c2', inClass: true };
		world.tables.class_students!.insert({ ...student, end: '2026-09-01T02:59:59.999Z' }, world.now);
		world.service.students.set('ana@example.com c2', '2026-09-01T02:59:59.999Z');
		advance(beginSale(SALE), 'Add to Class, item 1');
		afterTheLease();
		world.service.outcome = () => 'lost';
		expect(hour).toThrow('No response');
		afterTheLease();
		world.service.outcome = () => 'done';
		for (let hours = 0; hours < 2; hours++) hour();
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		world.now = Date.parse('2026-09-02T00:00:00Z');
		hour();
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('does not fail because it takes too long for others', () => {
		for (let other = 0; other < 5; other++)
			record(world, { ...SALE, paymentId: `other${other}`, email: `other${other}@example.com` });
		afterTheLease();
		world.service.latency = () =>
			world.service.requests.at(-1)?.includes('other') ? 3 * MINUTE : 0;
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		world.service.latency = () => 0;
		hour();
		expect(world.service.students.size).toBe(6);
	});

	test('removes nobody whom an owner has entered without an end', () => {
		const student = { email: 'ana@example.com', classId: 'c2', inClass: true };
		world.tables.class_students!.insert(student, world.now);
		world.service.students.set('ana@example.com c2', null);
		execute(SALE);
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
	});

	test('says once that the platform rejects a link', () => {
		const { requests } = world.service;
		world.service.outcome = () =>
			requests.at(-1)!.startsWith('sendMagicLink') ? 'rejected' : 'done';
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		hour();
		expect(requests).toHaveLength(2);
	});

	test('sends one link for what is bought within ten minutes, and another one later', () => {
		execute(SALE);
		world.now += 5 * MINUTE;
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		expect(world.service.links).toHaveLength(1);
		world.now += 30 * MINUTE;
		world.service.classes.push('c3');
		byHand({ classId: 'c3', email: 'ana@example.com' });
		world.tables.class_products!.insert({ product: '', classId: 'c3' }, 0);
		hour();
		expect(world.service.links).toHaveLength(2);
	});

	test('is carried out, and five rows that others left behind for ten minutes, but no newer ones', () => {
		const emails = [1, 2, 3, 4, 5, 6].map((number) => `left-${number}@example.com`);
		for (const email of emails) byHand({ classId: 'c1', email });
		world.tables.class_products!.insert({ product: '', classId: 'c1' }, 0);
		afterTheLease();
		byHand({ classId: 'c1', email: 'new@example.com' });
		execute(SALE);
		const students = ['ana@example.com', ...emails.slice(0, 5)];
		expect(inClass()).toEqual(students.map((email) => `${email} c1`));
		execute({ ...SALE, paymentId: 'p2', email: 'bia@example.com' });
		expect(inClass()).toHaveLength(8);
		expect(inClass()).not.toContain('new@example.com c1');
		hour();
		expect(inClass()).toContain('new@example.com c1');
	});

	test('that is refunded and not known fails once, however often the shop repeats it', () => {
		const reason = expect.stringContaining('There was no payment p1 yet.') as string;
		expect(execute(REFUND)).toMatchObject({ result: 'failed', reason });
		for (let times = 0; times < 3; times++)
			expect(execute(REFUND)).toMatchObject({ result: 'removed' });
		hour();
		expect(execute(SALE)).toMatchObject({ result: 'ignored', reason: 'The payment was refunded.' });
	});

	test('that is refunded without an address looks up no other buyers', () => {
		execute(SALE);
		// n8n can't read more than 1,000 rows while others are added.
		for (let index = 0; index <= 1000; index++)
			byHand({ kind: 'paid', email: `anne-${index}@example.com`, doneAt: '2026-01-01' });
		expect(execute({ ...REFUND, email: '' })).toMatchObject({ result: 'removed' });
		expect(inClass()).toEqual([]);
	});

	test('removes once, also if the refund is sent again', () => {
		execute(SALE);
		for (let times = 0; times < 3; times++) execute(REFUND);
		expect(world.service.requests.slice(2)).toEqual([REMOVAL]);
	});

	test('that is refunded by somebody else ends, which is a failure once', () => {
		execute(SALE);
		const refund = { ...REFUND, email: 'joana@example.com' };
		const reason = expect.stringContaining('its refund names joana@example.com') as string;
		expect(execute(refund)).toMatchObject({ result: 'failed', reason });
		expect(inClass()).toEqual([]);
		expect(execute(refund)).toMatchObject({ result: 'removed' });
	});

	describe('that is refunded and paid again', () => {
		const reason = expect.stringContaining('add a row of kind given') as string;
		const IGNORED = { result: 'ignored', reason: 'The payment was refunded.' };

		test('fails once, and says what to do, as the shop may have taken its refund back', () => {
			execute(SALE);
			execute(REFUND);
			// It may have been sent before the refund.
			world.now += 5 * MINUTE;
			expect(execute(SALE)).toMatchObject(IGNORED);
			world.now += 60 * MINUTE;
			expect(execute(SALE)).toMatchObject({ result: 'failed', reason });
			world.now += 2 * DAY;
			expect(execute(SALE)).toMatchObject(IGNORED);
			expect(inClass()).toEqual([]);
		});

		test('counts from the refund of its own buyer', () => {
			execute(SALE);
			execute({ ...REFUND, email: 'joana@example.com', name: 'Joana' });
			world.now += 2 * DAY;
			execute(REFUND);
			world.now += 5 * MINUTE;
			expect(execute(SALE)).toMatchObject(IGNORED);
		});

		test('is not said of a refund that stayed without effect, if its buyer gets the payment', () => {
			execute(SALE);
			execute({ ...REFUND, email: 'joana@example.com', name: 'Joana' });
			byHand({ kind: 'moved', paymentId: 'p1', email: 'joana@example.com' });
			hour();
			world.now += 2 * DAY;
			const repeat = { ...SALE, email: 'joana@example.com', name: 'Joana' };
			expect(execute(repeat)).toMatchObject({ result: 'already processed' });
			expect(inClass()).toEqual(['joana@example.com c1']);
		});

		test('fails again for each further payment under its number', () => {
			execute(SALE);
			execute(REFUND);
			for (const paidAt of ['2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z']) {
				world.now = Date.parse(paidAt);
				expect(execute({ ...SALE, paidAt })).toMatchObject({ result: 'failed', reason });
				expect(execute({ ...SALE, paidAt })).toMatchObject(IGNORED);
			}
		});

		test('cannot be moved, and says so', () => {
			execute(SALE);
			execute(REFUND);
			byHand({ kind: 'moved', paymentId: 'p1', email: 'ana@exmaple.com' });
			expect(hour).toThrow('Payment p1 was refunded, so nothing moves.');
		});

		test('says once that a refund came first which names another buyer', () => {
			execute({ ...REFUND, email: 'bea@example.com', name: 'Bea' });
			const reason =
				'Payment p1 is of ana@example.com, and its refund, which came first, names bea@example.com. So it gives nothing. If that is wrong, add a row of kind given. Two shops must not use the same numbers.';
			expect(execute(SALE)).toMatchObject({ result: 'failed', reason });
			expect(execute(SALE)).toMatchObject({ result: 'ignored' });
			expect(world.service.requests).toEqual([]);
		});

		test('gives nothing for a day, if the refund came first', () => {
			execute(REFUND);
			for (let times = 0; times < 2; times++) {
				world.now += 60 * MINUTE;
				expect(execute(SALE)).toMatchObject(IGNORED);
			}
			world.now += 2 * DAY;
			expect(execute(SALE)).toMatchObject({ result: 'failed', reason });
			expect(inClass()).toEqual([]);
		});
	});

	test('that prolongs nothing fails', () => {
		execute({ ...SALE, products: 'B', until: '2026-04-01T00:00:00Z' });
		world.now += 20 * DAY;
		const renewal = { ...SALE, products: 'B', paymentId: 'p2', paidAt: '2026-03-20T00:00:00Z' };
		const reason = expect.stringContaining("doesn't prolong") as string;
		expect(execute({ ...renewal, until: '2026-04-01T00:00:00Z' })).toMatchObject({
			result: 'failed',
			reason,
		});
		expect(inClass()).toEqual(['ana@example.com c2']);
	});

	test('of a subscription whose end does not advance fails, as its buyer would be out', () => {
		execute({ ...SALE, until: '2026-04-01T00:00:00Z' });
		world.now = Date.parse('2026-04-01T10:00:00Z');
		const renewal = { ...SALE, paymentId: 'p2', paidAt: '2026-04-01T10:00:00Z' };
		expect(execute({ ...renewal, until: '2026-04-01T00:00:00Z' })).toMatchObject({
			result: 'failed',
		});
	});

	describe('of a subscription', () => {
		const monthly = { ...SALE, products: 'monthly', isSubscription: true };
		const next = { ...monthly, paidAt: '2026-04-01T00:00:00Z' };
		beforeEach(() => {
			world.tables.class_products!.insert({ product: 'monthly', classId: 'c1', months: 1 }, 0);
			execute(monthly);
			world.now = Date.parse('2026-04-01T00:00:00Z');
		});

		test('fails, if its next charge has the same number, as that gives nothing', () => {
			const reason = expect.stringContaining('comes again with another date') as string;
			expect(execute(next)).toMatchObject({ result: 'failed', reason });
			expect(sales()).toMatchObject([{ problem: null }, { problem: reason }]);
			expect(execute(next)).toMatchObject({ result: 'already processed' });
		});

		test('is of somebody else, if another buyer pays under its number', () => {
			const reason = expect.stringContaining('was made by ana@example.com') as string;
			const other = { ...next, email: 'joana@example.com' };
			expect(execute(other)).toMatchObject({ result: 'failed', reason });
		});

		test.each([
			['its status changes weeks later', { ...next, paidAt: monthly.paidAt }],
			['its repeat has no date', { ...next, paidAt: '' }],
			['it is an instalment', { ...next, isSubscription: false }],
		])('has given all if %s', (_, sale) => {
			expect(execute(sale)).toMatchObject({ result: 'already processed' });
		});

		test('goes on until the day that the same number says', () => {
			expect(execute({ ...next, until: '2026-05-06' })).toMatchObject({ result: 'added' });
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('gives access again after an end by hand, if its next charge has the same number', () => {
			const charge = { ...next, until: '2026-05-06' };
			execute(charge);
			byHand({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
			hour();
			expect(execute(charge)).toMatchObject({ result: 'ignored' });
			expect(inClass()).toEqual([]);
			world.now = Date.parse('2026-05-01T00:00:00Z');
			const paidAt = '2026-05-01T00:00:00Z';
			expect(execute({ ...charge, paidAt, until: '2026-06-06' })).toMatchObject({
				result: 'added',
			});
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-06-06');
		});
	});

	test('keeps who has access for life when they buy again', () => {
		byHand({ classId: 'c1', email: 'ana@example.com', until: '9999-12-31' });
		hour();
		execute(SALE);
		hour();
		expect(world.service.students.get('ana@example.com c1')).toContain('9999-12-30');
	});

	test('by the month, that was paid on the 31st, goes on to the next 31st', () => {
		world.now = Date.parse('2026-01-31T10:00:00Z');
		const pay = (paymentId: string, paidAt: string) => {
			world.now = Date.parse(paidAt);
			return execute({ ...SALE, paymentId, paidAt, products: 'B' });
		};
		pay('p1', '2026-01-31T10:00:00Z');
		pay('p2', '2026-02-28T10:00:00Z');
		world.now = Date.parse('2026-03-29T01:00:00Z');
		hour();
		pay('p3', '2026-03-31T10:00:00Z');
		expect(world.service.requests.filter((request) => request === REMOVAL)).toEqual([]);
		expect(world.service.links).toHaveLength(1);
	});

	test('removes who was added by a payment that lasted only because of the refunded one', () => {
		const first = { ...SALE, products: 'B', paidAt: '2026-01-03T00:00:00Z' };
		expect(execute(first)).toMatchObject({ result: 'ignored' });
		execute({ ...first, paymentId: 'p2', paidAt: '2026-01-09T00:00:00Z' });
		expect([...world.service.students.values()]).toEqual(['2026-03-03T23:59:59.999Z']);
		execute({ ...first, status: 'refunded' });
		expect(world.service.students.size).toBe(0);
	});

	test('sends a link to who buys again after the access has ended', () => {
		execute(SALE);
		world.now = Date.parse('2027-03-02T00:00:00Z');
		hour();
		execute({ ...SALE, paymentId: 'p2', paidAt: '2027-03-02T00:00:00Z' });
		expect(world.service.links).toHaveLength(2);
	});

	test('has nothing to do in the hour after a renewal, and removes when a refund has moved the end', () => {
		execute(SALE);
		execute({ ...SALE, paymentId: 'p2' });
		const before = world.service.requests.length;
		hour();
		expect(world.service.requests).toHaveLength(before);
		execute(REFUND);
		world.now = Date.parse('2027-03-02T00:00:00Z');
		hour();
		expect(world.service.students.size).toBe(0);
	});

	test('is done by who holds its buyer, if it is recorded meanwhile', () => {
		const first = beginSale(SALE);
		advance(first, 'Add to Class');
		const second = beginSale({ ...SALE, paymentId: 'p2', products: 'B' });
		advance(second);
		expect(second.execution.output).toMatchObject([{ json: { result: 'recorded' } }]);
		advance(first);
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
	});

	test('and its refund without an address, which is recorded meanwhile, end without access in the next hour', () => {
		const payment = beginSale(SALE);
		advance(payment, 'Add to Class');
		expect(execute({ ...REFUND, email: '' })).toMatchObject({ result: 'recorded' });
		advance(payment);
		hour();
		expect(inClass()).toEqual([]);
	});

	test('is refunded once by two refunds without an address, and both say so', () => {
		execute(SALE);
		const refund = { ...REFUND, email: '' };
		const second = beginSale(refund);
		advance(second, 'Look Up Sales');
		expect(execute(refund)).toMatchObject({ result: 'removed' });
		advance(second);
		expect(second.execution.output).toMatchObject([{ json: { result: 'removed' } }]);
		expect(inClass()).toEqual([]);
	});

	test('that is refunded at its former address while the new one is added ends without access', () => {
		execute({ ...SALE, email: 'ana@exmaple.com' });
		byHand({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
		const moving = begin(workflow, world);
		advance(moving, 'Add to Class');
		execute({ ...REFUND, email: 'ana@exmaple.com' });
		advance(moving);
		expect(inClass()).toEqual([]);
		expect(sales().every(({ doneAt }) => doneAt)).toBe(true);
	});

	test('of an unknown product, which another execution carries out, is a failure there', () => {
		const first = beginSale(SALE);
		advance(first, 'Add to Class');
		const second = execute({ ...SALE, paymentId: 'p2', products: 'Z' });
		expect(second).toMatchObject({ result: 'recorded' });
		advance(first);
		const reason = expect.stringMatching(/^Row 2 of class_sales: Unknown product: Z\./) as string;
		expect(first.execution.output).toMatchObject([{ json: { result: 'failed', reason } }]);
	});

	test('waits for PostgreSQL, which has opened its buyer twice at the same moment', () => {
		const first = beginSale(SALE);
		const second = beginSale({ ...SALE, paymentId: 'p2', products: 'B' });
		for (const begun of [first, second]) advance(begun, 'upsert');
		for (const begun of [first, second]) advance(begun, 'Locked');
		expect(world.tables.class_buyers!.rows).toHaveLength(2);
		for (const begun of [first, second]) advance(begun);
		afterTheLease();
		hour();
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		expect(world.service.links).toHaveLength(1);
	});

	test('gives back one of two rows of a buyer on PostgreSQL, if somebody else has locked the other', () => {
		const buyers = world.tables.class_buyers!;
		for (const email of ['ana@example.com', 'joana@example.com']) byHand({ classId: 'c1', email });
		const lockedUntil = new Date(world.now + 5 * MINUTE).toISOString();
		buyers.insert({ email: 'ana@example.com', lockedBy: 'other', lockedUntil }, world.now);
		buyers.insert({ email: 'ana@example.com' }, world.now);
		hour();
		expect(inClass()).toEqual(['joana@example.com c1']);
		expect(buyers.rows.map(({ lockedBy }) => lockedBy || '')).toEqual(['other', '', '']);
	});

	/** Students who were added long ago. So many have ended. */
	const enter = (count: number, ended: number) => {
		for (let index = 0; index < count; index++) {
			const email = `student-${index}@example.com`;
			const end = new Date(world.now + (index < ended ? -DAY - index : 100 * DAY)).toISOString();
			const at = new Date(world.now - 400 * DAY).toISOString();
			const classes = JSON.stringify([{ code: '', classId: 'c1', months: 12 }]);
			const sale = { paymentId: `p${index}`, kind: 'paid', email, paidAt: at, until: end, classes };
			world.tables.class_sales!.insert({ ...sale, doneAt: at }, world.now - 400 * DAY);
			const student = { email, classId: 'c1', end, checkAt: end, inClass: true, since: at };
			world.tables.class_students!.insert(student, world.now - 400 * DAY);
			world.service.students.set(`${email} c1`, end);
		}
	};

	test('removes however many have ended, in portions, the oldest first', () => {
		enter(400, 110);
		hour();
		expect(world.service.students.size).toBe(290);
		expect(world.service.requests[0]).toContain('student-109@');
	});

	test('removes the others, however often the removal of some fails', () => {
		enter(100, 19);
		world.service.outcome = () =>
			/ student-1\d?@/.test(world.service.requests.at(-1)!) ? 'down' : 'done';
		expect(hour).toThrow("Couldn't remove student-18@example.com");
		expect(world.service.students.size).toBe(100 - 19 + 10);
	});

	test('removes nobody if nearly all are to be removed at once, until an owner allows it', () => {
		enter(60, 30);
		expect(hour).toThrow('30 of 60 students would be removed at once');
		byHand({ classId: 'c1', email: 'ana@example.com' });
		expect(hour).toThrow('30 of 60');
		expect(world.service.students.size).toBe(61);
		byHand({ kind: 'allow' });
		hour();
		expect(world.service.students.size).toBe(31);
		world.now += 2 * DAY;
		hour();
		expect(sales().at(-1)).toMatchObject({ doneAt: expect.any(String) as string });
	});
});
