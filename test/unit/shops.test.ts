import { CLASS_ACCESS } from '../../examples/shops/classAccess';
import { recipeFor } from '../../examples/shops/recipe';
import { SHOPS } from '../../examples/shops/shops';
import { Execution } from '../canvas/execution';
import { Service } from '../classAccess/service';
import type { Workflow } from '../n8n/workflows';
import { aboutAnother, NOTIFICATIONS, sent, type Sent } from '../shops/notifications';

const READ = 'Read Notification';

/** What a shop's example makes of a notification, and how it ends. */
function receive(example: Workflow, { headers, query, body, text }: Sent) {
	const world = { tables: {}, service: new Service([]), now: Date.now() };
	const execution = new Execution(example, world, 'Notification Received');
	let error = '';
	try {
		Array.from(execution.start([{ json: { headers, query, body }, raw: text }]));
	} catch (thrown) {
		error = (thrown as Error).message;
	}
	const result = execution.runs.get(READ)![0]![0]!.json;
	return { result, error, isSale: execution.runs.has(CLASS_ACCESS) };
}

const shops = Object.keys(SHOPS).map((file) => file.replace('shop-', ''));

it('each shop has at least twelve notifications in examples/shops/notifications, and no other has', () => {
	expect(Object.keys(NOTIFICATIONS).sort()).toEqual([...shops].sort());
	for (const all of Object.values(NOTIFICATIONS)) expect(all.length).toBeGreaterThanOrEqual(12);
});

describe.each(shops.filter((shop) => NOTIFICATIONS[shop]))('notifications of %s', (shop) => {
	const example = recipeFor(SHOPS[`shop-${shop}`]!);

	it.each(NOTIFICATIONS[shop]!.map((one) => [one.name, one] as const))('%s', (_, notification) => {
		const { result, error, isSale } = receive(example, sent(shop, notification));
		const { sale, reason, ...expected } = notification.expect;
		const products = sale?.products === undefined ? {} : { products: String(sale.products) };
		expect({ ...result, products: String(result.products) }).toMatchObject({
			...sale,
			...products,
		});
		expect(result.result).toBe(expected.result);
		expect(result.reason ?? '').toContain(reason ?? '');
		// What gives nothing says why, and what is a sale has no answer yet.
		expect(Boolean(result.reason)).toBe(expected.result !== undefined);
		expect(isSale).toBe(expected.result === undefined);
		expect(error === '').toBe(expected.result !== 'failed');
		expect(error).toContain(error && reason);
	});

	it('tell first of a payment of ana@example.com, and of its refund', () => {
		const [paid, refunded] = (['paid', 'refunded'] as const).map(
			(status) => receive(example, sent(shop, aboutAnother(shop, status, 70_001))).result,
		);
		expect(paid).toMatchObject({ status: 'paid', email: 'ana-70001@example.com' });
		expect(paid!.paymentId).toMatch(/70001$/);
		expect(refunded).toMatchObject({ status: 'refunded', paymentId: paid!.paymentId });
	});

	it('hands nothing to Class access that was not read', () => {
		// n8n passes the fields on as they are if it has no task runner for the code.
		const nodes = example.nodes.map((node) =>
			node.name === READ ? { ...node, parameters: { jsCode: 'return $input.all();' } } : node,
		);
		for (const notification of NOTIFICATIONS[shop]!)
			expect(receive({ ...example, nodes }, sent(shop, notification)).isSale).toBe(false);
	});
});

it('reads of another shop what the user has filled in, and else what has the usual name', () => {
	const other = SHOPS['shop-other']!;
	const [paymentId, products] = ['$json.body.order.id', '$json.body.order.lines'];
	const fields = { ...other.fields, paymentId, products, status: '$json.body.event' };
	const order = { id: 5501, lines: [{ sku: 'py-1' }, { sku: 'bonus' }] };
	const body = { event: 'order.paid', email: 'ana@example.com', products: 'none', order };
	const read = (changes: object, productCode = other.productCode) => {
		const sent = { headers: {}, query: {}, text: '', body: { ...body, ...changes } };
		return receive(recipeFor({ ...other, fields, productCode }), sent).result;
	};
	const sale = { paymentId: '5501', products: ['py-1', 'bonus'], email: 'ana@example.com' };
	expect(read({})).toMatchObject({ ...sale, status: 'paid' });
	// What is filled in and missing is not read elsewhere.
	expect(read({ event: null, status: 'paid' })).toMatchObject({ result: 'failed' });
	// Which of two fields has the code, only the user knows.
	const both = { order: { ...order, lines: [{ sku: 'py-1', product_id: 7, ref: 'a' }] } };
	expect(read(both)).toMatchObject({ result: 'failed' });
	expect(read(both, 'ref')).toMatchObject({ products: ['a'] });
});
