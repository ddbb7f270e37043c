import { type Item } from '../../canvas/execution';
import { advance, begin, newWorld, record } from '../../classAccess/story';
import { MINUTE, DAY, SALE, REFUND, failed, useClassAccess, workflow } from './fixture';

const GIFT = { classId: 'c1', email: 'ana@example.com' };
const ENDED = { kind: 'ended', ...GIFT };
const MOVED = { kind: 'moved', paymentId: 'p1', email: 'ana@example.com' };
const REFUNDED = { kind: 'refunded', paymentId: 'p1' };
/** Under the number of a payment. */
const PART = { ...GIFT, paymentId: 'p1' };
const TO_BOB = { ...MOVED, email: 'bob@example.com' };
const MISTYPED = { ...SALE, email: 'ana@exmaple.com' };
const LIFE = '9999-12-31';

const isDone = ([item]: Item[]) => item?.json.next === 'done';

describe('one sale', () => {
	const { world, execute, sales, students, byHand, carryOut, hour, afterTheLease, inClass } =
		useClassAccess();

	test('keeps who was added by hand when a payment is sent again after its end', () => {
		world.service.students.set('ana@example.com c1', null);
		const sale = { ...SALE, paidAt: '2024-03-01T00:00:00Z' };
		expect(execute(sale)).toMatchObject({ result: 'ignored', reason: 'The access has ended.' });
		hour();
		execute({ ...sale, status: 'refunded' });
		expect(world.service.requests).toEqual([]);
		expect(students()).toEqual([]);
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
				Object.assign(world, newWorld(workflow));
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

	test.each([
		[
			'lasts for its own months',
			[{ ...GIFT, classId: '', products: 'A', months: 3 }],
			'ana c1 2026-06-01',
		],
		['is a part of the payment that comes later', [PART, SALE], 'ana c1 2027-03-01'],
		[
			'keeps no months of that payment from counting',
			[{ ...PART, until: '2026-05-31' }, SALE],
			'ana c1 2027-03-01',
		],
		[
			'keeps its months beside a day of that payment',
			[
				{ ...PART, classId: 'c2' },
				{ ...SALE, until: '2026-04-30' },
			],
			'ana c1 2026-04-30, ana c2 2027-03-01',
		],
		['is refunded with that payment', [PART, REFUNDED, SALE], ''],
		['is refunded with it, if it is for life', [{ ...PART, until: LIFE }, REFUNDED, SALE], ''],
		['stays where that payment was moved', [PART, TO_BOB, SALE], 'bob c1 2027-03-01'],
		['stays there for life', [{ ...PART, until: LIFE }, TO_BOB, SALE], 'bob c1 9999-12-30'],
		[
			'ends when the last row says so',
			[SALE, { ...ENDED, until: '2026-05-31' }, { ...ENDED, until: '2026-08-31' }],
			'ana c1 2026-08-31',
		],
		['ends at once if the day is over', [SALE, { ...ENDED, until: '2026-02-20' }], ''],
		[
			'may have characters that nobody sees',
			[{ ...GIFT, kind: 'Given\u200b', classId: '\ufeffc1\u200b' }],
			'ana c1 2027-03-01',
		],
		[
			'ends with such characters',
			[GIFT, { ...ENDED, kind: '\u2060ended', classId: 'c1\u200b' }],
			'',
		],
		[
			'moves by its own number',
			[{ ...PART, email: 'ana@exmaple.com' }, MOVED],
			'ana c1 2027-03-01',
		],
		['is refunded by its own number', [PART, REFUNDED], ''],
		[
			'is refunded without the blank after its number',
			[{ ...PART, paymentId: 'p1 ' }, { ...GIFT, classId: 'c2' }, REFUNDED],
			'ana c2 2027-03-01',
		],
		[
			'moves a payment with blanks around its number',
			[MISTYPED, { ...MOVED, paymentId: ' p1 ' }],
			'ana c1 2027-03-01',
		],
		[
			'refunds all products',
			[
				{ ...SALE, products: '["A","B"]' },
				{ ...REFUNDED, products: 'b, a' },
			],
			'',
		],
		[
			'refunds the only class',
			[
				{ ...SALE, products: '["A","book"]' },
				{ ...REFUNDED, classId: 'c1' },
			],
			'',
		],
		[
			'moves a payment to where a gift was ended',
			[MISTYPED, GIFT, ENDED, MOVED],
			'ana c1 2027-03-01',
		],
		[
			'ends a payment that moves then',
			[MISTYPED, { ...ENDED, email: MISTYPED.email, until: '2026-05-31' }, SALE],
			'ana c1 2026-05-31',
		],
	])('by hand %s', (_, steps, accesses) => {
		world.tables.class_products!.insert({ product: 'book', classId: '-' }, 0);
		for (const step of steps) ('status' in step ? execute : carryOut)(step);
		const all = [...world.service.students].map(
			([access, end]) => `${access.replace('@example.com', '')} ${end!.slice(0, 10)}`,
		);
		expect(all.sort().join(', ')).toEqual(accesses);
	});

	describe('by hand', () => {
		test('prolongs to the 31st, also if a row between two months has given nothing', () => {
			const row = { email: 'ana@example.com', classId: 'c1' };
			byHand({ ...row, months: 1, paidAt: '2026-01-31' });
			byHand({ ...row, until: '2026-02-10', paidAt: '2026-02-01' });
			byHand({ ...row, months: 1, paidAt: '2026-02-15' });
			expect(hour).toThrow('Row 2 of class_sales');
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-03-31');
		});

		test('is left alone for ten minutes, as an owner may still be filling it in', () => {
			execute(SALE);
			const row = byHand({ kind: 'ended', email: 'ana@example.com', classId: 'c1' });
			execute();
			execute({ ...SALE, paymentId: 'p2', products: 'B' });
			expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
			row.until = new Date(world.now + 30 * DAY).toISOString();
			world.now += 11 * MINUTE;
			execute();
			expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
			expect(students()[0]).toMatchObject({ end: row.until });
		});

		test('is left alone for ten minutes if it refunds a payment that is not entered yet', () => {
			execute(SALE);
			const row = byHand({ kind: 'refunded' });
			execute();
			row.paymentId = 'p1';
			hour();
			expect(inClass()).toEqual([]);
		});

		test('is a failure if it was right, and is changed later to what nobody can read', () => {
			execute(SALE);
			sales()[0]!.until = '28/02/2028';
			const next = { ...SALE, paymentId: 'p2', products: 'B' };
			expect(execute(next)).toMatchObject(failed('Row 1 of class_sales: A date is invalid.'));
			expect(execute({ ...next, paymentId: 'p3' })).toMatchObject({ result: 'added' });
		});

		test('is carried out at once if an owner selects Execute workflow', () => {
			byHand({ email: 'ana@example.com', classId: 'c1' });
			advance(begin(workflow, world, undefined, 'test'));
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('adds until the end that was entered', () => {
			const until = new Date(world.now + 30 * DAY).toISOString();
			carryOut({ kind: ' Given ', classId: ' c1', email: ' Ana@Example.com', until });
			expect([...world.service.students]).toEqual([['ana@example.com c1', until]]);
			expect(world.service.links).toEqual(['ana@example.com']);
			world.now += 31 * DAY;
			hour();
			expect(world.service.students.size).toBe(0);
		});

		test('finds an address with decomposed letters, and remembers what it gave', () => {
			carryOut({ classId: 'c1', email: 'josé@example.com'.normalize('NFD') });
			execute({ ...SALE, email: 'josé@example.com', products: 'B' });
			expect([...world.service.students]).toEqual([
				['josé@example.com c1', '2027-03-01T23:59:59.999Z'],
				['josé@example.com c2', '2026-04-01T23:59:59.999Z'],
			]);
			expect(sales()).toMatchObject([{ doneAt: expect.any(String) as string }, {}]);
		});

		test.each([
			['of no class', { classId: '-' }, 'Unknown class: "-".'],
			['with a number that was pasted', { paymentId: 'p\u200b1' }, 'an invisible character'],
		])('fails %s', (_, values, problem) => {
			world.tables.class_products!.insert({ product: 'book', classId: '-' }, 0);
			byHand({ kind: 'given', email: 'ana@example.com', classId: 'c1', ...values });
			expect(() => hour()).toThrow(problem);
			expect(inClass()).toEqual([]);
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

		test('says how to end earlier what it does not prolong', () => {
			execute(SALE);
			byHand({ classId: 'c1', email: 'ana@example.com', until: '2026-09-30' });
			expect(hour).toThrow('already. To end it earlier, add a row of kind ended.');
		});

		test('ends the class that a product had before it was corrected', () => {
			const { id } = world.tables.class_products!.insert({ product: 'C', classId: 'c1' }, 0);
			execute({ ...SALE, products: 'C' });
			world.tables.class_products!.rows.find((row) => row.id === id)!.classId = 'c2';
			Object.assign(sales()[0]!, { classes: null, doneAt: null });
			hour();
			carryOut({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
			expect(inClass()).toEqual(['ana@example.com c2']);
		});

		test('ends nothing on a day that comes, if no sale gives it, and says so', () => {
			const student = { email: 'ana@example.com', classId: 'c2', inClass: true };
			world.tables.class_students!.insert(student, world.now);
			world.service.students.set('ana@example.com c2', null);
			byHand({ kind: 'ended', classId: 'c2', email: 'ana@example.com', until: '2027-12-31' });
			expect(hour).toThrow('so nothing ends');
			expect(inClass()).toEqual(['ana@example.com c2']);
			carryOut({ kind: 'ended', classId: 'c2', email: 'ana@example.com' });
			expect(inClass()).toEqual([]);
		});

		test.each(['busy', 'down', 'lost'] as const)(
			'ends in a later hour what no sale gives, if its removal was %s at first',
			(outcome) => {
				carryOut({ classId: 'c1', email: 'ana@example.com', until: '9999-12-31' });
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

		test.each([0, 6])('gives nothing twice, if a row is pasted again %i days later', (days) => {
			const row = { email: 'ana@example.com', classId: 'c1' };
			byHand({ ...row, kind: 'given' });
			world.now += days * DAY;
			byHand(row);
			expect(hour).toThrow('Row 2 of class_sales: It is the same as row 1, so it gives nothing.');
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
		});

		test('says once that a row which is corrected needs an empty doneAt', () => {
			const row = byHand({ email: 'ana@example.com', classId: 'c1', until: '31/12/2027' });
			byHand({ email: 'bob@example.com', classId: 'c1', months: 0 });
			expect(hour).toThrow(
				/^Row 1 .* If you correct something, empty the row's doneAt\. Row 2 .*: "0"\.$/,
			);
			Object.assign(row, { until: '2027-12-31', doneAt: null });
			hour();
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test.each(['Z', 'without-code'])(
			'says that its class is missing, also beside %s',
			(product) => {
				world.tables.class_products!.insert({ product, classId: '-' }, world.now);
				const row = byHand({ email: 'ana@example.com' });
				expect(hour).toThrow('Row 1 of class_sales: Enter a classId, then empty doneAt.');
				Object.assign(row, { classId: 'c1', doneAt: null });
				hour();
				expect(inClass()).toEqual(['ana@example.com c1']);
			},
		);

		test('gives nothing twice, if its code is typed again with capitals', () => {
			byHand({ email: 'ana@example.com', products: 'also a' });
			byHand({ email: ' Ana@example.com', products: 'Also  A' });
			expect(hour).toThrow('Row 2 of class_sales: It is the same as row 1, so it gives nothing.');
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
		});

		test('gives nothing twice, if a row with a number is recorded twice', () => {
			const row = { email: 'ana@example.com', classId: 'c1', paymentId: 'gift 1' };
			byHand(row);
			expect(() => carryOut(row)).toThrow('It is the same as row 1, so it gives nothing.');
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
		});

		test('gives what a row says that is the same as one that gave nothing', () => {
			const row = { email: 'ana@example.com', products: 'Z' };
			expect(() => carryOut(row)).toThrow('Unknown product');
			world.tables.class_products!.insert({ product: 'Z', classId: 'c1' }, world.now);
			carryOut(row);
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('gives what a row says that was entered anew because the first one was wrong', () => {
			byHand({ email: 'ana@example.com', products: 'Z' });
			expect(hour).toThrow('Unknown product');
			const row = { email: 'ana@example.com', classId: 'c1' };
			byHand({ ...row, months: 0 });
			expect(() => carryOut(row)).toThrow("Row 2 of class_sales: The months aren't");
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test.each([
			['of other months', { months: 1 }, 0, '2027-04-01'],
			['until a day', { until: '2029-01-31' }, 0, '2029-01-31'],
			['weeks later', {}, 20, '2028-03-01'],
			['of another payment', { kind: 'paid', paidAt: '2026-02-01' }, 0, '2028-02-01'],
		])('gives what a similar row %s says, too', (_, changes, days, end) => {
			const row = { email: 'ana@example.com', classId: 'c1' };
			carryOut(row);
			world.now += days * DAY;
			carryOut({ ...row, ...changes });
			expect(world.service.students.get('ana@example.com c1')).toContain(end);
		});

		test.each([{ classId: 'c1' }, { products: 'A' }])(
			'gives %j again after it has ended, and not while its end is to come',
			(what) => {
				const row = { email: 'ana@example.com', ...what };
				carryOut(row);
				carryOut({ kind: 'ended', email: 'ana@example.com', classId: 'c1', until: '2026-03-03' });
				expect(() => carryOut(row)).toThrow('It is the same as row 1, so it gives nothing.');
				world.now += 3 * DAY;
				hour();
				expect(inClass()).toEqual([]);
				carryOut(row);
				expect(inClass()).toEqual(['ana@example.com c1']);
			},
		);

		test('prolongs, ends, and begins again', () => {
			execute(SALE);
			carryOut({ classId: 'c1', email: 'ana@example.com', months: 1 });
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-04-01');
			carryOut({ kind: 'ended', classId: 'c1', email: 'ana@example.com', until: '2026-05-31' });
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-05-31');
			carryOut({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
			expect(inClass()).toEqual([]);
			world.now += DAY;
			execute({ ...SALE, paymentId: 'p2', products: 'AB', paidAt: '2026-03-02T00:00:00Z' });
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-09-02');
		});

		test.each(['ana@exmaple.com', ''])(
			'stays at the address to which a number with a blank around it has moved it (refunded by "%s")',
			(email) => {
				execute({ ...SALE, email: 'ana@exmaple.com' });
				carryOut({ kind: 'moved', paymentId: '\u00a0p1 ', email: 'ana@example.com' });
				execute({ ...SALE, email: 'ana@exmaple.com' });
				expect(inClass()).toEqual(['ana@example.com c1']);
				expect(execute({ ...REFUND, email })).toMatchObject({ result: 'removed' });
				expect(inClass()).toEqual([]);
			},
		);

		test('moves a payment to another address, with a link', () => {
			execute({ ...SALE, email: 'ana@exmaple.com' });
			carryOut({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
			expect(inClass()).toEqual(['ana@example.com c1']);
			expect(world.service.links).toEqual(['ana@exmaple.com', 'ana@example.com']);
			// A repeat of the first notification moves nothing back.
			expect(execute({ ...SALE, email: 'ana@exmaple.com' })).toMatchObject({
				result: 'already processed',
			});
			execute({ ...REFUND, email: '' });
			expect(inClass()).toEqual([]);
		});

		test('says how to move a payment that came only after the row', () => {
			expect(() => carryOut(MOVED)).toThrow('There was no payment p1 when this row was added.');
			execute(MISTYPED);
			sales()[0]!.doneAt = null;
			expect(hour).toThrow('add this row again after it');
			carryOut(MOVED);
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('says that nothing ends at the former address of a payment', () => {
			execute({ ...SALE, email: 'ana@exmaple.com' });
			execute(SALE);
			byHand({ kind: 'ended', classId: 'c1', email: 'ana@exmaple.com' });
			expect(hour).toThrow('gives ana@exmaple.com no access to class "c1"');
			execute({ ...SALE, paymentId: 'p2', products: 'B' });
			expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		});

		test.each([
			['an address that is none', { email: 'ana@example' }],
			['no address', { email: '' }],
		])('moves a payment with %s', (_, wrong) => {
			expect(execute({ ...SALE, ...wrong })).toMatchObject({ result: 'failed' });
			carryOut({ kind: 'moved', paymentId: 'p1', email: 'ana@example.com' });
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
			[{ kind: 'paid', products: '11' }, 'Enter products or a classId, not both.'],
			[{ months: 3, until: '2027-01-31' }, 'Enter months or until, not both.'],
			[{ until: '2207-01-31' }, 'until is in the year 2207'],
			[{ paidAt: '2062-01-31' }, 'paidAt is in the future: "2062-01-31"'],
			[{ kind: 'moved', paymentId: 'p9' }, 'There was no payment p9 when'],
			[{ kind: 'moved' }, 'Enter the paymentId'],
			[{ kind: 'refunded' }, 'Enter the paymentId'],
			[{ kind: 'refunded', paymentId: 'p9' }, 'There was no payment p9 yet.'],
			[{ kind: 'ended', classId: '' }, 'Enter the classId'],
			[{ kind: 'ended', email: 'ana' }, "Enter the buyer's address"],
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

		test('keeps what it gave if its months are corrected, and says how that counts', () => {
			carryOut({ classId: 'c1', email: 'ana@example.com', months: 120 });
			sales()[0]!.doneAt = null;
			hour();
			Object.assign(sales()[0]!, { months: 12, doneAt: null });
			expect(hour).toThrow('Empty classes, too');
			expect(world.service.students.get('ana@example.com c1')).toContain('2036-03-01');
			Object.assign(sales()[0]!, { classes: null, doneAt: null });
			hour();
			expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
		});

		test('keeps its months if they are emptied, and says so', () => {
			carryOut({ classId: 'c1', email: 'ana@example.com', months: 2 });
			Object.assign(sales()[0]!, { months: null, doneAt: null });
			expect(hour).toThrow('Empty classes, too');
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-05-01');
		});

		test('lasts until a day that is entered in place of its months, and says nothing', () => {
			carryOut({ classId: 'c1', email: 'ana@example.com', months: 2 });
			Object.assign(sales()[0]!, { months: null, until: '2026-08-31', doneAt: null });
			hour();
			expect(world.service.students.get('ana@example.com c1')).toContain('2026-08-31');
		});

		test.each([
			['another one', { classId: 'c1' }, { classId: 'c2' }, ['c1']],
			['another product', { products: 'A' }, { products: 'B' }, ['c1', 'c2']],
			['a product', { classId: 'c1' }, { classId: '', products: 'B' }, ['c1', 'c2']],
		])('keeps the class that it gave if %s is entered, and says so', (_, first, then, classes) => {
			carryOut({ ...first, email: 'ana@example.com' });
			Object.assign(sales()[0]!, { ...then, doneAt: null });
			expect(hour).toThrow('A class that it gave by mistake needs a row of kind ended.');
			expect(inClass()).toEqual(classes.map((classId) => `ana@example.com ${classId}`));
		});

		test.each([0, 1])('says what to do if the kind of row %i is changed to refunded', (index) => {
			execute(SALE);
			execute({ ...SALE, products: 'A,B' });
			const { kind } = sales()[index]!;
			const both = inClass();
			Object.assign(sales()[index]!, { kind: 'refunded', doneAt: null });
			expect(hour).toThrow('This row has given access, which is kept.');
			expect(inClass()).toEqual(both);
			Object.assign(sales()[index]!, { kind, doneAt: null });
			carryOut({ kind: 'refunded', paymentId: 'p1' });
			expect(inClass()).toEqual([]);
		});

		test.each([{ products: 'A' }, { email: 'eva@example.com' }])(
			'is silent if it gave no class before it is corrected to %j',
			(then) => {
				world.tables.class_products!.insert({ product: 'book', classId: '-' }, 0);
				carryOut({ products: 'book', email: 'ana@example.com' });
				Object.assign(sales()[0]!, { ...then, doneAt: null });
				hour();
				expect(sales()).toMatchObject([{ problem: null }]);
			},
		);

		test('gives it to the address to which a row is corrected, and says who keeps it, too', () => {
			carryOut({ classId: 'c1', email: 'eva@example.com' });
			Object.assign(sales()[0]!, { email: 'eve@example.com', doneAt: null });
			expect(hour).toThrow('eva@example.com keeps what it gave before');
			expect(inClass()).toEqual(['eva@example.com c1', 'eve@example.com c1']);
			sales()[0]!.doneAt = null;
			carryOut({ kind: 'ended', classId: 'c1', email: 'eva@example.com' });
			expect(inClass()).toEqual(['eve@example.com c1']);
		});

		test.each([
			[ENDED, { email: 'bob@example.com' }],
			[ENDED, { email: '' }],
			[REFUNDED, { paymentId: 'p2' }],
		])('%j gives back what it took from another buyer, if it is corrected to %j', (row, then) => {
			execute(SALE);
			execute({ ...SALE, paymentId: 'p2', email: 'bob@example.com', name: 'Bob' });
			carryOut(row);
			expect(inClass()).toEqual(['bob@example.com c1']);
			Object.assign(sales()[2]!, { ...then, doneAt: null });
			try {
				hour();
			} catch (error) {
				expect(String(error)).toContain('so nothing ends');
			}
			expect(inClass()).toContain('ana@example.com c1');
			expect(world.service.links).toHaveLength(2);
		});

		test('gives back what it took in a later hour, if that buyer is locked when it is corrected', () => {
			execute(SALE);
			carryOut(ENDED);
			Object.assign(sales()[1]!, { email: 'bob@example.com', doneAt: null });
			const lockedUntil = new Date(world.now + 20 * MINUTE).toISOString();
			Object.assign(world.tables.class_buyers!.rows[0]!, { lockedBy: '0', lockedUntil });
			hour();
			expect(inClass()).toEqual([]);
			expect(hour).toThrow('gives bob@example.com no access');
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('says who keeps a payment that it moved to another address before it is corrected', () => {
			execute(SALE);
			carryOut(TO_BOB);
			Object.assign(sales()[1]!, { email: 'eva@example.com', doneAt: null });
			expect(hour).toThrow('bob@example.com keeps what it gave before.');
			expect(inClass()).toEqual(['bob@example.com c1', 'eva@example.com c1']);
			carryOut({ ...ENDED, email: 'bob@example.com' });
			Object.assign(sales()[1]!, { email: 'joana@example.com', doneAt: null });
			expect(hour).toThrow('eva@example.com keeps what it gave before.');
			expect(inClass()).toEqual(['eva@example.com c1', 'joana@example.com c1']);
		});

		test.each([{ email: '' }, { paymentId: 'p9' }])(
			'gives back what it refunded, if it is corrected to what nobody has (%j)',
			(then) => {
				execute(SALE);
				carryOut(then.paymentId ? REFUNDED : ENDED);
				Object.assign(sales()[1]!, { ...then, doneAt: null });
				expect(hour).toThrow('Row 2 of class_sales');
				expect(inClass()).toEqual(['ana@example.com c1']);
				hour();
			},
		);

		test.each(['p2', 'p1'])(
			'says whose payment counts no more, as an earlier row has its number (%s at first)',
			(paymentId) => {
				const row = byHand({ email: 'bob@example.com', classId: 'c2', paymentId });
				execute(SALE);
				if (paymentId !== 'p1') hour();
				Object.assign(row, { paymentId: 'p1', doneAt: null });
				expect(hour).toThrow('Row 2 of class_sales: Payment p1 was made by bob@example.com');
				expect(inClass()).toEqual(['ana@example.com c1', 'bob@example.com c2']);
				hour();
			},
		);

		test('gives back what it moved by a wrong number, and says who keeps it, too', () => {
			execute(SALE);
			execute({ ...SALE, paymentId: 'p2', products: 'B', email: 'bob@exmaple.com', name: 'Bob' });
			carryOut(TO_BOB);
			Object.assign(sales()[2]!, { paymentId: 'p2', doneAt: null });
			expect(hour).toThrow('bob@example.com keeps what it gave before.');
			const classes = ['ana@example.com c1', 'bob@example.com c1', 'bob@example.com c2'];
			expect(inClass()).toEqual(classes);
		});

		test('says who keeps a payment that it moved also if it is wrong now', () => {
			execute(SALE);
			carryOut(TO_BOB);
			Object.assign(sales()[1]!, { email: '', doneAt: null });
			expect(hour).toThrow(/has no email address\..* bob@example.com keeps what it gave before/);
			expect(inClass()).toEqual(['ana@example.com c1', 'bob@example.com c1']);
			hour();
		});

		test('is silent if it moved nothing before it is corrected', () => {
			execute(SALE);
			expect(() => carryOut({ ...TO_BOB, paymentId: 'p9' })).toThrow('There was no payment p9');
			Object.assign(sales()[1]!, { ...TO_BOB, email: 'eva@example.com', doneAt: null });
			hour();
			expect(inClass()).toEqual(['eva@example.com c1']);
		});

		describe('of a student whom somebody has removed on the learning platform', () => {
			beforeEach(() => {
				execute(SALE);
				world.service.students.clear();
			});

			test('adds them again, without a link, once its doneAt is emptied', () => {
				hour();
				expect(inClass()).toEqual([]);
				sales()[0]!.doneAt = null;
				hour();
				expect(inClass()).toEqual(['ana@example.com c1']);
				hour();
				expect(world.service.links).toHaveLength(1);
				expect(world.service.requests).toHaveLength(3);
			});

			test('adds them again with the same end, after they could not be removed', () => {
				expect(() => carryOut(ENDED)).toThrow('The student is not in the class');
				carryOut({ ...GIFT, until: '2027-03-01' });
				expect(inClass()).toEqual(['ana@example.com c1']);
				expect(students()).toMatchObject([{ problem: null }]);
			});
		});

		test('keeps who was added by hand after the end, also if doneAt of their row is emptied', () => {
			execute(SALE);
			world.now = Date.parse('2027-03-02T00:00:00Z');
			hour();
			world.service.students.set('ana@example.com c1', null);
			sales()[0]!.doneAt = null;
			hour();
			expect(inClass()).toEqual(['ana@example.com c1']);
		});

		test('says who keeps what a row gave, also if another cell of it is wrong at first', () => {
			carryOut({ ...GIFT, email: 'eva@example.com' });
			Object.assign(sales()[0]!, { email: 'eve@example.com', until: 'x', doneAt: null });
			expect(hour).toThrow('A date is invalid');
			Object.assign(sales()[0]!, { until: '2027-12-31', doneAt: null });
			expect(hour).toThrow('eva@example.com keeps what it gave before');
		});

		test('says that a row which is corrected gives nothing, as a later one has ended it', () => {
			execute(SALE);
			expect(execute({ ...SALE, paymentId: 'p2', products: 'X' })).toMatchObject(failed('Unknown'));
			carryOut({ kind: 'ended', classId: 'c1', email: 'ana@example.com' });
			world.tables.class_products!.insert({ product: 'X', classId: 'c1' }, 0);
			sales()[1]!.doneAt = null;
			expect(hour).toThrow('A later row of kind ended ends what payment p2 gives of class c1');
			expect(inClass()).toEqual([]);
			hour();
		});

		test('leaves a row alone that an owner was still filling in when the round began', () => {
			byHand({ classId: 'c1', email: 'ana@example.com' });
			world.now += 2 * MINUTE;
			byHand({ classId: 'c2', email: 'ana@example.com' });
			world.service.outcome = () => {
				world.now += 3 * MINUTE;
				return 'done';
			};
			world.now -= 2 * MINUTE;
			hour();
			world.service.outcome = () => 'done';
			hour();
			expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
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
			const wouldRemove = ['Ana ana@example.com from class c1'];
			expect(byPerson.execution.output).toMatchObject([{ json: { result: 'done', wouldRemove } }]);
			carryOut({ kind: 'refunded', paymentId: 'p1' });
			expect(inClass()).toEqual(['joana@example.com c2']);
		});

		test('says whom it would remove also if something fails', () => {
			execute(SALE);
			world.now = Date.parse('2027-03-02T00:00:00Z');
			byHand({ classId: 'c9', email: 'joana@example.com' });
			const byPerson = begin(workflow, world, undefined, 'test');
			expect(() => advance(byPerson)).toThrow(
				/Unknown class: "c9".* Every Hour would remove Ana ana@example\.com from class c1\.$/,
			);
		});
	});

	test.each([
		['a date that is none', { paidAt: '01/03/2026' }],
		['an end before it', { until: '2026-02-28' }],
	])('is given when it is corrected after a row with %s', (_, wrong) => {
		expect(execute({ ...SALE, ...wrong })).toMatchObject({ result: 'failed' });
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		expect(world.service.students.get('ana@example.com c1')).toContain('2027-03-01');
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

	test('removes nobody whom an owner has entered without an end', () => {
		const student = { email: 'ana@example.com', classId: 'c2', inClass: true };
		world.tables.class_students!.insert(student, world.now);
		world.service.students.set('ana@example.com c2', null);
		execute(SALE);
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
	});
});
