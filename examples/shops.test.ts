import { NOTIFIERS, type Purchase } from '../test/e2e/notifications';
import { retry } from '../test/e2e/retry';
import { SHOPS } from './shops/shops';
import { DATA, DOWN, newPurchase, openShop, PYTHON, useSchool, type Shop } from '../test/e2e/shop';

const school = useSchool();
const { world, classesOf, rowsOf, sent, during } = school;

describe.each(Object.keys(NOTIFIERS))('the recipe %s', (file) => {
	const { paid, refunded, pending, others, isPerProduct } = NOTIFIERS[file]!;
	const { isAnsweredAtOnce, proof } = SHOPS[file]!;
	const isSigned = 'hmac' in proof;
	const products = isPerProduct ? [1] : [1, 2];
	const classes = isPerProduct ? [PYTHON] : [PYTHON, DATA];
	let shop: Shop;

	beforeAll(async () => {
		shop = await openShop(world, file);
	});

	/** Reports a purchase as paid, and forgets the requests for it. */
	async function buy(purchase = newPurchase(products)): Promise<Purchase> {
		expect(await shop.report(purchase)).toMatchObject({ status: 200, ended: 'success' });
		world.service.resetRecord();
		return purchase;
	}

	it('enrolls the buyer, records it and sends a link', async () => {
		const purchase = newPurchase(products);
		const { email, name } = purchase;
		expect(await shop.report(purchase)).toMatchObject({
			status: 200,
			answer: { result: isAnsweredAtOnce ? 'received' : 'enrolled' },
			ended: 'success',
		});
		expect(classesOf(purchase)).toEqual(classes);
		expect(world.service.classes.studentsOf(PYTHON).at(-1)).toMatchObject({ email, name });
		expect(sent()).toEqual([...classes.map(() => 'add-student'), 'magic-link']);
		expect(await rowsOf({ email })).toMatchObject(
			classes.map((classId) => ({ classId, removedAt: null, endedAt: null, workingSince: null })),
		);
	});

	it('does nothing for a forged notification', async () => {
		const purchase = newPurchase(products);
		const known = await buy();
		for (const [about, status] of [
			[purchase, paid[0]!],
			[known, refunded[0]!],
		] as const) {
			for (const secret of ['another', null]) {
				const { notify, post } = shop;
				expect(await post(notify(about, status), secret)).toMatchObject({ status: 403 });
			}
		}
		expect(sent()).toEqual([]);
		expect(classesOf(known)).toEqual(classes);
		if (!isSigned) return;
		const failed = await shop.lastExecution();
		expect(failed.error?.message).toContain('The signature is wrong.');
		expect(await retry(world.session, failed, true)).toMatchObject({ status: 'error' });
		expect(sent()).toEqual([]);
	});

	it.each([...pending, ...others])('does nothing for %j', async (what) => {
		const known = await buy();
		const body = pending.includes(what as string) ? shop.notify(known, what as string) : what;
		const secrets = isSigned ? [undefined, null] : [undefined];
		for (const secret of secrets) {
			const { status } = await shop.post(body, secret);
			expect([status, (await shop.lastExecution()).status]).toEqual([200, 'success']);
		}
		expect(sent()).toEqual([]);
		expect(classesOf(known)).toEqual(classes);
	});

	it('does nothing when the payment is reported again', async () => {
		const purchase = await buy();
		const rows = await rowsOf({ email: purchase.email });
		for (const status of [...paid, paid[0]!]) {
			expect(await shop.report(purchase, status)).toMatchObject({ status: 200, ended: 'success' });
		}
		expect(sent()).toEqual([]);
		expect(await rowsOf({ email: purchase.email })).toEqual(rows);
	});

	it('enrolls once when the payment is reported several times at the same moment', async () => {
		const purchase = newPurchase(products);
		const body = shop.notify(purchase, paid[0]!);
		const answers = await Promise.all([1, 2, 3].map(async () => await shop.post(body)));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		await shop.lastExecution();
		expect(classesOf(purchase)).toEqual(classes);
		expect(await rowsOf({ email: purchase.email })).toHaveLength(classes.length);
	});

	it.each(refunded)('removes the buyer after %s, whenever it comes', async (status) => {
		const purchase = await buy();
		const other = await buy();
		expect(await shop.report(purchase, status)).toMatchObject({ status: 200, ended: 'success' });
		expect(classesOf(purchase)).toEqual([]);
		expect(classesOf(other)).toEqual(classes);
		world.service.resetRecord();
		for (const later of [status, ...paid]) {
			expect(await shop.report(purchase, later)).toMatchObject({ status: 200, ended: 'success' });
		}
		const before = newPurchase(products);
		await shop.report(before, status);
		await shop.report(before);
		expect(classesOf(before)).toEqual([]);
		expect(sent()).toEqual([]);
	});

	it('extends access at a renewal, without another link', async () => {
		const first = await buy(newPurchase([1]));
		const renewal = newPurchase([1], { email: first.email });
		expect(await shop.report(renewal)).toMatchObject({ status: 200, ended: 'success' });
		expect(sent()).toEqual(['add-student']);
		const [before, after] = await rowsOf({ email: first.email, classId: PYTHON });
		const years = (row: typeof before) =>
			new Date(row?.expiresAt as string).getUTCFullYear() - new Date().getUTCFullYear();
		expect([years(before), years(after)]).toEqual([1, 2]);
		await shop.report(first, refunded[0]);
		expect(classesOf(first)).toEqual([PYTHON]);
	});

	it('fails for an unknown product, but not for what is no class', async () => {
		await buy(newPurchase([4]));
		const unknown = newPurchase([9]);
		expect(await shop.report(unknown)).toMatchObject({
			status: isAnsweredAtOnce ? 200 : 422,
			ended: 'error',
			error: expect.stringContaining('Unknown product: 9.') as string,
		});
		expect(await shop.report(newPurchase([1]), 'oddly')).toMatchObject(
			file === 'shop-stripe' ? { status: 200 } : { ended: 'error' },
		);
		expect(sent()).toEqual([]);
	});

	it.each([
		['a payment', paid[0]!],
		['a refund', refunded[0]!],
	])('does %s on Retry when the service was down', async (what, status) => {
		const isRefund = what === 'a refund';
		const purchase = isRefund ? await buy() : newPurchase(products);
		expect(await during(DOWN, () => shop.report(purchase, status))).toMatchObject({
			status: isAnsweredAtOnce ? 200 : 503,
			ended: 'error',
		});
		const failed = await shop.lastExecution();
		const again = await during(DOWN, () => retry(world.session, failed, true));
		expect(again.error?.message).toBe(failed.error?.message);
		expect(await retry(world.session, again, false)).toMatchObject({ status: 'success' });
		expect(classesOf(purchase)).toEqual(isRefund ? [] : classes);
	});
});

test('payments with the same number in two shops are two payments', async () => {
	const purchase = newPurchase([1]);
	const other = { ...newPurchase([2]), id: purchase.id };
	await (await openShop(world, 'shop-eduzz')).report(purchase);
	await (await openShop(world, 'shop-woocommerce')).report(other);
	expect([classesOf(purchase), classesOf(other)]).toEqual([[PYTHON], [DATA]]);
});
