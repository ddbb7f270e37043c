import { aboutAnother, NOTIFICATIONS, ofOwnBuyer } from '../test/shops/notifications';
import { importExample, readExample, saveParameters } from '../test/e2e/examples';
import { retry } from '../test/e2e/retry';
import { DOWN, PYTHON, useSchool, type Shop } from '../test/e2e/shop';
import { post } from '../test/n8n/session';
import { publishWorkflow, unpublishWorkflow } from '../test/n8n/workflows';
import { CLASS_ACCESS, CLASS_ACCESS_ID } from './classAccess/workflow';
import { SHOPS } from './shops/shops';

const school = useSchool();
const { world, openShop, classesOf, rowsOf, sent, during } = school;
let payments = 0;

describe.each(Object.keys(SHOPS).map((file) => file.replace('shop-', '')))(
	'the example for %s',
	(name) => {
		const { isAnsweredAtOnce, proof } = SHOPS[`shop-${name}`]!;
		const all = NOTIFICATIONS[name]!;
		const statusOf = (ended: string) => (ended === 'error' && !isAnsweredAtOnce ? 500 : 200);
		let shop: Shop;

		beforeAll(async () => {
			shop = await openShop(name);
		});

		it('adds the buyer, and removes the buyer after a refund', async () => {
			const number = ++payments + 70_000;
			const email = `ana-${number}@example.com`;
			expect(await shop.send(aboutAnother(name, 'paid', number))).toMatchObject({
				status: 200,
				ended: 'success',
			});
			expect(classesOf({ email })).toEqual([PYTHON]);
			expect(await rowsOf({ email })).toMatchObject([{ kind: 'paid', problem: null }]);
			expect(await shop.send(aboutAnother(name, 'refunded', number))).toMatchObject({
				status: 200,
				ended: 'success',
			});
			expect(classesOf({ email })).toEqual([]);
		});

		it('adds the buyer on Retry when the service was down', async () => {
			const number = ++payments + 70_000;
			const paid = aboutAnother(name, 'paid', number);
			expect(await during(DOWN, async () => shop.send(paid))).toMatchObject({
				status: statusOf('error'),
				ended: 'error',
			});
			const again = await retry(world.session, await shop.lastExecution(), true);
			expect(again.status).toBe('success');
			expect(classesOf({ email: `ana-${number}@example.com` })).toEqual([PYTHON]);
		});

		const answered = all.filter(({ expect: { result } }) => result !== undefined);
		it.each(answered.map((one) => [one.name, one] as const))(
			'answers %s',
			async (_, notification) => {
				const { result, reason } = notification.expect;
				const { status, ended, error } = await shop.send(notification);
				expect(ended).toBe(result === 'ignored' ? 'success' : 'error');
				expect(status).toBe(statusOf(ended));
				if (ended === 'error') expect(error).toContain(reason);
				// n8n adds the line of the code, which says nothing to an owner.
				expect(error ?? '').not.toContain('[line');
			},
		);

		const sales = all.filter(({ expect: { result } }) => result === undefined);
		it.each(sales.map((one) => [one.name, one] as const))('takes %s', async (_, notification) => {
			const { fails } = notification.expect;
			const { status, ended, error } = await shop.send(ofOwnBuyer(name, notification));
			expect(ended).toBe(fails ? 'error' : 'success');
			expect(status).toBe(statusOf(ended));
			if (fails) expect(error).toContain(fails);
			expect(error ?? '').not.toContain('[line');
		});

		it('takes nothing without the secret', async () => {
			const paid = all.find(({ expect: { sale } }) => sale)!;
			const before = sent().length;
			// n8n itself compares what is in a header, or an address.
			const refusal = { header: 403, address: 404, hmac: undefined, token: undefined }[proof.kind];
			for (const proving of ['wrong', 'none'] as const) {
				const status = await shop.post({ ...paid, proof: proving });
				expect(status).toBe(refusal ?? statusOf('error'));
				if (!refusal) expect((await shop.lastExecution()).status).toBe('error');
			}
			expect(sent()).toHaveLength(before);
		});
	},
);

test('a shop is told to send it again when n8n fails before the answer, and Retry does it', async () => {
	const jsCode = "throw new Error('Broken')";
	const shop = await openShop('kiwify', { 'Read Notification': { jsCode } });
	const [paid] = NOTIFICATIONS.kiwify!;
	const body = { ...(paid!.body as object), order_id: 'order-80001' };
	const answer = await shop.send({ ...paid!, body });
	expect(answer).toMatchObject({ status: 500, ended: 'error' });
	expect(answer.error).toContain('Broken');
	const { parameters } = readExample('shop-kiwify').nodes.find(
		({ name }) => name === 'Read Notification',
	)!;
	await saveParameters(world.session, shop.workflow, { 'Read Notification': parameters });
	const again = await retry(world.session, await shop.lastExecution(), true);
	expect(again.status).toBe('success');
	expect(await rowsOf({ paymentId: 'order-80001' })).toHaveLength(1);
});

test('a shop that is answered at once is told to send it again if it could not be recorded', async () => {
	const noTable = { dataTableId: { __rl: true, mode: 'name', value: 'missing' } };
	const shop = await openShop('ticto', { 'Record Sale': noTable });
	const answer = await shop.send(aboutAnother('ticto', 'paid', 80_002));
	expect(answer).toMatchObject({ status: 503, ended: 'error' });
	expect(answer.error).toContain('missing');
	const { parameters } = readExample('shop-ticto').nodes.find(
		({ name }) => name === 'Record Sale',
	)!;
	await saveParameters(world.session, shop.workflow, { 'Record Sale': parameters });
	const again = await retry(world.session, await shop.lastExecution(), true);
	expect(again.status).toBe('success');
	expect(await rowsOf({ email: 'ana-80002@example.com' })).toHaveLength(1);
});

describe('without Class access', () => {
	const chosen = (value: string) => ({
		[CLASS_ACCESS]: { workflowId: { __rl: true, mode: 'list', value } },
	});

	/** Publishes a shop that calls a Class access of its own. */
	async function openOther(shop: string) {
		const saved = await importExample(world, 'class-access');
		const classAccess = await publishWorkflow(world.session, saved);
		return { classAccess, shop: await openShop(shop, chosen(saved.id)) };
	}

	test('a shop is not published before it is imported', async () => {
		await expect(openShop('kiwify', { [CLASS_ACCESS]: {} })).rejects.toThrow(
			`Node \\"Class access\\" references workflow ${CLASS_ACCESS_ID} which is not published.`,
		);
	});

	test('a shop is not published before it is published', async () => {
		const { id } = await importExample(world, 'class-access');
		await expect(openShop('kiwify', chosen(id))).rejects.toThrow(
			'which is not published. Please publish all referenced sub-workflows first.',
		);
	});

	test.each(['unpublished', 'archived'])('a shop says what to do when it is %s', async (way) => {
		for (const name of ['kiwify', 'hotmart']) {
			const { classAccess, shop } = await openOther(name);
			await unpublishWorkflow(world.session, classAccess);
			if (way === 'archived') await post(world.session, `/workflows/${classAccess.id}/archive`);
			const [paid] = NOTIFICATIONS[name]!;
			expect(await shop.send(paid!)).toMatchObject({
				status: name === 'kiwify' ? 500 : 200,
				ended: 'error',
				error: expect.stringContaining(
					'Make sure that Class access is published and selected here',
				) as string,
			});
		}
	});
});
