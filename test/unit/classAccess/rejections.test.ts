import { advance, begin, record } from '../../classAccess/story';
import { DAY, SALE, REFUND, REMOVAL, failed, useClassAccess, workflow } from './fixture';

describe('one sale', () => {
	const { world, execute, sales, students, byHand, answer, hour, inClass } = useClassAccess();

	test('says a rejection for good once, until the owner empties doneAt', () => {
		world.service.outcome = () => 'rejected';
		expect(execute(SALE)).toMatchObject(failed('To ask again, empty doneAt'));
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

	test('is given when its row is corrected, and its caller asks again', () => {
		const row = record(world, { ...SALE, products: 'Z' });
		const ask = () => {
			const begun = begin(workflow, world, row);
			advance(begun);
			return begun.execution.output[0]!.json;
		};
		for (let times = 0; times < 2; times++) expect(ask()).toMatchObject({ result: 'failed' });
		Object.assign(row, { products: 'A', doneAt: null });
		expect(ask()).toMatchObject({ result: 'added' });
	});

	test('is removed at its end, if the platform rejects an end that is earlier than before', () => {
		execute(SALE);
		execute({ ...SALE, paymentId: 'p2' });
		world.service.outcome = () => 'rejected';
		expect(execute({ ...REFUND, paymentId: 'p2' })).toMatchObject({ result: 'failed' });
		world.service.outcome = () => 'done';
		world.now = Date.parse('2027-03-02T00:00:00Z');
		hour();
		expect(world.service.students.size).toBe(0);
	});

	test('stays in the class at its end, and is told, if the token may not remove', () => {
		execute(SALE);
		world.now = Date.parse('2027-03-02T00:00:00Z');
		world.service.outcome = () => 'forbidden';
		expect(hour).toThrow("Couldn't remove");
		expect(students()).toMatchObject([{ inClass: true }]);
		hour();
		answer('forbidden', REMOVAL);
		const other = { ...SALE, paymentId: 'p2', products: 'B', paidAt: '2027-03-02T00:00:00Z' };
		expect(execute(other)).toMatchObject({ result: 'added' });
		expect(world.service.requests.filter((request) => request === REMOVAL)).toHaveLength(1);
	});

	test('is out at its end, if the platform has removed the student itself', () => {
		execute(SALE);
		world.now = Date.parse('2027-03-02T00:00:00Z');
		world.service.students.clear();
		hour();
		expect(students()).toMatchObject([{ inClass: false, end: null, problem: null }]);
	});

	test('is not asked again after a rejection while another payment is carried out', () => {
		const { requests } = world.service;
		answer('rejected', ' c1');
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		expect(execute({ ...SALE, paymentId: 'p2', products: 'B' })).toMatchObject({ result: 'added' });
		expect(requests.filter((request) => request.endsWith(' c1'))).toHaveLength(1);
	});

	test('is removed after a rejection if an owner ends it once more, not if they end another class', () => {
		const { requests } = world.service;
		const end = (classId: string) => byHand({ kind: 'ended', classId, email: 'ana@example.com' });
		execute({ ...SALE, products: 'AB' });
		answer('rejected', REMOVAL);
		end('c1');
		expect(hour).toThrow('Blocked');
		end('c2');
		hour();
		expect(inClass()).toEqual(['ana@example.com c1']);
		expect(requests.filter((request) => request === REMOVAL)).toHaveLength(1);
		world.service.outcome = () => 'done';
		end('c1');
		hour();
		expect(inClass()).toEqual([]);
	});

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

		test('is left to the hour after its end, while another payment is carried out', () => {
			world.now = Date.parse('2027-03-02T00:00:00Z');
			const other = { ...SALE, paymentId: 'p2', products: 'B', paidAt: '2027-03-02T00:00:00Z' };
			expect(execute(other)).toMatchObject({ result: 'added' });
			hour();
			expect(students()).toMatchObject([{ classId: 'c1', inClass: false }, { inClass: true }]);
		});

		test('is a problem until the end, if it is refunded', () => {
			expect(execute(REFUND)).toMatchObject({ result: 'failed' });
			expect(hour).toThrow('Not found');
			hour();
			const problem = expect.stringContaining('Not found') as string;
			expect(students()).toMatchObject([{ inClass: true, problem }]);
			expect(world.service.requests.slice(2)).toEqual([REMOVAL, REMOVAL]);
			world.now += 366 * DAY;
			hour();
			expect(students()).toMatchObject([{ end: null, inClass: false, checkAt: null }]);
		});
	});

	test('shows a removal of who is surely in the class that is rejected', () => {
		execute(SALE);
		world.service.students.clear();
		expect(execute(REFUND)).toMatchObject({ result: 'failed' });
		const problem = expect.stringContaining("Couldn't remove") as string;
		expect(students()).toMatchObject([{ problem, inClass: true }]);
	});

	test('fails every hour if the platform lists no classes', () => {
		world.service.listed = [];
		expect(hour).toThrow('lists no classes');
	});
});
