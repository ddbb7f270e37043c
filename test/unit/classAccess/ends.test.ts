import { advance, begin } from '../../classAccess/story';
import { DAY, MINUTE, SALE, REFUND, REMOVAL, failed, useClassAccess, workflow } from './fixture';

describe('one sale', () => {
	const { world, execute, sales, byHand, carryOut, hour, inClass } = useClassAccess();

	test('removes nobody before the end of whom class_sales says nothing', () => {
		execute(SALE);
		sales().length = 0;
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		hour();
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
	});

	test('removes nobody before the end that was asked last, although the answer was lost, and then the sales', () => {
		execute(SALE);
		world.service.outcome = () => 'lost';
		execute({ ...SALE, paymentId: 'p2' });
		world.service.outcome = () => 'done';
		sales().length = 0;
		hour();
		expect([...world.service.students.values()]).toEqual(['2028-03-01T23:59:59.999Z']);
	});

	test('is removed after a refund without an answer, also if class_sales says nothing then', () => {
		execute(SALE);
		world.service.outcome = () => 'down';
		execute(REFUND);
		world.service.outcome = () => 'done';
		sales().length = 0;
		hour();
		expect(inClass()).toEqual([]);
	});

	test.each(['B', 'B,book'])('that prolongs nothing fails (%s)', (products) => {
		world.tables.class_products!.insert({ product: 'book', classId: '-' }, 0);
		execute({ ...SALE, products: 'B', until: '2026-04-01T00:00:00Z' });
		world.now += 20 * DAY;
		const renewal = { ...SALE, products, paymentId: 'p2', paidAt: '2026-03-20T00:00:00Z' };
		expect(execute({ ...renewal, until: '2026-04-01T00:00:00Z' })).toMatchObject(
			failed("doesn't prolong"),
		);
		expect(inClass()).toEqual(['ana@example.com c2']);
	});

	test('that gives one more class is silent of another one, which lasts longer already', () => {
		execute(SALE);
		const sale = { ...SALE, paymentId: 'p2', products: 'AB', until: '2026-04-05' };
		expect(execute(sale)).toMatchObject({ result: 'added' });
		expect([...world.service.students.values()]).toEqual([
			'2027-03-01T23:59:59.999Z',
			'2026-04-05T23:59:59.999Z',
		]);
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
			const reason = expect.stringContaining(
				'comes again (2026-04-01), and gives nothing',
			) as string;
			expect(execute(next)).toMatchObject({ result: 'failed', reason });
			expect(sales()).toMatchObject([{ problem: null }, { problem: reason }]);
			expect(execute(next)).toMatchObject({ result: 'already processed' });
		});

		test('fails, if its next charge has the same number, and no date', () => {
			expect(execute({ ...next, paidAt: '' })).toMatchObject(
				failed('comes again (2026-04-01), and'),
			);
		});

		test('fails, if its next charge has the same number, no date, and the end of the one before', () => {
			const charge = { ...next, paidAt: '', until: '2026-05-06' };
			execute(charge);
			world.now = Date.parse('2026-05-01T00:00:00Z');
			expect(execute(charge)).toMatchObject(failed('comes again (2026-05-01), and'));
		});

		test.each([
			[7, true],
			[7, false],
			[3, true],
		])('fails, if its trial of %i days had the same number (dated: %s)', (days, isDated) => {
			const trial = { ...monthly, paymentId: 'p2', paidAt: '', until: '2026-04-08' };
			execute(trial);
			world.now += days * DAY - 20 * MINUTE;
			const paidAt = isDated ? new Date(world.now).toISOString() : '';
			expect(execute({ ...trial, paidAt })).toMatchObject(failed('comes again (2026-04-0'));
		});

		test('fails, if its next weekly charge has the same number, also after a repeat', () => {
			const weekly = { ...monthly, paymentId: 'p2', paidAt: '', until: '2026-04-08' };
			for (const days of [1, 6]) {
				execute(weekly);
				world.now += days * DAY;
			}
			expect(execute(weekly)).toMatchObject(failed('comes again (2026-04-08), and'));
		});

		test('fails once, if several charges have the number that is refunded', () => {
			execute({ ...next, until: '2026-05-06' });
			const refund = { ...next, status: 'refunded' };
			expect(execute(refund)).toMatchObject(
				failed('Payment p1 was charged several times, and all of it is taken back.'),
			);
			expect(execute(refund)).toMatchObject({ result: 'removed' });
			expect(inClass()).toEqual([]);
		});

		test('is silent if it was repeated before it is refunded', () => {
			for (let times = 0; times < 2; times++, world.now += 6 * DAY)
				execute({ ...monthly, paymentId: 'p2', paidAt: '' });
			const refund = { ...monthly, paymentId: 'p2', status: 'refunded' };
			expect(execute(refund)).toMatchObject({ result: 'removed' });
		});

		test.each(['', monthly.paidAt])(
			'is silent if it is repeated within a week with "%s"',
			(paidAt) => {
				const undated = { ...monthly, paymentId: 'p2', paidAt: '' };
				execute(undated);
				world.now += 6 * DAY;
				expect(execute({ ...undated, paidAt })).toMatchObject({ result: 'already processed' });
			},
		);

		test('fails also after an owner has moved the payment', () => {
			world.now = Date.parse('2026-03-29T00:00:00Z');
			byHand({ kind: 'moved', paymentId: 'p1', email: 'bea@example.com' });
			world.now = Date.parse('2026-04-01T00:00:00Z');
			expect(execute(next)).toMatchObject(failed('comes again (2026-04-01), and'));
		});

		test('is silent if it is repeated weeks later, with its date then', () => {
			const undated = { ...monthly, paymentId: 'p2', paidAt: '' };
			execute(undated);
			world.now += 20 * DAY;
			const dated = { ...undated, paidAt: '2026-04-01T00:00:00Z' };
			expect(execute(dated)).toMatchObject({ result: 'already processed' });
		});

		test('is of somebody else, if another buyer pays under its number', () => {
			const other = { ...next, email: 'joana@example.com' };
			expect(execute(other)).toMatchObject(failed('was made by ana@example.com'));
		});

		test.each([
			['its status changes weeks later', { ...next, paidAt: monthly.paidAt }],
			['it is an instalment', { ...next, isSubscription: false }],
		])('has given all if %s', (_, sale) => {
			expect(execute(sale)).toMatchObject({ result: 'already processed' });
		});

		test('goes on until the day that the same number says', () => {
			expect(execute({ ...next, until: '2026-05-06' })).toMatchObject({ result: 'added' });
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('fails, if a charge with the same number has the end of the one before', () => {
			const charge = { ...next, until: '2026-05-06' };
			execute(charge);
			world.now = Date.parse('2026-05-05T00:00:00Z');
			expect(execute(charge)).toMatchObject({ result: 'already processed' });
			const later = { ...charge, paidAt: '2026-05-05T00:00:00Z' };
			expect(execute(later)).toMatchObject(failed('comes again (2026-05-05), and'));
			expect(execute(later)).toMatchObject({ result: 'already processed' });
		});

		test('fails for each charge with the same number that is for other products', () => {
			execute({ ...next, until: '2026-05-06' });
			for (const month of ['05', '06']) {
				world.now = Date.parse(`2026-${month}-01T00:00:00Z`);
				const paidAt = new Date(world.now).toISOString();
				const charge = { ...next, products: 'monthly,B', paidAt, until: `2026-${month}-28` };
				const reason = `comes again (2026-${month}-01) for other products, and prolongs those before`;
				expect(execute(charge)).toMatchObject(failed(reason));
				expect(execute(charge)).toMatchObject({ result: 'already processed' });
			}
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('gives access again after an end by hand, if its next charge has the same number', () => {
			const charge = { ...next, until: '2026-05-06' };
			execute(charge);
			carryOut({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
			expect(execute(charge)).toMatchObject({ result: 'ignored' });
			expect(inClass()).toEqual([]);
			world.now = Date.parse('2026-05-01T00:00:00Z');
			const paidAt = '2026-05-01T00:00:00Z';
			expect(execute({ ...charge, paidAt, until: '2026-06-06' })).toMatchObject({
				result: 'added',
			});
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-06-06');
		});

		test('sends a link to who comes back under the same number', () => {
			execute({ ...next, until: '2026-05-06' });
			world.now = Date.parse('2026-07-01T00:00:00Z');
			hour();
			expect(inClass()).toEqual([]);
			execute({ ...next, paidAt: '2026-07-01T00:00:00Z', until: '2026-08-06' });
			expect(world.service.links).toHaveLength(2);
		});
	});

	test('keeps who has access for life when they buy again, and says that it prolongs nothing', () => {
		carryOut({ classId: 'c1', email: 'ana@example.com', until: '9999-12-31' });
		const sale = { ...SALE, paidAt: '2026-03-02T00:00:00Z' };
		expect(execute(sale)).toMatchObject(failed("doesn't prolong the access to class c1"));
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

	test('leaves the rest to the next hour, if it takes longer than 45 minutes', () => {
		enter(510, 151);
		world.service.latency = () => 20_000;
		expect(hour).toThrow('It took too long');
		expect(world.service.students.size).toBe(360);
		world.service.latency = () => 0;
		hour();
		expect(world.service.students.size).toBe(359);
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
		expect(hour).toThrow('30 students, with 30 of 60 accesses, would be removed at once');
		expect(() => carryOut({ classId: 'c1', email: 'ana@example.com' })).toThrow('30 of 60');
		expect(world.service.students.size).toBe(61);
		byHand({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
		expect(hour).toThrow('30 of 61');
		expect(world.service.students.size).toBe(60);
		carryOut({ kind: 'allow' });
		expect(world.service.students.size).toBe(30);
		world.now += 2 * DAY;
		hour();
		expect(sales().at(-1)).toMatchObject({ doneAt: expect.any(String) as string });
	});

	test('removes whose payment was taken back also while nearly all are to be removed at once', () => {
		enter(60, 30);
		execute({ ...SALE, paymentId: 'a1' });
		world.service.outcome = () => 'busy';
		expect(execute({ ...REFUND, paymentId: 'a1' })).toMatchObject({ result: 'failed' });
		world.service.outcome = () => 'done';
		expect(hour).toThrow('30 of 61');
		expect(inClass()).toHaveLength(60);
		expect(inClass()).not.toContain('ana@example.com c1');
	});

	test('says whom it would remove if nearly all are to be removed at once', () => {
		enter(150, 60);
		expect(hour).toThrow('To see who, select Execute workflow.');
		const byPerson = begin(workflow, world, undefined, 'test');
		advance(byPerson);
		const [item] = byPerson.execution.output;
		expect(item!.json.wouldRemove).toHaveLength(60);
		expect(world.service.students.size).toBe(150);
	});

	test('removes a few students, however many classes they are in', () => {
		const classes = Array.from({ length: 20 }, (_, index) => `k${index}`);
		world.service.classes.push(...classes);
		for (const classId of classes)
			world.tables.class_products!.insert({ product: 'all', classId, months: 1 }, 0);
		for (const [name, paidAt] of [
			['ana', '2026-02-02'],
			['bob', '2026-03-01'],
			['eva', '2026-03-01'],
		]) {
			const email = `${name}@example.com`;
			execute({ ...SALE, paymentId: name, email, products: 'all', paidAt });
		}
		world.now = Date.parse('2026-03-03T00:00:00Z');
		hour();
		expect(world.service.students.size).toBe(40);
	});
});
