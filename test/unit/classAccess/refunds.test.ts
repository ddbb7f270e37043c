import { advance, record } from '../../classAccess/story';
import { MINUTE, DAY, SALE, REFUND, REMOVAL, failed, useClassAccess } from './fixture';

describe('one sale', () => {
	const { world, execute, beginSale, sales, byHand, carryOut, hour, inClass } = useClassAccess();

	test('that is refunded and not known fails once, however often the shop repeats it', () => {
		const failure = failed('add a row of kind refunded with its paymentId');
		expect(execute(REFUND)).toMatchObject(failure);
		for (let times = 0; times < 3; times++)
			expect(execute(REFUND)).toMatchObject({ result: 'removed' });
		hour();
		expect(execute(SALE)).toMatchObject({ result: 'ignored', reason: 'The payment was refunded.' });
	});

	test('that is refunded before it is carried out says nothing, and adds nobody', () => {
		for (const sale of [SALE, REFUND]) record(world, sale);
		hour();
		expect(world.service.requests).toEqual([]);
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

	test('ends if its buyer refunds it under another address', () => {
		execute(SALE);
		const refund = { ...REFUND, email: 'ana@work.example' };
		expect(execute(refund)).toMatchObject({ result: 'removed' });
		expect(inClass()).toEqual([]);
	});

	test.each([
		['', 'Joana'],
		['Ana', ''],
	])('of "%s" stays if "%s" refunds it under another address', (name, otherName) => {
		execute({ ...SALE, name });
		const refund = { ...REFUND, email: 'joana@example.com', name: otherName };
		expect(execute(refund)).toMatchObject(failed('names joana@example.com. So it stays.'));
		expect(inClass()).toEqual(['ana@example.com c1']);
	});

	test('of another buyer is no failure any more once an owner has refunded it', () => {
		execute(SALE);
		const refund = { ...REFUND, email: 'joana@example.com', name: 'Joana' };
		expect(execute(refund)).toMatchObject({ result: 'failed' });
		carryOut({ kind: 'refunded', paymentId: 'p1' });
		expect(execute(refund)).toMatchObject({ result: 'removed' });
	});

	test('stays if a row that refunds it is wrong, until it is corrected', () => {
		execute(SALE);
		const wrong = { ...REFUND, paidAt: '30/02/2026' };
		expect(execute(wrong)).toMatchObject({ result: 'failed' });
		expect(inClass()).toEqual(['ana@example.com c1']);
		Object.assign(sales()[1]!, { paidAt: '', doneAt: null });
		hour();
		expect(inClass()).toEqual([]);
	});

	describe('that is refunded and paid again', () => {
		const failure = failed('add a row of kind given');
		const IGNORED = { result: 'ignored', reason: 'The payment was refunded.' };

		test('fails once, and says what to do, as the shop may have taken its refund back', () => {
			execute(SALE);
			execute(REFUND);
			world.now += MINUTE;
			expect(execute(SALE)).toMatchObject(failure);
			world.now += 2 * DAY;
			expect(execute(SALE)).toMatchObject(IGNORED);
			expect(inClass()).toEqual([]);
		});

		test('is not said if it gave nothing before, as the shop repeats it until it does', () => {
			const unknown = { ...SALE, products: 'Z' };
			execute(unknown);
			execute({ ...unknown, status: 'refunded' });
			world.tables.class_products!.insert({ product: 'Z', classId: 'c1' }, 0);
			world.now += 60 * MINUTE;
			expect(execute(unknown)).toMatchObject(IGNORED);
		});

		test('is not said of a refund that stayed without effect, if its buyer gets the payment', () => {
			execute(SALE);
			execute({ ...REFUND, email: 'joana@example.com', name: 'Joana' });
			carryOut({ kind: 'moved', paymentId: 'p1', email: 'joana@example.com' });
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
				expect(execute({ ...SALE, paidAt })).toMatchObject(failure);
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
			expect(execute(REFUND)).toMatchObject({ result: 'removed' });
			const reason =
				'Payment p1 is of ana@example.com, and its refund, which came first, names bea@example.com. So it gives nothing. If that is wrong, add a row of kind given. Two shops must not use the same numbers.';
			expect(execute(SALE)).toMatchObject({ result: 'failed', reason });
			expect(execute(SALE)).toMatchObject({ result: 'ignored' });
			expect(world.service.requests).toEqual([]);
		});

		test.each([REFUND.email, ''])(
			'gives nothing for a day, if the refund came first (of "%s")',
			(email) => {
				execute({ ...REFUND, email });
				for (let times = 0; times < 2; times++) {
					world.now += 60 * MINUTE;
					expect(execute(SALE)).toMatchObject(IGNORED);
				}
				world.now += 2 * DAY;
				expect(execute(SALE)).toMatchObject(failure);
				expect(inClass()).toEqual([]);
			},
		);
	});

	test('removes who was added by a payment that lasted only because of the refunded one', () => {
		const first = { ...SALE, products: 'B', paidAt: '2026-01-03T00:00:00Z' };
		expect(execute(first)).toMatchObject({ result: 'ignored' });
		execute({ ...first, paymentId: 'p2', paidAt: '2026-01-09T00:00:00Z' });
		expect([...world.service.students.values()]).toEqual(['2026-03-03T23:59:59.999Z']);
		execute({ ...first, status: 'refunded' });
		expect(world.service.students.size).toBe(0);
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
});
