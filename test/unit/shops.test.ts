import { recipeFor } from '../../examples/shops/recipe';
import { SHOPS } from '../../examples/shops/shops';
import { aboutAnother, NOTIFICATIONS, sent } from '../shops/notifications';
import { fieldsOf, isSale, read } from '../shops/run';

const shops = Object.keys(SHOPS).map((file) => file.replace('shop-', ''));

it('there is a file in examples/shops/notifications for each shop, and no other', () => {
	expect(Object.keys(NOTIFICATIONS).sort()).toEqual([...shops].sort());
});

describe.each(shops.filter((shop) => NOTIFICATIONS[shop]))('notifications of %s', (shop) => {
	const example = recipeFor(SHOPS[`shop-${shop}`]!);

	it.each(NOTIFICATIONS[shop]!.map((one) => [one.name, one] as const))('%s', (_, notification) => {
		const result = read(example, sent(shop, notification));
		const { code, sale, reason } = notification.expect;
		const products = result.products && (JSON.parse(String(result.products)) as unknown);
		expect({ ...result, products }).toMatchObject({ ...sale, ...(code && { code }) });
		expect(result.reason ?? '').toContain(reason ?? '');
		// What gives nothing says why, and what is a sale has no answer yet.
		expect(Boolean(result.reason)).toBe(code !== undefined);
		expect(isSale(example, result)).toBe(code === undefined);
	});

	it('are at least twelve', () => {
		expect(NOTIFICATIONS[shop]!.length).toBeGreaterThanOrEqual(12);
	});

	it('tell first of a payment of ana@example.com, and of its refund', () => {
		const [paid, refunded] = (['paid', 'refunded'] as const).map((status) =>
			read(example, sent(shop, aboutAnother(shop, status, 70_001))),
		);
		expect(paid).toMatchObject({ status: 'paid', email: 'ana-70001@example.com' });
		expect(paid!.paymentId).toMatch(/70001$/);
		expect(refunded).toMatchObject({ status: 'refunded', paymentId: paid!.paymentId });
	});

	it('hands nothing to Class access that was not read', () => {
		for (const notification of NOTIFICATIONS[shop]!) {
			// n8n passes the fields on as they are if it has no task runner for the code.
			expect(isSale(example, fieldsOf(example, sent(shop, notification)))).toBe(false);
		}
	});
});
