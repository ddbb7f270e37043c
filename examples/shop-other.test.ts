import { outputOf } from '../test/n8n/executions';
import { insertRows, readRows, type Row } from '../test/n8n/dataTables';
import {
	createTables,
	importExample,
	publishCopy,
	runNight,
	saveParameters,
} from '../test/e2e/examples';
import { retry } from '../test/e2e/retry';
import {
	DATA,
	DOWN,
	failOnly,
	newPurchase,
	openShop,
	PYTHON,
	removal,
	useSchool,
	type Shop,
} from '../test/e2e/shop';
import { eventually } from '../test/n8n/waiting';
import { received } from '../test/service/service';

const school = useSchool();
const { world, classesOf, rowsOf, sent, during } = school;
const time = expect.any(String) as string;
let shop: Shop;

beforeAll(async () => {
	shop = await openShop(world, 'shop-other');
});

async function buy(products: number[], changes: object = {}) {
	const purchase = newPurchase(products, changes);
	expect(await shop.report(purchase)).toMatchObject({ status: 200, ended: 'success' });
	world.service.resetRecord();
	return purchase;
}

test('Set Up Once enters the classes, and keeps what was entered', async () => {
	const before = await readRows(world.session, school.productTable);
	expect(before.slice(0, 2)).toMatchObject([
		{ className: PYTHON, classId: PYTHON, product: null },
		{ className: DATA, classId: DATA, product: null },
	]);
	await createTables(world);
	const after = await readRows(world.session, school.productTable);
	const entered = (rows: Row[]) =>
		rows.map(({ product, classId, months }) => [product, classId, months]);
	expect(entered(after)).toEqual(entered(before));
});

const addTo = (classId: string) => `/classe/${classId}/add-student`;

describe('the products', () => {
	it.each([
		['a list of numbers', [1, 2]],
		['a list of texts', [' 1', '2', '1']],
		['a text', '1, 2'],
		['a list with null', [null, 1, 2]],
		['one for two classes', 3],
		['a list with what is no class', [4, 1, 2]],
	])('may be %s', async (_, products) => {
		const purchase = newPurchase([]);
		const body = { ...shop.notify(purchase, 'paid'), products };
		expect(await shop.send(body)).toMatchObject({ status: 200, ended: 'success' });
		expect(classesOf(purchase)).toEqual([PYTHON, DATA]);
	});

	it.each(['one, "two"', ['one, "two"']])('may have a comma and quotes: %j', async (products) => {
		const purchase = newPurchase([]);
		await shop.send({ ...shop.notify(purchase, 'paid'), products });
		expect(classesOf(purchase)).toEqual([PYTHON]);
	});

	it.each([4, [4], [null], '4, 4'])('%j is no class', async (products) => {
		const purchase = newPurchase([]);
		expect(await shop.send({ ...shop.notify(purchase, 'paid'), products })).toMatchObject({
			status: 200,
			answer: { result: 'ignored' },
			ended: 'success',
		});
		expect(sent()).toEqual([]);
	});

	it.each<[string, object, string]>([
		['an unknown one', { products: [1, 9] }, 'Unknown product: 9'],
		['none', { products: undefined }, 'The payment contains no product'],
		['an empty list', { products: [] }, 'The payment contains no product'],
		['an empty code', { products: [1, ''] }, 'A product has no code'],
		['wrong months', { products: [6] }, 'The months of product 6 in class_products'],
		['an unknown status', { status: 'paied' }, 'Unknown status: "paied"'],
		['no ID', { paymentId: undefined }, 'The payment ID or the status is missing'],
		['no status', { status: null }, 'The payment ID or the status is missing'],
		['a refund without an ID', { paymentId: '', status: 'refunded' }, 'The payment ID'],
		['no buyer', { buyer: null }, "'Email' is empty"],
		['an invalid address', { buyer: { email: 'student@' } }, "'Email' is not an"],
	])('with %s is refused with the reason', async (_, changes, reason) => {
		const purchase = newPurchase([1]);
		const { status, answer, ended, error } = await shop.send({
			...shop.notify(purchase, 'paid'),
			...changes,
		});
		expect({ status, answer, ended }).toEqual({
			status: 422,
			answer: { result: 'failed', reason: expect.stringContaining(reason) as string },
			ended: 'error',
		});
		expect(error).toContain(reason);
		expect(classesOf(purchase)).toEqual([]);
		// What was not even sent is not left for the nightly removal.
		for (const row of await rowsOf({ paymentId: String(purchase.id) })) {
			expect(row).toMatchObject({ enrolledAt: null, removedAt: time });
		}
	});
});

describe('how long', () => {
	it('is said by the table, in months', async () => {
		const { email } = await buy([3]);
		await buy([3], { email });
		await buy([1], { email });
		const rows = await rowsOf({ email, classId: PYTHON });
		const months = rows.map(({ expiresAt }) =>
			Math.round((new Date(expiresAt as string).getTime() - Date.now()) / 86400000 / 30.4),
		);
		expect(months).toEqual([1, 2, 14]);
		expect(await rowsOf({ email, classId: DATA })).toHaveLength(2);
	});

	it('stays without an end where access has none', async () => {
		const purchase = newPurchase([1]);
		const row = { email: purchase.email.toUpperCase(), classId: PYTHON };
		await insertRows(world.session, school.table, [row]);
		expect(await shop.report(purchase)).toMatchObject({ status: 200 });
		expect(sent()).toEqual(['add-student', 'magic-link']);
		expect(world.service.requests[0]?.body).not.toHaveProperty('expirationDate');
	});
});

describe.each(['mari%', '%.br'])('a buyer whose address is part of another, %s,', (pattern) => {
	it('is not taken for the other', async () => {
		const purchase = newPurchase([1]);
		const other = await buy([1], { email: pattern.replace('%', purchase.email) });
		expect(await shop.report(purchase)).toMatchObject({ status: 200 });
		expect(sent()).toEqual(['add-student', 'magic-link']);
		const [row, otherRow] = await Promise.all(
			[purchase, other].map(async ({ email }) => (await rowsOf({ email }))[0]),
		);
		expect(String(row?.expiresAt).slice(0, 10)).toBe(String(otherRow?.expiresAt).slice(0, 10));
		await during(DOWN, () => shop.report(other, 'refunded'));
		expect(await shop.report(purchase, 'refunded')).toMatchObject({ status: 200 });
		expect(classesOf(purchase)).toEqual([]);
		expect(await rowsOf({ email: other.email })).toMatchObject([{ removedAt: null }]);
	});

	it('is removed after a refund, although the other stays', async () => {
		const purchase = newPurchase([1]);
		const other = await buy([1], { email: pattern.replace('%', purchase.email) });
		await shop.report(purchase);
		expect(await shop.report(purchase, 'refunded')).toMatchObject({ status: 200 });
		expect([classesOf(purchase), classesOf(other)]).toEqual([[], [PYTHON]]);
	});
});

it('sends one link for a purchase and the order bump after it', async () => {
	const { email } = await buy([1]);
	expect(await shop.report(newPurchase([2], { email }))).toMatchObject({ status: 200 });
	expect(sent()).toEqual(['add-student']);
	expect(await rowsOf({ email })).toMatchObject([{ linkSentAt: time }, { linkSentAt: time }]);
});

describe('a payment that fails', () => {
	it.each<[string, number, string]>([
		['503', 401, 'could not be enrolled'],
		['503', 429, 'could not be enrolled'],
		['422', 404, 'not found'],
		['422', 409, 'rejected'],
	])('gets %s when the service answers %d', async (status, given, reason) => {
		const purchase = newPurchase([1]);
		const temper = { failWith: { status: given } };
		const answer = await during(temper, () => shop.report(purchase));
		expect(answer).toMatchObject({
			status: Number(status),
			answer: { reason: expect.stringContaining(reason) as string },
			ended: 'error',
		});
		expect(await shop.report(purchase)).toMatchObject({ answer: { result: 'enrolled' } });
	});

	it('gets 422 with the reason of the service', async () => {
		const answer = await shop.report(newPurchase([5]));
		const reason = expect.stringContaining('Class not found: class-unknown') as string;
		expect(answer).toMatchObject({ status: 422, answer: { reason }, ended: 'error' });
	});

	it('gets 422 when the service says no with a success', async () => {
		const temper = { answerJson: { success: false } };
		const answer = await during(temper, () => shop.report(newPurchase([1])));
		expect(answer).toMatchObject({ status: 422, ended: 'error' });
	});

	it('is completed by the next try, without what was done', async () => {
		const purchase = newPurchase([1, 2]);
		const first = await during(failOnly(addTo(DATA)), () => shop.report(purchase));
		expect(first).toMatchObject({ status: 503 });
		expect(classesOf(purchase)).toEqual([PYTHON]);
		world.service.resetRecord();
		const second = await during(failOnly('/magic-link'), () => shop.report(purchase));
		expect(second).toMatchObject({
			status: 503,
			answer: { reason: expect.stringContaining('is enrolled') as string },
		});
		expect(await shop.report(purchase)).toMatchObject({ status: 200, ended: 'success' });
		expect(sent()).toEqual(['add-student', 'magic-link', 'magic-link']);
		expect(await rowsOf({ email: purchase.email })).toMatchObject([
			{ classId: PYTHON, enrolledAt: time, linkSentAt: time },
			{ classId: DATA, enrolledAt: time, linkSentAt: time },
		]);
	});

	it.each([
		['its response is lost', { drop: { when: 'after' as const } }],
		[
			'it is refused after that',
			{ drop: { when: 'after' as const, times: 1 }, refuseEnrolled: true },
		],
		[
			'one of two classes is refused',
			{ failWith: { status: 400, only: ({ path }: { path: string }) => path === addTo(DATA) } },
		],
	])('is recorded when %s: a refund removes the buyer', async (_, temper) => {
		const purchase = newPurchase([1, 2]);
		expect(await during(temper, () => shop.report(purchase))).toMatchObject({ ended: 'error' });
		expect(classesOf(purchase)).toContain(PYTHON);
		expect(await shop.report(purchase, 'refunded')).toMatchObject({ status: 200 });
		expect(classesOf(purchase)).toEqual([]);
	});

	it('gets 500 when n8n itself fails, and Retry sends no second link', async () => {
		const broken = { dataTableId: { __rl: true, mode: 'name', value: 'no_such_table' } };
		const other = await openShop(world, 'shop-other', { 'Mark Link Sent': broken });
		const purchase = newPurchase([1]);
		expect(await other.report(purchase)).toMatchObject({ status: 500, ended: 'error' });
		world.service.resetRecord();
		await retry(world.session, await other.lastExecution(), false);
		expect(sent()).toEqual([]);
	});

	it('does nothing on Retry when the shop has sent it again, or taken the money back', async () => {
		for (const status of ['paid', 'refunded']) {
			const purchase = newPurchase([1]);
			await during(DOWN, () => shop.report(purchase));
			const failed = await shop.lastExecution();
			await shop.report(purchase, status);
			const rows = await rowsOf({ email: purchase.email });
			world.service.resetRecord();
			expect(await retry(world.session, failed, true)).toMatchObject({ status: 'success' });
			expect(sent()).toEqual([]);
			expect(await rowsOf({ email: purchase.email })).toEqual(rows);
		}
	});

	it('succeeds on Retry after a product was entered', async () => {
		const purchase = newPurchase([77]);
		await shop.report(purchase);
		const row = { product: '77', classId: DATA };
		await insertRows(world.session, school.productTable, [row]);
		const failed = await shop.lastExecution();
		expect(await retry(world.session, failed, false)).toMatchObject({ status: 'success' });
		expect(classesOf(purchase)).toEqual([DATA]);
	});

	it('succeeds on Retry with the saved workflow after a word was added', async () => {
		const other = await openShop(world, 'shop-other');
		const purchase = newPurchase([1]);
		expect(await other.report(purchase, 'bezahlt')).toMatchObject({ status: 422 });
		const node = other.workflow.nodes.find(({ name }) => name === 'What the Shop Sends');
		const text = JSON.stringify(node?.parameters).replace('"paid, approved', '"bezahlt, approved');
		const changed = { 'What the Shop Sends': JSON.parse(text) as object };
		await saveParameters(world.session, other.workflow, changed);
		const failed = await other.lastExecution();
		expect(await retry(world.session, failed, false)).toMatchObject({ status: 'error' });
		const done = await retry(world.session, failed, true);
		expect(outputOf(done, 'Mark Link Sent')).toHaveLength(1);
	});
});

describe('Answer at Once', () => {
	it.each([
		['shop-other', false, 200],
		['shop-hotmart', true, 422],
	])('of %s can be switched with one key', async (file, disabled, status) => {
		const { session } = world;
		const other = await openShop(world, file);
		const nodes = other.workflow.nodes.map((node) =>
			node.name === 'Answer at Once' ? { ...node, disabled } : node,
		);
		const path = `${file}-switched`;
		await publishCopy(session, { ...other.workflow, nodes }, { 'Notification Received': { path } });
		const body = other.notify(newPurchase([9]), other.paid[0]!);
		expect(await other.post(body, undefined, path)).toMatchObject({ status });
	});
});

describe('a refund', () => {
	it('leaves the buyer in the classes that another payment covers', async () => {
		const both = await buy([1, 2]);
		const other = await buy([2], { email: both.email });
		await shop.report(both, 'refunded');
		expect(received(world.service)).toEqual([removal(both.email, PYTHON)]);
		await shop.report(other, 'refunded');
		expect(classesOf(both)).toEqual([]);
	});

	it('is completed by the next try, without what was done', async () => {
		const purchase = await buy([1, 2]);
		const failing = failOnly(`/classe/${DATA}/remove-student`);
		const first = await during(failing, () => shop.report(purchase, 'refunded'));
		expect(first).toMatchObject({ status: 503, ended: 'error' });
		expect(classesOf(purchase)).toEqual([DATA]);
		world.service.resetRecord();
		expect(await shop.report(purchase, 'refunded')).toMatchObject({ status: 200 });
		expect(received(world.service)).toEqual([removal(purchase.email, DATA)]);
	});

	it.each([
		[404, 422],
		[409, 422],
		[401, 503],
	])('is not taken for done after %d: the night removes the buyer', async (given, status) => {
		const purchase = await buy([1]);
		const temper = { failWith: { status: given } };
		const answer = await during(temper, () => shop.report(purchase, 'refunded'));
		expect(answer).toMatchObject({ status, ended: 'error' });
		expect(await rowsOf({ email: purchase.email })).toMatchObject([{ removedAt: null }]);
		const night = await importExample(world, 'nightly-removal');
		expect((await runNight(world.session, night)).error?.message).toBeUndefined();
		expect(classesOf(purchase)).toEqual([]);
	});

	it('counts as done where the buyer is no longer in the class, and fails once', async () => {
		const purchase = await buy([1, 2]);
		world.service.classes.remove([PYTHON], purchase.email);
		expect(await shop.report(purchase, 'refunded')).toMatchObject({ status: 200, ended: 'error' });
		expect(classesOf(purchase)).toEqual([]);
		const failed = await shop.lastExecution();
		expect(failed.error?.message).toContain('not found in class');
		expect(await retry(world.session, failed, true)).toMatchObject({ status: 'success' });
		expect(await shop.report(purchase, 'refunded')).toMatchObject({
			status: 200,
			ended: 'success',
		});
	});

	it('leaves the buyer in a class for which the table has the address in upper case', async () => {
		const purchase = await buy([1]);
		const row = { email: ` ${purchase.email.toUpperCase()}`, classId: PYTHON };
		await insertRows(world.session, school.table, [row]);
		await shop.report(purchase, 'refunded');
		expect(classesOf(purchase)).toEqual([PYTHON]);
	});

	it('that arrives while the buyer is being enrolled removes the buyer', async () => {
		const purchase = newPurchase([1]);
		let paid: Promise<unknown> | undefined;
		await during({ latencyMs: 6000 }, async () => {
			paid = shop.post(shop.notify(purchase, 'paid'));
			await eventually(() => expect(sent()).toEqual(['add-student']));
			world.service.temper = {};
			await shop.post(shop.notify(purchase, 'refunded'));
			expect(await paid).toMatchObject({ status: 200, answer: { result: 'refunded' } });
		});
		expect(classesOf(purchase)).toEqual([]);
		expect(sent()).not.toContain('magic-link');
	});

	it('removes the buyer whose earlier access has expired, but not one whose access has no end', async () => {
		const purchases = [newPurchase([1]), newPurchase([1])];
		const ends = [new Date(Date.now() - 1000).toISOString(), null];
		for (const [index, purchase] of purchases.entries()) {
			const { email } = purchase;
			await insertRows(world.session, school.table, [
				{ email, classId: PYTHON, expiresAt: ends[index]! },
			]);
			await shop.report(purchase);
			expect(await shop.report(purchase, 'refunded')).toMatchObject({ status: 200 });
		}
		expect(purchases.map(classesOf)).toEqual([[], [PYTHON]]);
	});

	it('does not keep the buyer from paying again', async () => {
		const purchase = await buy([1]);
		await shop.report(purchase, 'refunded');
		await buy([1], { email: purchase.email });
		await shop.report(purchase, 'refunded');
		expect(classesOf(purchase)).toEqual([PYTHON]);
	});
});
