import { Execution } from '../../canvas/execution';
import { advance, begin, record } from '../../classAccess/story';
import { DAY, MINUTE, SALE, REFUND, useClassAccess, workflow } from './fixture';

describe('one sale', () => {
	const { world, execute, beginSale, sales, byHand, answer, hour, afterTheLease, inClass } =
		useClassAccess();

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

	test.each([
		['fails, if the platform rejects for good what others left behind', 'rejected', 'failed'],
		['is silent of what the next hour asks again', 'busy', 'added'],
	] as const)('%s', (_, outcome, result) => {
		record(world, { ...SALE, paymentId: 'other', email: 'other@example.com' });
		afterTheLease();
		answer(outcome, 'other');
		expect(execute(SALE)).toMatchObject({ result });
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

	test('is refunded, whatever others left behind, also if one of them is locked', () => {
		execute(SALE);
		for (const name of ['bob', 'eva']) byHand({ classId: 'c1', email: `${name}@example.com` });
		afterTheLease();
		const lockedUntil = new Date(world.now + 5 * MINUTE).toISOString();
		const lease = { email: 'bob@example.com', lockedBy: 'other', lockedUntil };
		world.tables.class_buyers!.insert(lease, world.now);
		expect(execute(REFUND)).toMatchObject({ result: 'removed' });
		expect(inClass()).toEqual(['eva@example.com c1']);
	});

	test('is ended by a call with a row of kind ended', () => {
		execute(SALE);
		const ended = { ...SALE, paymentId: '', status: 'ended', products: '', classId: 'c1' };
		expect(execute(ended)).toMatchObject({ result: 'removed' });
	});

	test('is carried out at once with the others of its call, and what is wrong with them is said', () => {
		const call = (...classIds: string[]) => {
			const rows = classIds.map((classId, index) =>
				byHand({ classId, email: `${classIds.length}-${index}@example.com` }),
			);
			const execution = new Execution(workflow, world, 'Sale');
			Array.from(execution.start(rows.map((row) => ({ json: { ...row, returnFailure: true } }))));
			return execution.output[0]!.json;
		};
		expect(call('c1', 'c1', 'c2')).toMatchObject({ result: 'added' });
		expect(inClass()).toEqual(['3-0@example.com c1', '3-1@example.com c1', '3-2@example.com c2']);
		const reason = expect.stringMatching(/^Row 5 of class_sales: Unknown class: "c9"/) as string;
		expect(call('c1', 'c9')).toMatchObject({ result: 'failed', reason });
	});

	describe('with a row that the database finds only by its ID, as its address has decomposed letters', () => {
		const row = { classId: 'c1', email: 'jose\u0301@example.com' };
		const sale = { ...SALE, email: 'jos\u00e9@example.com' };
		/** How often an execution of the sale has planned. */
		const plans = () => {
			const begun = beginSale(sale);
			advance(begun);
			return begun.execution.runs.get('Plan')!.length;
		};

		test('looks only once more at a new row by hand, which an owner may still be filling in', () => {
			byHand(row);
			expect(plans()).toBeLessThan(20);
		});

		test('looks only once more at a payment of which another execution has locked an address', () => {
			const lockedUntil = new Date(world.now + 60 * MINUTE).toISOString();
			const lease = { email: 'ana@example.com', lockedBy: 'other', lockedUntil };
			world.tables.class_buyers!.insert(lease, world.now);
			record(world, { ...SALE, paymentId: 'p2' });
			record(world, { ...SALE, paymentId: 'p2', email: row.email });
			expect(plans()).toBeLessThan(20);
		});
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

	test('that is refunded at its former address while the new one is added ends without access', () => {
		execute({ ...SALE, email: 'ana@exmaple.com' });
		byHand({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
		afterTheLease();
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
		// To retry this execution wouldn't help.
		const reason =
			"Row 2 of class_sales: Unknown product: Z. Enter it in the data table class_products. If you correct something, empty the row's doneAt.";
		expect(first.execution.output).toMatchObject([{ json: { result: 'failed', reason } }]);
	});

	test('waits for PostgreSQL, which has opened its buyer twice at the same moment', () => {
		const first = beginSale(SALE);
		const second = beginSale({ ...SALE, paymentId: 'p2', products: 'B' });
		for (const begun of [first, second]) advance(begun, 'upsert');
		for (const begun of [first, second]) advance(begun, 'Locked');
		expect(world.tables.class_buyers!.rows).toHaveLength(2);
		for (const begun of [first, second]) advance(begun);
		expect(second.execution.runs.has('Wait a Moment')).toBe(true);
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		afterTheLease();
		hour();
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		expect(world.service.links).toHaveLength(1);
	});

	test('gives back one of two rows of a buyer on PostgreSQL, if somebody else has locked the other', () => {
		const buyers = world.tables.class_buyers!;
		for (const email of ['ana@example.com', 'joana@example.com']) byHand({ classId: 'c1', email });
		const lockedUntil = new Date(world.now + 15 * MINUTE).toISOString();
		buyers.insert({ email: 'ana@example.com', lockedBy: 'other', lockedUntil }, world.now);
		const linkedAt = new Date(world.now - DAY).toISOString();
		buyers.insert({ email: 'ana@example.com', linkedAt }, world.now);
		hour();
		expect(buyers.rows[1]).toMatchObject({ linkedAt });
		expect(inClass()).toEqual(['joana@example.com c1']);
		expect(buyers.rows.map(({ lockedBy }) => lockedBy || '')).toEqual(['other', '', '']);
	});
});
