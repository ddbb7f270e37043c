import { DAY, useClassAccess } from '../test/e2e/classAccess';
import { DATA, DOWN, PYTHON } from '../test/e2e/shop';
import { insertRows } from '../test/n8n/dataTables';

const caller = useClassAccess([
	{ product: 'python, PY 1', classId: PYTHON },
	{ product: 'bundle', classId: PYTHON, months: 1 },
	{ product: 'bundle', classId: DATA, months: 1 },
	{ product: 'endless', classId: PYTHON, months: 10_000_000 },
	{ product: 'none', classId: '-' },
]);
const { school, newSale, send, monthsIn, runNight } = caller;
const { world, sent, rowsOf, classesOf } = school;

test('a payment adds the buyer and sends one magic link, a repeat does nothing', async () => {
	const sale = newSale({ products: '["BUNDLE", null]' });
	expect(await send(sale)).toMatchObject({ code: 200, result: 'added' });
	expect(classesOf(sale)).toEqual([PYTHON, DATA]);
	expect(sent()).toEqual(['add-student', 'add-student', 'magic-link']);
	expect(await send(sale)).toMatchObject({ code: 200, result: 'already processed' });
	expect(sent()).toHaveLength(3);
	const rows = await rowsOf({ email: sale.email });
	expect(rows).toHaveLength(2);
	for (const row of rows) {
		expect(row).toMatchObject({ removedAt: null, endedAt: null, problem: null });
		expect([row.enrolledAt, row.linkSentAt]).not.toContain(null);
		expect(new Date(row.expiresAt as string).getTime()).toBeGreaterThan(Date.now() + 27 * DAY);
	}
});

test('a renewal extends access without a magic link, and a refund of it takes that back', async () => {
	const first = newSale({ products: ' Py1 ' });
	await send(first);
	const renewal = newSale({ email: ` ${first.email.toUpperCase()}` });
	expect(await send(renewal)).toMatchObject({ result: 'added' });
	expect(sent()).toEqual(['add-student', 'magic-link', 'add-student']);
	expect(monthsIn(PYTHON, first)).toBe(24);
	expect(await send({ ...renewal, status: 'refunded' })).toMatchObject({ result: 'refunded' });
	expect(monthsIn(PYTHON, first)).toBe(12);
	expect(await send({ ...first, status: 'refunded' })).toMatchObject({ result: 'refunded' });
	expect(classesOf(first)).toEqual([]);
});

test('a refund that comes first keeps the buyer out', async () => {
	const sale = newSale();
	expect(await send({ ...sale, status: 'refunded' })).toMatchObject({
		code: 200,
		result: 'refunded',
	});
	expect(await send(sale)).toMatchObject({ code: 200, result: 'not added' });
	expect(sent()).toEqual([]);
});

test('two notifications at once send one magic link', async () => {
	const sale = newSale();
	const answers = await Promise.all([send(sale), send(sale)]);
	expect(answers).toMatchObject([{ code: 200 }, { code: 200 }]);
	expect(classesOf(sale)).toEqual([PYTHON]);
	expect(sent().filter((request) => request === 'magic-link')).toHaveLength(1);
	expect(await rowsOf({ email: sale.email })).toHaveLength(1);
});

test.each([
	['unknown', 'Unknown product: unknown.'],
	['endless', 'from 1 to 1200'],
])('the products %j fail', async (products, failure) => {
	expect(await send(newSale({ products }))).toMatchObject({
		code: 422,
		result: 'failed',
		failure: expect.stringContaining(failure) as string,
	});
	expect(sent()).toEqual([]);
});

test('what failed is done when the sale is sent again', async () => {
	const sale = newSale();
	world.service.temper = DOWN;
	expect(await send(sale)).toMatchObject({ code: 503, result: 'failed' });
	world.service.temper = {};
	expect(await send(sale)).toMatchObject({ code: 200, result: 'added' });
	expect(classesOf(sale)).toEqual([PYTHON]);
	world.service.temper = DOWN;
	expect(await send({ ...sale, status: 'refunded' })).toMatchObject({ code: 503 });
	world.service.temper = {};
	expect(await send({ ...sale, status: 'refunded' })).toMatchObject({ code: 200 });
	expect(classesOf(sale)).toEqual([]);
});

test('the night removes whose access has ended, and does what failed', async () => {
	const ended = newSale();
	const failed = newSale();
	const lasting = newSale();
	await send(ended);
	await send(lasting);
	world.service.temper = DOWN;
	await send(failed);
	world.service.temper = {};
	// As if it had been paid long ago.
	const past = new Date(Date.now() - 400 * DAY).toISOString();
	await insertRows(world.session, school.access, [
		{
			paymentId: 'old',
			classId: DATA,
			email: ended.email,
			paidAt: past,
			months: 12,
			enrolledAt: past,
			linkSentAt: past,
			expiresAt: new Date(Date.now() - DAY).toISOString(),
		},
	]);
	world.service.classes.enroll([DATA], [{ email: ended.email, name: ended.name }]);
	world.service.resetRecord();
	expect(await runNight()).toMatchObject({ status: 'success' });
	expect(classesOf(failed)).toEqual([PYTHON]);
	expect(classesOf(lasting)).toEqual([PYTHON]);
	expect(classesOf(ended)).toEqual([PYTHON]);
	expect(sent().sort()).toEqual(['add-student', 'magic-link', 'remove-student']);
});
