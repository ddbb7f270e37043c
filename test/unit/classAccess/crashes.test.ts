import { advance, begin, record } from '../../classAccess/story';
import { DAY, MINUTE, SALE, REFUND, REMOVAL, failed, useClassAccess, workflow } from './fixture';

describe('one sale', () => {
	const { world, execute, beginSale, sales, students, hour, afterTheLease, inClass } =
		useClassAccess();

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

	test('is done although n8n died while its clock was a year ahead', () => {
		const { now } = world;
		world.now += 365 * DAY;
		advance(beginSale({ ...SALE, paymentId: 'p2' }), 'Add to Class');
		world.now = now;
		expect(execute(SALE)).toMatchObject({ result: 'added' });
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
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		const payment = beginSale(SALE);
		advance(payment, 'Add to Class, item 1');
		afterTheLease();
		execute(REFUND);
		expect(inClass()).toEqual(['ana@example.com c2']);
		world.service.students.set('ana@example.com c1', '2027-03-01T23:59:59.999Z'); // it arrives late
		advance(payment);
		expect(students()).toMatchObject([{ inClass: true }, { inClass: null }]);
		hour();
		expect(inClass()).toEqual(['ana@example.com c2']);
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

	test('shows a removal that is rejected of who may have been added', () => {
		world.service.outcome = () => 'lost';
		execute(SALE);
		world.service.outcome = () => 'rejected';
		expect(execute(REFUND)).toMatchObject(failed('may not be in the class'));
		// While it may still arrive, the removal is neither asked nor said again.
		execute();
		// The addition may have arrived later, so it is asked and said once more.
		afterTheLease();
		expect(hour).toThrow('may not be in the class');
		hour();
		expect(world.service.requests.slice(1)).toEqual([REMOVAL, REMOVAL]);
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

	test('sends one link, if each request takes as long as the node tries', () => {
		world.service.latency = () => 5.9 * MINUTE;
		const first = beginSale(SALE);
		const second = world.now + 10.5 * MINUTE;
		while (world.now < second && !first.steps.next().done);
		world.service.latency = () => 0;
		execute(SALE);
		advance(first);
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test('goes on with the others if one addition takes as long as the node waits', () => {
		const { service } = world;
		for (const name of ['ana', 'bob'])
			record(world, { ...SALE, paymentId: name, email: `${name}@example.com` });
		world.now += 11 * MINUTE;
		service.latency = () => (service.requests.length === 0 ? 5 * MINUTE : 0);
		service.outcome = () => (service.requests.length === 1 ? 'lost' : 'done');
		expect(hour).toThrow("Couldn't add");
		expect(service.links).toEqual(['bob@example.com']);
		expect(sales().map(({ doneAt }) => doneAt === null)).toEqual([true, false]);
	});

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
});
