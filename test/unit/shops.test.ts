import { recipeFor } from '../../examples/shops/recipe';
import { SHOPS } from '../../examples/shops/shops';
import { NOTIFICATIONS, sent } from '../shops/notifications';
import { read } from '../shops/run';

describe.each(Object.keys(NOTIFICATIONS))('notifications of %s', (shop) => {
	const example = recipeFor(SHOPS[`shop-${shop}`]!);

	it.each(NOTIFICATIONS[shop]!.map((one) => [one.name, one] as const))('%s', (_, notification) => {
		const result = read(example, sent(shop, notification));
		const { code, sale, reason } = notification.expect;
		const products = result.products && (JSON.parse(String(result.products)) as unknown);
		expect({ ...result, products }).toMatchObject({ ...sale, ...(code && { code }) });
		expect(result.reason ?? '').toContain(reason ?? '');
		// What gives nothing says why, and what is a sale has no answer yet.
		expect(Boolean(result.reason)).toBe(code !== undefined);
	});
});

it('has at least twelve notifications of each shop', () => {
	const counts = Object.keys(SHOPS).map((file) => NOTIFICATIONS[file.slice(5)]?.length ?? 0);
	expect(Math.min(...counts)).toBeGreaterThanOrEqual(12);
});
