import { Settings } from 'luxon';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	CORRECT,
	END,
	fieldsFor,
	GIVE,
	introduce,
	LINK,
	toFormJson,
} from '../../examples/byHand/form';
import { describeBook } from '../../examples/byHand/describeBook';
import { describeResult, type Answers } from '../../examples/byHand/describeResult';
import { readForm } from '../../examples/byHand/readForm';
import { toClasses } from '../../examples/byHand/products';
import { toRecord } from '../../examples/byHand/toRecord';
import type { Workflow } from '../n8n/workflows';

beforeAll(() => void (Settings.defaultZone = 'America/Sao_Paulo'));

const NOW = Date.parse('2027-02-01T12:00:00Z');
const PYTHON = { id: 'class-python', name: 'Python' };
const OLD = 'old@example.com';
const NEW = 'new@example.com';
const DETAILS = {
	Class: 'Python (class-python)',
	Name: 'Ana',
	'New address': NEW,
	'Access until the end of': '2027-12-31',
	submittedAt: '2027-02-01T12:00:00Z',
};

const read = (action: string, details: object = DETAILS, hasBook = false) =>
	readForm(
		{ Email: OLD, 'What to do': action },
		details as Record<string, unknown>,
		[PYTHON],
		NOW,
		hasBook,
	);
const labelsOf = (action: string, hasBook = false) =>
	fieldsFor(action, [PYTHON], hasBook).map(({ fieldLabel }) => fieldLabel);

test.each([
	{ id: 'a', name: ' Python' },
	{ id: 'a', name: '' },
	{ id: 'a', name: 'Inglês'.normalize('NFD') },
])('the class %p can be chosen', (chosen) => {
	const [, field] = fieldsFor(GIVE, [chosen]);
	const details = { ...DETAILS, Class: field!.fieldOptions!.values[0]!.option };
	const first = { Email: OLD, 'What to do': GIVE };
	expect(readForm(first, details, [chosen], NOW)).toMatchObject({ next: 'add', classId: 'a' });
});

test("a class with dollar signs in its name can be chosen, also if n8n's form puts the fields in place of a text", () => {
	const fields = fieldsFor(END, [{ id: 'a', name: "Earn $$$ & $' $& $` $1" }]);
	expect(JSON.parse('[fields]'.replace('[fields]', toFormJson(fields)))).toEqual(fields);
});

test('access may be for ever', () => {
	const details = { ...DETAILS, 'Access until the end of': '9999-12-31' };
	const task = read(GIVE, details);
	expect(task.until).toBe('9999-12-30T00:00:00.000Z');
	const { message } = describeResult(task, { added: { success: true } });
	expect(message).toContain(`${OLD} has access to Python for ever.`);
});

test('each action asks for what it needs', () => {
	expect(labelsOf(LINK)).toEqual([]);
	expect(labelsOf(END)).toEqual(['Class']);
	expect(labelsOf(GIVE)).toEqual(['Name', 'Class', 'Access until the end of']);
	expect(labelsOf(CORRECT)[0]).toBe('New address');
	expect(labelsOf(CORRECT, true)).toEqual(['New address', 'Name']);
	// The node's failure takes the place of the list.
	expect(fieldsFor(END, [{}])[0]).toMatchObject({ fieldLabel: 'Class ID', fieldType: 'text' });
});

test('the second page says what to know before', () => {
	const about = (action: string, classes: object[] = [PYTHON], hasBook = false) =>
		introduce(action, OLD, classes, hasBook);
	expect(about(GIVE)).toBe(
		`${OLD}\nIf they have access already, the day that you enter may replace theirs, also a later one.`,
	);
	expect(about(END)).toBe(`${OLD}\nYou can't undo this.`);
	expect(about(CORRECT)).toBe(
		`${OLD}\nLook in your learning platform first: the day that you enter replaces the old one.`,
	);
	// The book of sales knows the end.
	expect(about(GIVE, [PYTHON], true)).toBe(OLD);
	expect(about(CORRECT, [PYTHON], true)).toBe(OLD);
	expect(about(LINK, [{}])).toBe(OLD);
	expect(about(END, [{}])).toBe(
		`${OLD}\nYou can't undo this.\nThe classes can't be listed now. Try later, or enter the class ID from your learning platform.`,
	);
	expect(about(GIVE, [], true)).toBe(
		`${OLD}\nclass_products has no class. Add one there, or enter the class ID from your learning platform.`,
	);
});

test.each([
	[GIVE, { ...DETAILS, 'Access until the end of': '' }, 'Enter the last day of access.'],
	[GIVE, { ...DETAILS, 'Access until the end of': '2027-01-31' }, '2027-01-31 is over.'],
	[GIVE, { ...DETAILS, 'Access until the end of': '31/12/2027' }, '31/12/2027'],
	[GIVE, { ...DETAILS, 'Access until the end of': '2207-12-31' }, 'in the year 2207'],
	[END, { ...DETAILS, Class: '' }, 'Choose a class.'],
	[CORRECT, { ...DETAILS, 'New address': ' OLD@example.com' }, 'Both addresses are the same.'],
])('%s with %p does nothing', (action, details, problem) => {
	const task = read(action, details);
	expect(task.next).toBe('stop');
	expect(task.problem).toContain(problem);
	expect(describeResult(task, {}).title).toBe('Nothing was done');
});

// n8n's forms take no quote and no letters of other scripts in a field of the type email, and no mistyped address, which is corrected.
test.each(['by-hand', 'by-hand-with-class-access'])('any address can be entered in %s', (name) => {
	const file = join(__dirname, `../../examples/${name}.json`);
	const workflow = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
	const form = JSON.stringify(workflow.nodes.find((node) => node.name === 'One Person'));
	expect(form).not.toContain('"fieldType":"email"');
	for (const hasBook of [false, true])
		expect(fieldsFor(CORRECT, [PYTHON], hasBook)[0]).toMatchObject({ fieldType: 'text' });
});

test.each([GIVE, END, LINK, CORRECT])('%s does nothing with what is no address', (action) => {
	const stops = (email: string, newEmail: string, hasBook: boolean) => {
		const first = { Email: email, 'What to do': action };
		const details = { ...DETAILS, 'New address': newEmail };
		return readForm(first, details, [PYTHON], NOW, hasBook).problem;
	};
	for (const hasBook of [false, true]) {
		expect(stops("o'brien@exämple.com", NEW, hasBook)).toBe('');
		// What is in the book of sales is corrected, whatever it is.
		const mayBeWrong = action === CORRECT && hasBook;
		const says = mayBeWrong ? '' : '"ana@example,com" is not an email address.';
		expect(stops('ana@example,com', NEW, hasBook)).toBe(says);
		if (action === CORRECT)
			expect(stops(OLD, 'ana@example,com', hasBook)).toBe(
				'"ana@example,com" is not an email address.',
			);
	}
});

// Then n8n goes on with what came into it.
test.each([GIVE, END, LINK, CORRECT])(
	'%s does nothing if its page is left for an hour',
	(action) => {
		const left = { fields: '[]', introduction: OLD };
		for (const hasBook of [false, true])
			expect(read(action, left, hasBook)).toMatchObject({
				next: 'stop',
				problem: 'The page was left for more than an hour. Begin again.',
			});
	},
);

const ADDED: Answers = { added: { success: true } };
const CORRECTED: Answers = { ...ADDED, removed: { deleted: true } };
const half = (outcome: string): Answers => ({ ...ADDED, removed: { error: 'No.', outcome } });
test.each<[string, Answers, string, string]>([
	[GIVE, ADDED, 'Added', 'until the end of'],
	[GIVE, ADDED, 'Added', 'choose "Send a new link"'],
	[GIVE, { added: { error: 'Down', outcome: 'notProcessed' } }, 'Not added', 'Down'],
	[GIVE, { added: {} }, 'Unknown if added', 'no answer'],
	[END, { removed: { deleted: true } }, 'Removed', 'no longer has access to Python'],
	[LINK, { sent: { success: true } }, 'Sent', `If a student has the address ${OLD}`],
	[LINK, { sent: { error: 'Lost', outcome: 'unknown' } }, 'Unknown if sent', 'Lost'],
	[CORRECT, CORRECTED, 'Corrected', OLD],
	[CORRECT, CORRECTED, 'Corrected', 'choose "Send a new link"'],
	[CORRECT, { added: { error: 'No', outcome: 'rejected' } }, 'Rejected', `${OLD} wasn't touched`],
	[CORRECT, half('rejected'), 'Half done: the old address is rejected', `${NEW} has access`],
	[
		CORRECT,
		half('rejected'),
		'Half done: the old address is rejected',
		`If the class or the old address is wrong, choose "End access" for ${NEW} in Python, unless they were in it before, and begin again.`,
	],
	[
		CORRECT,
		half('notProcessed'),
		'Half done: the old address is not removed',
		`Choose "End access" for ${OLD} later.`,
	],
	[
		CORRECT,
		half('unknown'),
		'Half done: the old address is unknown if removed',
		`If ${OLD} is still in Python, choose "End access" for it.`,
	],
])('%s with %p says %p', (action, answers, title, message) => {
	const page = describeResult(read(action), answers);
	expect(page.title).toBe(title);
	expect(page.message).toContain(message);
});

test('says that no name was given', () => {
	const NO_NAME = 'No name was given: a new student has none.';
	const given = (Name: string) => read(GIVE, { ...DETAILS, Name });
	expect(describeResult(given(' '), ADDED).message).toContain(NO_NAME);
	expect(describeResult(given('Ana'), ADDED).message).not.toContain(NO_NAME);
	expect(describeBook(given(''), { result: 'added' }).message).toContain(NO_NAME);
	expect(describeBook(given('Ana'), { result: 'added' }).message).not.toContain(NO_NAME);
});

test('with Class access, each action is a row of the book of sales', () => {
	const rowsOf = (action: string) => toRecord(read(action, DETAILS, true), [], '2027-02-01');
	expect(rowsOf(GIVE)).toMatchObject([
		{
			next: 'record',
			kind: 'given',
			email: OLD,
			name: 'Ana',
			classId: PYTHON.id,
			until: '2028-01-01T02:59:59.999Z',
			paymentId: 'by hand 2027-02-01',
		},
	]);
	expect(rowsOf(END)).toMatchObject([{ kind: 'ended', email: OLD, classId: PYTHON.id }]);
	expect(rowsOf(LINK)).toEqual([{ next: 'link', email: OLD }]);
	expect(rowsOf(CORRECT)).toMatchObject([{ next: 'stop' }]);
});

// Of a renewal, the first payment alone has ended, and the hour leaves new rows by hand alone for ten minutes.
test('Class access is called with all rows of a correction', () => {
	const file = join(__dirname, '../../examples/by-hand-with-class-access.json');
	const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
	const once = nodes.filter(({ executeOnce }) => executeOnce).map(({ name }) => name);
	expect(once).toEqual(['Classes', 'Their Sales']);
});

describe('with Class access, a correction moves', () => {
	const PAID = { kind: 'paid', products: '["p"]', createdAt: '2027-01-01T10:00:00Z' };
	const DONE = { doneAt: '2027-01-01T10:00:01Z' };
	const GIFTS = { ...DONE, classes: '[{"classId":"class-python","months":12}]' };
	const record = (rows: object[]) => {
		const numbered = rows.map((row, index) => ({ id: index + 1, ...PAID, ...row }));
		return toRecord(read(CORRECT, DETAILS, true), numbered, '2027-02-01');
	};
	const moved = (rows: object[]) =>
		record(rows).map((step) => (step.next === 'record' ? step.paymentId : step));

	test('each payment of the old address once', () => {
		const rows = [
			{ email: OLD.toUpperCase(), paymentId: '1' },
			{ email: OLD, paymentId: '1' },
			{ email: OLD, paymentId: '2' },
			// The search also finds addresses that contain this one.
			{ email: `very.${OLD}`, paymentId: '3' },
			{},
		];
		expect(record(rows)).toMatchObject([
			{ kind: 'moved', email: NEW, paymentId: '1' },
			{ kind: 'moved', email: NEW, paymentId: '2' },
		]);
	});

	test('what has no valid address yet', () => {
		const task = { ...read(CORRECT, DETAILS, true), oldEmail: 'ana@example' };
		const rows = [{ id: 1, ...PAID, email: 'ana@example', paymentId: '1' }];
		expect(toRecord(task, rows, '2027-02-01')).toMatchObject([{ paymentId: '1' }]);
	});

	test('no payment that is of another address by now', () => {
		const other = { email: OLD, paymentId: '2' };
		const child = 'child@example.com';
		const gift = [
			{ email: OLD, paymentId: '1' },
			{ email: child, paymentId: '1', kind: 'moved', products: '' },
		];
		expect(moved([...gift, other])).toEqual(['2']);
		// Two shops use the same number.
		const foreign = [
			{ email: child, paymentId: '1', products: '["q"]' },
			{ email: OLD, paymentId: '1', ...DONE, problem: 'Payment 1 was made by somebody else' },
		];
		expect(moved([...foreign, other])).toEqual(['2']);
	});

	test('first what gives a class, as Class access says what came of the first one', () => {
		const book = { email: OLD, paymentId: '1', ...DONE, classes: '[{"classId":"-","months":12}]' };
		const paid = { email: OLD, paymentId: '2', ...GIFTS };
		expect(moved([book, paid])).toEqual(['2', '1']);
		// What isn't looked up yet may give one.
		expect(moved([book, { email: OLD, paymentId: '3' }])).toEqual(['3', '1']);
	});

	test('no payment that was refunded, or never came', () => {
		const refunded = { email: OLD, paymentId: '1', kind: 'refunded', products: '' };
		const other = { email: OLD, paymentId: '2' };
		expect(moved([refunded, other])).toEqual(['2']);
		expect(moved([{ email: OLD, paymentId: '1', ...GIFTS }, refunded, other])).toEqual(['2']);
	});

	test.each([
		['no number', { paymentId: '' }],
		['the number of a payment', { paymentId: '1' }],
	])('nothing, if what was given has %s', (_, number) => {
		const given = { email: OLD, kind: 'given', products: '', classId: 'class-python' };
		const paid = { email: OLD, paymentId: '1' };
		expect(record([paid, { ...given, ...GIFTS, ...number }])).toMatchObject([
			{ next: 'stop', problem: expect.stringContaining('In class_sales, row 2 gives') as string },
		]);
		// What gave nothing needs none.
		expect(moved([paid, { ...given, ...DONE, ...number }])).toEqual(['1']);
	});
});

test('a product that is no class is none of the form', () => {
	const rows = [
		{ classId: 'a', className: 'A' },
		{ classId: 'a', className: 'A' },
		// As an owner has added it.
		{ classId: 'a', className: null },
		{ classId: '-' },
		{},
	];
	expect(toClasses(rows)).toEqual([{ id: 'a', name: 'A' }]);
});

test.each([
	['added', 'Added'],
	['removed', 'Removed'],
	['recorded', 'Recorded'],
	['ignored', 'Nothing was done'],
	['already processed', 'Nothing was done'],
	// Perhaps only a magic link, or another sale.
	['failed', 'Recorded, but something failed'],
	['something else', 'Recorded'],
])('what Class access calls %p is %p', (result, title) => {
	expect(describeBook(read(GIVE), { result: result as 'added', reason: 'Why.' }).title).toBe(title);
});

test.each([
	['added', `Corrected: ${NEW} has what ${OLD} has paid, and ${OLD} no longer has it.`],
	// The new address may have been in the class, but the old one may be removed only now.
	['already processed', `Corrected: ${NEW} has what ${OLD} has paid, and ${OLD} no longer has it.`],
	['ignored', `Recorded: What ${OLD} has paid belongs to ${NEW}. Why.`],
	['failed', 'Recorded, but something failed: Why. '],
])('a correction that Class access calls %p is %p', (result, says) => {
	const task = read(CORRECT, DETAILS, true);
	const { title, message } = describeBook(task, { result: result as 'added', reason: 'Why.' });
	expect(`${title}: ${message}`).toContain(says);
});
