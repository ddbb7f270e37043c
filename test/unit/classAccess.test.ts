import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Execution } from '../canvas/execution';
import { MODES, tellStory } from '../classAccess/modes';
import type { Outcome } from '../classAccess/service';
import { advance, begin, executeAlone, newWorld } from '../classAccess/story';
import type { Workflow } from '../n8n/workflows';
import { TIMES } from '../property';

const FILE = join(__dirname, '../../examples/class-access.json');
const workflow = JSON.parse(readFileSync(FILE, 'utf8')) as Workflow;

describe.each(Object.entries(MODES))('sales %s', (_, mode) => {
	// The same stories each time. PROPERTY_RUNS tells more of them.
	const tell = () => {
		for (let seed = 0; seed < 100 * TIMES; seed++) {
			const { isRight, text } = tellStory(workflow, mode, seed);
			if (!isRight) throw new Error(`Story ${seed}\n${text}`);
		}
	};
	test('end with the students who have paid, each with a link', tell, 300_000 * TIMES);
});

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

describe('one sale', () => {
	let world = newWorld(workflow);
	beforeEach(() => void (world = newWorld(workflow)));
	const execute = (sale?: object) => executeAlone(workflow, world, sale);
	const sales = () => world.tables.class_sales!.rows;
	const students = () => world.tables.class_students!.rows;
	/** What an owner adds to class_sales. */
	const byHand = (row: object) => world.tables.class_sales!.insert(row, world.now);
	/** Does something while the requests end so. */
	const during = <T>(outcome: Outcome, work: () => T) => {
		world.service.outcome = () => outcome;
		const result = work();
		world.service.outcome = () => 'done';
		return result;
	};

	test.each([
		['several codes, in any case', ' a , B', { c1: '2027-03-01', c2: '2026-04-01' }],
		['a list', '["ALSO a"]', { c1: '2027-03-01' }],
		['a code with a blank in it', '["b ","also AB"]', { c1: '2026-09-01', c2: '2026-09-01' }],
		['two products of one class, for the longer', 'A,AB', { c1: '2027-03-01', c2: '2026-09-01' }],
		['a product without months, for a year', 'year', { c1: '2027-03-01' }],
	])('adds to the classes of %s', (_, products, ends) => {
		world.tables.class_products!.insert({ product: 'year', classId: 'c1', months: null }, 0);
		expect(execute({ ...SALE, products })).toMatchObject({ result: 'added' });
		expect(world.service.students.size).toBe(Object.keys(ends).length);
		for (const [id, end] of Object.entries(ends))
			expect(world.service.students.get(`ana@example.com ${id}`)).toContain(end);
	});

	test.each([
		['no code', { products: '' }, 'Unknown product: without-code.'],
		['an item without a code', { products: '["A",null]' }, 'Unknown product: without-code.'],
		['an unknown product', { products: 'A,Z' }, 'Unknown product: z.'],
		['no payment ID', { paymentId: '' }, 'The payment ID is missing.'],
		['an object as payment ID', { paymentId: {} }, 'The payment ID is missing.'],
		['another status', { status: 'pending' }, 'The status is neither'],
		['no address', { email: 'ana' }, 'No email address: "ana".'],
		['no date', { paidAt: 'yesterday' }, 'A date is invalid'],
	])('fails with %s', (_, changes, problem) => {
		const reason = expect.stringContaining(problem) as string;
		expect(execute({ ...SALE, ...changes })).toMatchObject({ result: 'failed', reason });
		expect(world.service.requests).toEqual([]);
	});

	test('fails with several sales at once', () => {
		const execution = new Execution(workflow, world, 'Sale');
		const item = { json: { ...SALE, returnFailure: true } };
		Array.from(execution.start([item, item]));
		expect(execution.output).toMatchObject([{ json: { result: 'failed' } }]);
		expect(world.service.requests).toEqual([]);
	});

	test.each([10_000_000, 0, 0.5])('fails with %j months', (months) => {
		world.tables.class_products!.insert({ product: 'wrong', classId: 'c1', months }, 0);
		const reason = expect.stringContaining('from 1 to 1200') as string;
		expect(execute({ ...SALE, products: 'wrong' })).toMatchObject({ result: 'failed', reason });
	});

	test('says a rejection for good once, until the owner corrects the row', () => {
		world.service.outcome = () => 'rejected';
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		const what = 'add Ana ana@example.com to class c1: Rejected';
		const problem = expect.stringContaining(what) as string;
		expect(students()).toMatchObject([{ end: null, problem }]);
		expect(sales()).toMatchObject([{ problem }]);
		execute();
		expect(world.service.requests).toHaveLength(1);
		Object.assign(sales()[0]!, { email: 'other@example.com', doneAt: null });
		expect(() => execute()).toThrow("Couldn't add Ana other@example.com to class c1: Rejected");
		execute();
		expect(world.service.requests).toHaveLength(2);
		world.service.outcome = () => 'done';
		sales()[0]!.doneAt = null;
		execute();
		expect(students()[1]).toMatchObject({
			problem: null,
			linkSentAt: expect.any(String) as string,
		});
		expect([...world.service.students.keys()]).toEqual(['other@example.com c1']);
	});

	test('records the rest of a payment weeks after n8n has died, also if the night did a part', () => {
		const sale = { ...SALE, products: 'AB' };
		executeAlone(workflow, world, sale, 'Record, item 1');
		expect(sales()).toHaveLength(1);
		world.now += DAY;
		execute();
		world.now += 20 * DAY;
		expect(execute(sale)).toMatchObject({ result: 'added' });
		const students = ['ana@example.com c1', 'ana@example.com c2'];
		expect([...world.service.students.keys()].sort()).toEqual(students);
	});

	test.each([
		['no other classes', 8, 'already processed', 1],
		['the classes of what is in another notification of it', 6, 'added', 2],
	])('gives an order %s after %i days', (_, days, result, count) => {
		execute(SALE);
		world.now += days * DAY;
		expect(execute({ ...SALE, products: 'B' })).toMatchObject({ result });
		expect(world.service.students.size).toBe(count);
	});

	test('keeps who was added by hand when a payment is sent again after its end', () => {
		world.service.students.set('ana@example.com c1', null);
		const sale = { ...SALE, paidAt: '2024-03-01T00:00:00Z' };
		expect(execute(sale)).toMatchObject({ result: 'ignored' });
		execute();
		execute({ ...sale, status: 'refunded' });
		expect(world.service.requests).toEqual([]);
	});

	test('adds at night who was entered by hand, until the end that was entered', () => {
		const until = new Date(world.now + 30 * DAY).toISOString();
		byHand({ paymentId: 'gift 1', classId: 'c1', email: ' Ana@example.com', until });
		execute();
		expect([...world.service.students]).toEqual([['ana@example.com c1', until]]);
		expect(world.service.links).toEqual(['ana@example.com']);
		world.now += 31 * DAY;
		execute();
		expect(world.service.students.size).toBe(0);
	});

	test('adds again at night who renewed while another night removed and died', () => {
		execute(SALE);
		world.now = Date.parse('2027-03-02T00:00:00Z');
		const night = begin(workflow, world);
		advance(night, 'Remove From Class');
		execute({ ...SALE, paymentId: 'p2', paidAt: '2027-03-02T00:00:00Z' });
		advance(night, 'Remove From Class, item 1');
		expect(world.service.students.size).toBe(0);
		execute();
		expect([...world.service.students.keys()]).toEqual(['ana@example.com c1']);
	});

	describe('of a class that is gone', () => {
		beforeEach(() => {
			execute(SALE);
			world.service.classes.shift();
		});

		test('is ended by the night, which has listed the classes', () => {
			world.now += 366 * DAY;
			execute();
			expect(students()).toMatchObject([{ end: null, checkAt: null }]);
		});

		test('is refunded by the night, when the refund itself has shown the rejection', () => {
			expect(execute(REFUND)).toMatchObject({ result: 'failed' });
			execute();
			expect(students()).toMatchObject([{ end: null, checkAt: null, problem: null }]);
			execute();
			expect(world.service.requests.slice(2)).toEqual([REMOVAL, REMOVAL]);
		});

		test('is refunded, but still open, if the platform lists the class', () => {
			world.service.listed = ['c1'];
			expect(execute(REFUND)).toMatchObject({ result: 'failed' });
			expect(() => execute()).toThrow('Not found');
			execute();
			const problem = expect.stringContaining('Not found') as string;
			expect(students()).toMatchObject([{ end: expect.any(String) as string, problem }]);
			expect(world.service.requests.slice(2)).toEqual([REMOVAL, REMOVAL]);
		});
	});

	test('shows a removal of who is surely in the class that is rejected', () => {
		execute(SALE);
		world.service.students.clear();
		expect(execute(REFUND)).toMatchObject({ result: 'failed' });
		const problem = expect.stringContaining("Couldn't remove") as string;
		expect(students()).toMatchObject([{ problem }]);
	});

	test.each([
		[{ classId: 'c9' }, 'Unknown class: "c9"'],
		[{ classId: '' }, 'The classId is missing.'],
		[{ email: 'ana' }, 'No email address: "ana".'],
		[{ months: 0.5 }, 'from 1 to 1200'],
		[{ kind: 'refund' }, 'Unknown kind: "refund"'],
		[{ kind: 'moved' }, 'There is no payment gift 1 of ana@example.com.'],
		[{ paymentId: '', email: '' }, 'No email address: "".'],
	])('says once that a row by hand with %j is wrong', (values, problem) => {
		byHand({ paymentId: 'gift 1', classId: 'c1', email: 'ana@example.com', ...values });
		expect(() => execute()).toThrow(problem);
		execute();
		expect(sales()).toMatchObject([{ problem: expect.stringContaining(problem) as string }]);
		expect(world.service.requests).toEqual([]);
	});

	test('fails at night if the platform lists no classes', () => {
		world.service.listed = [];
		expect(() => execute()).toThrow('lists no classes');
	});

	test('fails if it comes with another address after it was added, until the row says that it moved', () => {
		execute(SALE);
		const sale = { ...SALE, email: 'joana@example.com' };
		const reason = expect.stringContaining('The payment was added as ana@example.com.') as string;
		expect(execute(sale)).toMatchObject({ result: 'failed', reason });
		byHand({ paymentId: 'p1', kind: 'moved', email: 'Ana@example.com' });
		expect(execute(sale)).toMatchObject({ result: 'added' });
		expect([...world.service.students.keys()]).toEqual(['joana@example.com c1']);
		expect(world.service.links).toEqual(['ana@example.com', 'joana@example.com']);
	});

	test('sends the link with the next repeat when its sending failed', () => {
		const { requests } = world.service;
		world.service.outcome = () => (requests.at(-1)!.startsWith('sendMagicLink') ? 'down' : 'done');
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		world.service.outcome = () => 'done';
		world.now += 5_000;
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test('removes once, also if the refund is sent again', () => {
		execute(SALE);
		for (let times = 0; times < 3; times++) execute(REFUND);
		expect(world.service.requests.slice(2)).toEqual([REMOVAL]);
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
		execute();
		execute({ ...SALE, paymentId: 'p2', paidAt: '2027-03-02T00:00:00Z' });
		expect(world.service.links).toHaveLength(2);
	});

	test('sends each buyer a link at night', () => {
		for (const email of ['joana@example.com', 'ana@example.com']) {
			byHand({ paymentId: email, classId: 'c1', email, months: 12 });
			execute();
		}
		expect(world.service.links).toEqual(['joana@example.com', 'ana@example.com']);
	});

	test('sends one link also if a third payment is recorded when two others claim it', () => {
		const first = begin(workflow, world, { ...SALE, products: 'AB' });
		advance(first, 'Send Magic Link');
		const second = begin(workflow, world, { ...SALE, paymentId: 'p2' });
		advance(second, 'Finish');
		const third = begin(workflow, world, { ...SALE, paymentId: 'p3', products: 'B' });
		advance(third, 'Record, item 1');
		for (const left of [first, second, third]) advance(left);
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test('sends the link at night that the claim of another payment left out', () => {
		const other = { ...SALE, paymentId: 'p2', products: 'B' };
		const claiming = begin(workflow, world, other);
		advance(claiming, 'Send Magic Link');
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		execute({ ...other, status: 'refunded' });
		world.now += DAY;
		execute();
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test('has nothing to do in the night after a renewal, and removes when a refund has moved the end', () => {
		execute(SALE);
		execute({ ...SALE, paymentId: 'p2' });
		const before = world.service.requests.length;
		execute();
		expect(world.service.requests).toHaveLength(before);
		execute(REFUND);
		world.now = Date.parse('2027-03-02T00:00:00Z');
		execute();
		expect(world.service.students.size).toBe(0);
	});

	test('leaves open what another payment could not do for it', () => {
		advance(begin(workflow, world, SALE), 'Record, item 1');
		const other = { ...SALE, paymentId: 'p2' };
		expect(during('rejected', () => execute(other))).toMatchObject({ result: 'failed' });
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		expect(world.service.students.size).toBe(1);
	});

	test('is put right by its own repeat, if its request came late, and the one that puts it right failed', () => {
		const payment = begin(workflow, world, SALE);
		advance(payment, 'Add to Class');
		execute(SALE);
		execute({ ...SALE, paymentId: 'p2' });
		advance(payment, 'Add to Class, item 1');
		during('down', () => advance(payment));
		expect([...world.service.students.values()]).toEqual(['2027-03-01T23:59:59.999Z']);
		execute(SALE);
		expect([...world.service.students.values()]).toEqual(['2028-03-01T23:59:59.999Z']);
	});

	test.each(['ana@example.com', 'joana@example.com'])(
		'does what was rejected for good when the sale comes again with %s, and keeps this address',
		(email) => {
			expect(during('rejected', () => execute(SALE))).toMatchObject({ result: 'failed' });
			expect(execute({ ...SALE, email })).toMatchObject({ result: 'added' });
			expect(students().at(-1)).toMatchObject({ email, problem: null });
			expect(execute({ ...SALE, email: 'other@example.com' })).toMatchObject({ result: 'failed' });
			expect([...world.service.students.keys()]).toEqual([`${email} c1`]);
		},
	);

	test('keeps a refund that comes before an execution records its payment again', () => {
		const payment = begin(workflow, world, SALE);
		advance(payment, 'Record');
		execute(SALE);
		execute(REFUND);
		advance(payment);
		expect(world.service.students.size).toBe(0);
	});

	test('looks at night until the end, also where another execution has noted its removal', () => {
		execute(SALE);
		during('down', () => execute(REFUND));
		const night = begin(workflow, world);
		advance(night, 'Remove From Class');
		execute(REFUND);
		execute({ ...SALE, paymentId: 'p2' });
		advance(night);
		expect([...world.service.students.keys()]).toEqual(['ana@example.com c1']);
	});

	test('removes at night after a refund died, also if its payment was finished later', () => {
		const payment = begin(workflow, world, SALE);
		advance(payment, 'Finish');
		advance(begin(workflow, world, REFUND), 'Record, item 1');
		advance(payment);
		expect(world.service.students.size).toBe(1);
		execute();
		expect(world.service.students.size).toBe(0);
	});

	test('adds nobody at night for a payment that was recorded after its refund', () => {
		const payment = begin(workflow, world, SALE);
		advance(payment, 'Record');
		expect(execute(REFUND)).toMatchObject({ result: 'refunded' });
		advance(payment, 'Record, item 1');
		execute();
		expect(world.service.links).toEqual([]);
		expect(world.service.students.size).toBe(0);
	});

	/** Students who were added long ago. So many have ended. */
	const enter = (count: number, ended: number) => {
		for (let index = 0; index < count; index++) {
			const email = `student-${index}@example.com`;
			const end = new Date(world.now + (index < ended ? -DAY : 100 * DAY)).toISOString();
			const at = new Date(world.now - 400 * DAY).toISOString();
			const sale = { paymentId: `p${index}`, classId: 'c1', email, paidAt: at, until: end };
			world.tables.class_sales!.insert({ ...sale, doneAt: at }, world.now - 400 * DAY);
			const student = { email, classId: 'c1', end, checkAt: end, openedAt: at, linkSentAt: at };
			world.tables.class_students!.insert({ ...student, changedBy: '0' }, world.now - 400 * DAY);
			world.service.students.set(`${email} c1`, end);
		}
	};

	test('removes at night however many have ended, in portions', () => {
		enter(900, 200);
		const counts = [0, 1].map(() => (execute(), world.service.students.size));
		expect(counts).toEqual([750, 700]);
	});

	test('removes nobody if nearly all are to be removed at once, until an owner allows it', () => {
		enter(60, 30);
		expect(() => execute()).toThrow('30 of 60 students would be removed at once');
		byHand({ paymentId: 'gift', classId: 'c1', email: 'ana@example.com' });
		expect(() => execute()).toThrow('30 of 60');
		expect(world.service.students.size).toBe(61);
		byHand({ kind: 'allow' });
		execute();
		expect(world.service.students.size).toBe(31);
		world.now += 2 * DAY;
		execute();
		expect(sales().at(-1)).toMatchObject({ doneAt: expect.any(String) as string });
	});
});
