import { record } from '../../classAccess/story';
import { DAY, SALE, REFUND, failed, useClassAccess } from './fixture';

describe('one sale', () => {
	const { world, execute, sales, students, byHand, carryOut, hour, inClass } = useClassAccess();

	test('moves to a corrected address, with a link, and the wrong one loses it', () => {
		execute({ ...SALE, email: 'ana@exmaple.com' });
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['ana@example.com c1']);
		expect(world.service.links).toEqual(['ana@exmaple.com', 'ana@example.com']);
		// The shop may repeat itself, or correct the address back. So it stays, and an owner is asked once.
		const failure = failed('add a row of kind moved');
		expect(execute({ ...SALE, email: 'ana@exmaple.com' })).toMatchObject(failure);
		expect(execute({ ...SALE, email: 'ana@exmaple.com' })).toMatchObject({
			result: 'already processed',
		});
		expect(inClass()).toEqual(['ana@example.com c1']);
		carryOut({ kind: 'moved', paymentId: 'p1', email: 'ana@exmaple.com' });
		expect(inClass()).toEqual(['ana@exmaple.com c1']);
		execute({ ...SALE, email: 'anna@example.com' });
		expect(inClass()).toEqual(['anna@example.com c1']);
		expect(execute(SALE)).toMatchObject(failure);
		expect(inClass()).toEqual(['anna@example.com c1']);
		// A refund may still have the first one.
		const refund = { ...REFUND, email: 'ana@exmaple.com' };
		expect(execute(refund)).toMatchObject({ result: 'removed' });
	});

	test('is of an address in any case', () => {
		expect(execute({ ...SALE, email: 'Ana@Example.com' })).toMatchObject({ result: 'added' });
		expect(execute(REFUND)).toMatchObject({ result: 'removed' });
	});

	test.each([
		['its date only at first', {}, { paidAt: '' }],
		['its date only then', { paidAt: '' }, {}],
		['a part of its products', { products: 'A,B' }, {}],
		['its class', { products: '', classId: 'c1' }, { products: '', classId: 'c1' }],
	])('moves to a corrected address that comes with %s', (_, first, then) => {
		execute({ ...SALE, email: 'ana@exmaple.com', ...first });
		execute({ ...SALE, ...then });
		expect(inClass()).toContain('ana@example.com c1');
		expect(inClass()).not.toContain('ana@exmaple.com c1');
	});

	test('stays where an owner has moved it twice, although it was ended at the former address between', () => {
		execute({ ...SALE, email: 'ana@exmaple.com' });
		const row = { kind: 'moved', paymentId: 'p1', email: 'ana@example.com' };
		carryOut(row);
		byHand({ kind: 'ended', classId: 'c1', email: 'ana@exmaple.com' });
		expect(hour).toThrow('so nothing ends');
		carryOut(row);
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	describe('whose address an owner corrects after a row of it was rejected', () => {
		const failure = failed('add a row of kind moved, and empty doneAt');
		const other = { ...SALE, email: 'ana@exmaple.com', paidAt: '2026-03-03T00:00:00Z' };
		beforeEach(() => {
			execute({ ...SALE, until: '2026-04-05' });
			world.now = Date.parse(other.paidAt);
		});

		test('lasts as long as that row says', () => {
			expect(execute({ ...other, until: '2026-05-05' })).toMatchObject(failure);
			carryOut({ kind: 'moved', paymentId: 'p1', email: other.email });
			expect([...world.service.students]).toEqual([
				['ana@exmaple.com c1', '2026-05-05T23:59:59.999Z'],
			]);
		});

		test('gives what that row says, if it is done again', () => {
			expect(execute({ ...other, products: 'B' })).toMatchObject(failure);
			byHand({ kind: 'moved', paymentId: 'p1', email: other.email });
			sales()[1]!.doneAt = null;
			hour();
			expect(inClass()).toEqual(['ana@exmaple.com c1', 'ana@exmaple.com c2']);
		});

		test.each([{ classId: 'c2' }, { products: 'B' }])('stays if a row by hand names %j', (part) => {
			execute({ ...other, until: '2026-05-05' });
			byHand({ kind: 'moved', paymentId: 'p1', email: other.email, ...part });
			expect(hour).toThrow('names a part of it');
			expect(inClass()).toEqual(['ana@example.com c1']);
		});
	});

	test('stays ended if its address is corrected then, until it is paid again', () => {
		execute({ ...SALE, email: 'ana@exmaple.com' });
		carryOut({ kind: 'ended', classId: 'c1', email: 'ana@exmaple.com' });
		carryOut({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
		expect(inClass()).toEqual([]);
		expect(world.service.links).toEqual(['ana@exmaple.com']);
		world.now += DAY;
		execute({ ...SALE, paymentId: 'p2', products: 'AB', paidAt: '2026-03-02T00:00:00Z' });
		expect(world.service.students.get('ana@example.com c1')).toContain('2026-09-02');
	});

	describe('that renews a payment whose address was corrected', () => {
		const renewal = { ...SALE, paymentId: 'p2', paidAt: '2027-02-27T00:00:00Z' };
		beforeEach(() => {
			execute({ ...SALE, email: 'ana@exmaple.com' });
			carryOut({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
			world.now = Date.parse('2027-02-27T00:00:00Z');
		});

		test('says once that the shop still has the old address', () => {
			const old = { ...renewal, email: 'ana@exmaple.com' };
			expect(execute(old)).toMatchObject(
				failed('payment p1 of ana@exmaple.com is of ana@example.com now'),
			);
			expect(execute(old)).toMatchObject({ result: 'already processed' });
			carryOut({ kind: 'moved', paymentId: 'p2', email: 'ana@example.com' });
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
			carryOut({ kind: 'moved', paymentId: 'p3', email: 'ana@example.com' });
			const book = { ...old, paymentId: 'p4', products: 'book' };
			expect(execute(book)).toMatchObject({ result: 'ignored' });
		});
	});

	test('takes from nobody if two shops use the same payment number', () => {
		execute(SALE);
		const other = { ...SALE, email: 'joana@example.com', paidAt: '2026-03-01T05:00:00Z' };
		expect(execute(other)).toMatchObject(failed('Two shops'));
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('takes from nobody if a buyer to whom another payment has moved pays under its number', () => {
		execute(SALE);
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		carryOut({ kind: 'moved', paymentId: 'p2', email: 'joana@example.com' });
		const other = { ...SALE, email: 'joana@example.com', paidAt: '2026-03-01T05:00:00Z' };
		expect(execute(other)).toMatchObject({ result: 'failed' });
		expect(inClass()).toEqual(['ana@example.com c1', 'joana@example.com c2']);
	});

	test('stays if another shop refunds another buyer under its number', () => {
		execute(SALE);
		const joanas = { ...REFUND, email: 'joana@example.com', name: 'Joana', products: '' };
		for (let times = 0; times < 2; times++)
			expect(execute(joanas)).toMatchObject(failed('names joana@example.com. So it stays.'));
		const theirs = { ...SALE, email: joanas.email, paidAt: '2026-03-01T05:00:00Z' };
		expect(execute(theirs)).toMatchObject({ result: 'failed' });
		expect(inClass()).toEqual(['ana@example.com c1']);
		world.now += 2 * DAY;
		expect(execute(SALE)).toMatchObject({ result: 'already processed' });
		expect(inClass()).toEqual(['ana@example.com c1']);
		carryOut({ kind: 'refunded', paymentId: 'p1' });
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
		for (let times = 0; times < 3; times++)
			expect(execute(other)).toMatchObject(failed('Two shops must not use'));
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('takes from nobody if each payment has the same number, such as that of the shop', () => {
		execute({ ...SALE, paidAt: '' });
		const other = { ...SALE, email: 'joana@example.com', name: 'Joana', paidAt: '' };
		expect(execute(other)).toMatchObject(failed('by ana@example.com under another name'));
		expect(inClass()).toEqual(['ana@example.com c1']);
		expect(execute({ ...other, name: ' ANA' })).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['joana@example.com c1']);
	});

	// The second one is a mere day.
	test.each(['', SALE.paidAt])('takes from nobody if no name says so (paid at "%s")', (paidAt) => {
		const nameless = { ...SALE, name: '', paidAt };
		execute(nameless);
		world.now += 30 * DAY;
		const other = { ...nameless, email: 'joana@example.com' };
		expect(execute(other)).toMatchObject(failed('under another name, or none'));
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('takes from nobody if an owner enters one number for all who paid on a day', () => {
		const row = { kind: 'paid', paymentId: 'pix', paidAt: '2026-03-01', products: 'A' };
		carryOut({ ...row, email: 'ana@example.com' });
		byHand({ ...row, email: 'joana@example.com' });
		expect(hour).toThrow('Payment pix was made by ana@example.com under another name, or none.');
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('is of the first address that is one, also if there is no name to compare', () => {
		const nameless = { ...SALE, name: '', paidAt: '' };
		expect(execute({ ...nameless, email: 'ana' })).toMatchObject({ result: 'failed' });
		expect(execute(nameless)).toMatchObject({ result: 'added' });
	});

	test('is of nobody, if its first row has no address, and the next one another name', () => {
		const undated = { ...SALE, paidAt: '' };
		expect(execute({ ...undated, email: 'ana', name: 'Ana' })).toMatchObject({ result: 'failed' });
		expect(execute({ ...undated, name: 'Joana' })).toMatchObject(failed('under another name'));
		const refund = { ...undated, status: 'refunded', name: 'Joana' };
		expect(execute(refund)).toMatchObject(failed('is of somebody, and its refund names ana@'));
		expect(inClass()).toEqual([]);
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
		expect(execute(later)).toMatchObject(failed('add a row of kind moved'));
		carryOut({ kind: 'moved', paymentId: 'p1', email: 'anna@example.com' });
		expect(inClass()).toEqual(['anna@example.com c1']);
		world.now += 30 * DAY;
		expect(execute({ ...later, paidAt: '2026-04-30T00:00:00Z' })).toMatchObject({
			result: 'already processed',
		});
	});
});
