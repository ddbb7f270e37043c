import { Execution } from '../../canvas/execution';
import { record } from '../../classAccess/story';
import { DAY, SALE, failed, useClassAccess, workflow } from './fixture';

describe('one sale', () => {
	const { world, execute, sales, students, hour, inClass } = useClassAccess();

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
		['no code', { products: '[]' }, 'Unknown product: without-code. Check products in What the'],
		['an item without a code', { products: '["Z",""]' }, 'If it is no class, enter without-code'],
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
		['an end before it came', { until: '2026-02-28', paidAt: '' }, "isn't after the payment"],
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
		const sale = { ...SALE, products: '["A","Z"]' };
		expect(execute(sale)).toMatchObject(failed('Unknown product: Z.'));
		expect(inClass()).toEqual(['ana@example.com c1']);
		expect(world.service.links).toHaveLength(1);
		world.tables.class_products!.insert({ product: 'Z', classId: 'c2', months: 1 }, 0);
		expect(execute(sale)).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
	});

	test('keeps what it has given when its row is carried out again', () => {
		const products = world.tables.class_products!;
		const { id } = products.insert({ product: 'C', classId: 'c2' }, 0);
		execute({ ...SALE, products: '["C","Z"]' });
		products.rows.find((row) => row.id === id)!.classId = 'c1';
		products.insert({ product: 'Z', classId: '-' }, 0);
		Object.assign(sales()[0]!, { doneAt: null });
		hour();
		expect(sales()[0]).toMatchObject({ problem: null });
		expect(inClass()).toEqual(['ana@example.com c2']);
	});

	test.each([false, true])(
		'counts the months of a row that is added beside that without months (of a subscription: %j)',
		(isSubscription) => {
			for (const months of [null, 1])
				world.tables.class_products!.insert({ product: 'Z', classId: 'c1', months }, 0);
			const sale = { ...SALE, products: 'Z', isSubscription };
			expect(execute(sale)).toMatchObject({ result: 'added' });
			expect([...world.service.students.values()]).toEqual(['2026-04-01T23:59:59.999Z']);
		},
	);

	test('says that one of the rows of its product has no class', () => {
		for (const classId of ['c1', ''])
			world.tables.class_products!.insert({ product: 'Z', classId }, 0);
		expect(execute({ ...SALE, products: 'Z' })).toMatchObject(
			failed('Product Z has no classId in class_products.'),
		);
	});

	test('says that the row of its product has no class', () => {
		world.tables.class_products!.insert({ product: 'Z' }, 0);
		expect(execute({ ...SALE, products: '["Z"]' })).toMatchObject(
			failed('Product Z has no classId in class_products.'),
		);
	});

	test('gives nobody what an empty piece of a cell could mean', () => {
		world.tables.class_products!.rows.forEach((row) => (row.product = `${String(row.product)},,`));
		const sale = { ...SALE, products: '["Z",""]' };
		expect(execute(sale)).toMatchObject(failed('without-code'));
		expect(world.service.requests).toEqual([]);
	});

	test('says when a shop repeats a payment without an address that nobody can be added', () => {
		const sale = { ...SALE, email: 'ana' };
		expect(execute(sale)).toMatchObject({ result: 'failed' });
		const reason = 'The payment has no valid email address.';
		expect(execute(sale)).toMatchObject({ result: 'ignored', reason });
		expect(execute(SALE)).toMatchObject({ result: 'added' });
	});

	test.each([
		['book', 'book'],
		['without-code', '[""]'],
	])('needs no address if it has no class: %s', (product, products) => {
		world.tables.class_products!.insert({ product, classId: '-' }, 0);
		const sale = { ...SALE, email: '', products };
		expect(execute(sale)).toMatchObject({ result: 'ignored', reason: 'No class was bought.' });
	});

	test('fails if it was not recorded first', () => {
		const execution = new Execution(workflow, world, 'Sale');
		Array.from(execution.start([{ json: { ...SALE, returnFailure: true } }]));
		expect(execution.output).toMatchObject([
			{ json: failed('Insert the sale into class_sales first') },
		]);
	});

	test('of a subscription fails if neither the shop nor its product says until when it lasts', () => {
		world.tables.class_products!.insert({ product: 'monthly', classId: 'c1' }, 0);
		const sale = { ...SALE, products: 'monthly', isSubscription: true };
		expect(execute(sale)).toMatchObject(failed('monthly may be a subscription'));
		expect(inClass()).toEqual([]);
		expect(execute({ ...sale, until: '2026-04-05' })).toMatchObject({ result: 'added' });
	});

	test('notes the name of each class', () => {
		for (const row of world.tables.class_products!.rows)
			row.className = `Class ${String(row.classId)}`;
		execute({ ...SALE, products: 'AB' });
		expect(students()).toMatchObject([
			{ classId: 'c1', className: 'Class c1' },
			{ classId: 'c2', className: 'Class c2' },
		]);
	});

	test('is of the last name that is said', () => {
		record(world, SALE);
		record(world, { ...SALE, paymentId: 'p2', name: '' });
		hour();
		expect(students()).toMatchObject([{ name: 'Ana' }]);
		execute({ ...SALE, paymentId: 'p3', name: 'Ana Maria' });
		expect(students()).toMatchObject([{ name: 'Ana Maria' }]);
	});

	test('gives all classes of its product when the months of one are corrected', () => {
		const { class_products: products } = world.tables;
		products!.insert({ product: 'pair', classId: 'c1', months: 12 }, 0);
		const wrong = products!.insert({ product: 'pair', classId: 'c2', months: 0 }, 0);
		expect(execute({ ...SALE, products: 'pair' })).toMatchObject(
			failed('Correct it in class_products'),
		);
		products!.rows.find(({ id }) => id === wrong.id)!.months = 6;
		sales()[0]!.doneAt = null;
		hour();
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		expect(sales()).toMatchObject([{ problem: null }]);
	});

	test.each([10_000_000, 0, 1.5])('fails with %j months', (months) => {
		world.tables.class_products!.insert({ product: 'wrong', classId: 'c1', months }, 0);
		expect(execute({ ...SALE, products: 'wrong' })).toMatchObject(failed('from 1 to 1200'));
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

	test.each([
		['fails, and says so once', 8, 'failed', 1],
		['is given', 6, 'added', 2],
	])('an item that is added to the order %s after %i days', (_, days, result, count) => {
		const more = { ...SALE, products: '["A","B"]' };
		execute(SALE);
		world.now += days * DAY;
		expect(execute(more)).toMatchObject({ result });
		// Shops repeat themselves after a failure, and tell of each change of an order.
		expect(execute(more)).toMatchObject({ result: 'already processed' });
		expect(world.service.students.size).toBe(count);
		expect(world.service.links).toHaveLength(count);
		expect(execute(SALE)).toMatchObject({ result: 'already processed' });
	});

	test('gives what was unknown at first, if the shop repeats it weeks later', () => {
		const sale = { ...SALE, products: '["A","Z"]' };
		expect(execute(sale)).toMatchObject({ result: 'failed' });
		world.tables.class_products!.insert({ product: 'Z', classId: 'c2' }, world.now);
		world.now += 20 * DAY;
		expect(execute(sale)).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
	});

	test('gives no class for what is added later and is none, and says nothing', () => {
		world.tables.class_products!.insert({ product: 'book', classId: '-' }, 0);
		execute(SALE);
		world.now += 8 * DAY;
		const more = { ...SALE, products: '["A","book"]' };
		expect(execute(more)).toMatchObject({ result: 'already processed' });
	});

	test('of a product that is called canceled fails, and n8n does not take it for a cancelled execution', () => {
		record(world, { ...SALE, products: 'canceled' });
		expect(hour).toThrow('Unknown product: Canceled. Enter it');
	});
});
