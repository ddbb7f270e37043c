import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { recipeFor } from '../../examples/shops/recipe';
import { SHOPS } from '../../examples/shops/shops';
import { Execution } from '../canvas/execution';
import { advance, begin, newWorld } from '../classAccess/story';
import type { Workflow } from '../n8n/workflows';
import { NOTIFICATIONS, ofOwnBuyer, sent, type Content } from '../shops/notifications';

const FILE = join(__dirname, '../../examples/class-access.json');
const CLASS_ACCESS = JSON.parse(readFileSync(FILE, 'utf8')) as Workflow;
const DAY = 86_400_000;
const ANA = 'ana@example.com c1';

/** A school with two products, one of which is no class, and a shop whose notifications Class access carries out. */
function openSchool(shop: string) {
	const world = newWorld(CLASS_ACCESS);
	world.now = Date.parse('2026-03-10T12:00:00Z');
	const products = world.tables.class_products!;
	products.rows = [];
	products.insert({ product: '11, prod-1', classId: 'c1', months: null }, 0);
	products.insert({ product: '99', classId: '-', months: null }, 0);
	const recipe = recipeFor(SHOPS[`shop-${shop}`]!);
	return {
		world,
		/** When access ends, by address and class. */
		ends: () => Object.fromEntries(world.service.students),
		/** Sends a notification, and returns why it fails, what Class access does, or `nothing`. */
		send(body: object, more: Content = {}): string {
			const { headers, query, text } = sent(shop, { ...more, body });
			const before = world.tables.class_sales!.rows.length;
			const execution = new Execution(recipe, world, 'Notification Received');
			try {
				const received = JSON.parse(text) as object;
				Array.from(execution.start([{ json: { headers, query, body: received }, raw: text }]));
			} catch (error) {
				return (error as Error).message;
			}
			const [sale] = world.tables.class_sales!.rows.slice(before);
			if (!sale) return 'nothing';
			const begun = begin(CLASS_ACCESS, world, sale);
			advance(begun);
			const { result, reason } = begun.execution.output[0]!.json as Record<string, string>;
			return result === 'failed' ? reason! : result!;
		},
		hour() {
			advance(begin(CLASS_ACCESS, world));
		},
	};
}

describe('WooCommerce', () => {
	const billing = { email: 'ana@example.com', first_name: 'Ana', last_name: 'Souza' };
	const order = (changes: object) => ({
		id: 1,
		status: 'processing',
		billing,
		date_paid_gmt: '2026-03-10T10:00:00',
		line_items: [{ product_id: 11, name: 'Course' }],
		...changes,
	});
	const unpaid = { payment_method: 'cod', date_paid: null, date_paid_gmt: null };
	const unsigned = { proof: 'none' as const };

	test('lets a ping pass without a signature, and nothing else that has a webhook_id', () => {
		const { send } = openSchool('woocommerce');
		expect(send({ webhook_id: 5 }, unsigned)).toBe('nothing');
		expect(send(order({ webhook_id: 5 }), unsigned)).toContain('Wrong signature');
	});

	test('adds nobody who pays on delivery before the money has arrived', () => {
		const { send, ends } = openSchool('woocommerce');
		expect(send(order(unpaid))).toBe('nothing');
		expect(send(order({ ...unpaid, status: 'cancelled' }))).toBe('nothing');
		expect(ends()).toEqual({});
		expect(send(order({ id: 2, payment_method: 'cod', status: 'completed' }))).toBe('added');
		expect(Object.keys(ends())).toEqual([ANA]);
	});

	// SUMO Subscriptions puts it under the first order, and says nothing else of it.
	test('prolongs the access by a renewal that only its origin tells', () => {
		const { send, ends, world } = openSchool('woocommerce');
		world.tables.class_products!.rows[0]!.months = 1;
		expect(send(order({}))).toBe('added');
		world.now += 30 * DAY;
		const paidAt = { date_paid_gmt: '2026-04-09T10:00:00' };
		expect(send(order({ ...paidAt, id: 2, parent_id: 1, created_via: 'sumo_subs' }))).toBe('added');
		expect(ends()[ANA]).toContain('2026-05-10');
	});

	// WooCommerce Subscriptions says so of an order that changes or resumes a subscription, at the checkout.
	test.each(['_subscription_switch', '_subscription_resubscribe'])(
		'asks for the months of a subscription that goes on with an order of its own (%s)',
		(key) => {
			const { send } = openSchool('woocommerce');
			const changes = { created_via: 'checkout', meta_data: [{ id: 1, key, value: '55' }] };
			expect(send(order(changes))).toContain('Enter its months in class_products');
		},
	);

	test.each(['wc_deposits', 'dokan', 'sumo_pp'])(
		'gives once what a part of an order has, too (%s)',
		(origin) => {
			const { send, ends, world } = openSchool('woocommerce');
			expect(send(order({ parent_id: 0 }))).toBe('added');
			const first = ends();
			const part = { id: 2, parent_id: 1, created_via: origin };
			for (const days of [0, 30, 30]) {
				world.now += days * DAY;
				expect(send(order({ ...part, id: (part.id += 1) }))).toBe('already processed');
			}
			expect(ends()).toEqual(first);
			expect(send(order({ ...part, status: 'refunded' }))).toContain('a part of order 1');
			expect(ends()).toEqual(first);
			expect(send(order({ status: 'refunded' }))).toBe('removed');
		},
	);

	test('takes an order for no part of another one if its numbers are texts', () => {
		const { send, ends } = openSchool('woocommerce');
		expect(send(order({ id: '1', parent_id: '0' }))).toBe('added');
		expect(send(order({ id: '1', parent_id: '0', status: 'refunded' }))).toBe('removed');
		expect(ends()).toEqual({});
	});

	test('needs no address for an order without a class', () => {
		const { send } = openSchool('woocommerce');
		const book = order({ billing: { email: '' }, line_items: [{ product_id: 99 }] });
		expect(send(book)).toBe('ignored');
	});

	test('gives the product that is there, and says the name of one that was deleted', () => {
		const { send, ends } = openSchool('woocommerce');
		const items = [
			{ product_id: 11, name: 'Course' },
			{ product_id: 0, name: 'Old ebook' },
		];
		expect(send(order({ line_items: items }))).toContain('Unknown product: Old ebook');
		expect(Object.keys(ends())).toEqual([ANA]);
	});
});

// PHP writes a list of which a plugin has removed the first item as an object, and often an empty one as an empty text.
describe('what PHP writes in place of a list', () => {
	const order = {
		id: 1,
		status: 'processing',
		billing: { email: 'ana@example.com' },
		date_paid_gmt: '2026-03-10T10:00:00',
		line_items: { 1: { product_id: 11 } },
	};
	const customer = { name: 'Ana', full_name: 'Ana', email: 'ana@example.com' };
	const ofTicto = { status: 'authorized', order: { hash: 't-1' }, item: { product_id: 'prod-1' } };
	const ofPerfectPay = { code: 'PP1', sale_status_enum: 2, product: { code: 'prod-1' } };

	test.each<[string, object]>([
		['woocommerce', order],
		['ticto', { ...ofTicto, bumps: { 1: { product_id: 99 } } }],
		['ticto', { ...ofTicto, bumps: '' }],
		['perfectpay', { ...ofPerfectPay, plan_itens: { 1: { item_code: 99 } } }],
		['perfectpay', { ...ofPerfectPay, plan_itens: '' }],
	])('is read as one: %s %j', (shop, sale) => {
		const { send, ends } = openSchool(shop);
		expect(send({ token: 'SECRET', customer, ...sale })).toBe('added');
		expect(Object.keys(ends())).toEqual([ANA]);
	});

	test('still tells a renewal of WooCommerce, which would give a year', () => {
		const { send } = openSchool('woocommerce');
		const metadata = { 1: { key: '_subscription_renewal', value: '55' } };
		expect(send({ ...order, meta_data: metadata })).toContain('Enter its months in class_products');
	});
});

// As Digistore24 tells of each item of an order, under its number.
test('another shop refunds an order item by item, and the access stays until all of it is refunded', () => {
	const { send, ends, world } = openSchool('other');
	world.tables.class_products!.insert({ product: '12', classId: 'c2', months: null }, 0);
	const item = (status: string, product: string) => ({
		paymentId: 'AA11',
		status,
		email: 'ana@example.com',
		products: product,
	});
	expect(send(item('paid', '11'))).toBe('added');
	expect(send(item('paid', '12'))).toBe('added');
	expect(send(item('refunded', '12'))).toContain('names a part of it');
	expect(Object.keys(ends())).toEqual([ANA, 'ana@example.com c2']);
	expect(send(item('refunded', '11'))).toBe('removed');
	expect(ends()).toEqual({});
});

test('another shop refunds all, if it names no product that can be read', () => {
	for (const products of [null, [], [null], [{ id: 1, name: 'x' }], ['11', '99'], '11']) {
		const { send, ends } = openSchool('other');
		const order = {
			paymentId: '1',
			status: 'paid',
			email: 'ana@example.com',
			products: ['11', '99'],
		};
		expect(send(order)).toBe('added');
		expect(send({ ...order, status: 'refunded', products })).toBe('removed');
		expect(ends()).toEqual({});
	}
});

test('an order of Shopify that is paid by hand counts from when it was paid', () => {
	const school = openSchool('shopify');
	const ordered = {
		id: 5001,
		email: 'ana@example.com',
		financial_status: 'pending',
		processed_at: '2025-01-10T10:00:00Z',
		payment_gateway_names: ['Cash on Delivery (COD)'],
		line_items: [{ product_id: 11, current_quantity: 1 }],
	};
	const paid = { ...ordered, financial_status: 'paid' };
	expect(school.send(ordered)).toBe('nothing');
	expect(school.send(paid)).toBe('added');
	school.world.now += 30 * DAY;
	expect(school.send(paid)).toBe('already processed');
	expect(new Date(school.ends()[ANA]!).toISOString()).toBe('2027-03-10T23:59:59.999Z');
});

const buyer = { name: 'Ana', full_name: 'Ana', email: 'ana@example.com' };

// What an instalment of other shops is, their notifications show.
describe('instalments', () => {
	const instalment = (number: number, isPaid = true) => ({
		event: isPaid ? 'PURCHASE_APPROVED' : 'PURCHASE_REFUNDED',
		data: {
			product: { id: 11 },
			buyer,
			purchase: {
				transaction: `HP${number}`,
				status: isPaid ? 'APPROVED' : 'REFUNDED',
				recurrence_number: number,
			},
			subscription: { subscriber: { code: 'SUB1' } },
		},
	});

	test('give the months of the product once, and a refund ends all', () => {
		const { send, ends, world } = openSchool('hotmart');
		expect(send(instalment(1))).toBe('added');
		const first = ends();
		expect(first[ANA]).toContain('2027-03-10');
		for (const number of [2, 3]) {
			world.now += 30 * DAY;
			expect(send(instalment(number))).toBe('already processed');
			expect(ends()).toEqual(first);
		}
		expect(send(instalment(1, false))).toBe('removed');
		expect(ends()).toEqual({});
	});

	test('count from the one that is heard of first', () => {
		const { send, ends } = openSchool('hotmart');
		expect(send(instalment(3))).toBe('added');
		expect(send(instalment(1))).toBe('already processed');
		expect(ends()[ANA]).toContain('2027-03-10');
	});
});

// That of others, whose charges never tell the next one, is among their notifications.
describe.each<[string, object]>([
	[
		'hotmart',
		{
			event: 'PURCHASE_COMPLETE',
			data: {
				product: { id: 11 },
				buyer,
				purchase: { transaction: 'HP1', status: 'COMPLETED', recurrence_number: 3 },
				subscription: { status: 'CANCELLED', plan: { id: 1 }, subscriber: { code: 'SUB1' } },
			},
		},
	],
	[
		'ticto',
		{
			token: 'SECRET',
			status: 'authorized',
			order: { transaction_hash: 't-1' },
			item: { product_id: 'prod-1' },
			customer: buyer,
			subscriptions: [{ id: 1 }],
		},
	],
	[
		'perfectpay',
		{
			token: 'SECRET',
			code: 'PP1',
			sale_status_enum: 2,
			product: { code: 'prod-1' },
			customer: buyer,
			subscription: { code: 'sub-1' },
		},
	],
	[
		'cakto',
		{
			secret: 'SECRET',
			event: 'subscription_renewed',
			data: { id: 'cakto-1', product: { id: 'prod-1' }, customer: buyer },
		},
	],
	[
		'hubla',
		{
			event: {
				products: [{ id: 'prod-1' }],
				invoice: { id: 'inv-2', type: 'renewal', status: 'paid', payer: buyer },
			},
		},
	],
])('a charge of a subscription of %s without the next one', (shop, charge) => {
	test('fails, until the months of its product are entered', () => {
		const { send, ends, world } = openSchool(shop);
		expect(send(charge)).toContain('Enter its months in class_products');
		expect(ends()).toEqual({});
		world.tables.class_products!.rows[0]!.months = 1;
		expect(send(charge)).toBe('added');
		expect(ends()[ANA]).toContain('2026-04-10');
	});
});

test('Hotmart refunds a charge of a subscription, whatever it says of the next one', () => {
	const { send, ends } = openSchool('hotmart');
	const sale = (status: string, more: object) => ({
		event: `PURCHASE_${status}`,
		data: {
			product: { id: 11 },
			buyer,
			purchase: { transaction: 'HP1', status, recurrence_number: 1, ...more },
			subscription: { plan: { id: 1 }, subscriber: { code: 'SUB1' } },
		},
	});
	expect(send(sale('APPROVED', { date_next_charge: Date.parse('2026-04-10') }))).toBe('added');
	expect(send(sale('COMPLETE', {}))).toBe('already processed');
	expect(ends()[ANA]).toContain('2026-04-15');
	expect(send(sale('REFUNDED', {}))).toBe('removed');
	expect(ends()).toEqual({});
});

describe('Kiwify', () => {
	const order = (changes: object) => ({
		order_id: 'order-1',
		order_status: 'paid',
		approved_date: '2026-03-10 11:09',
		webhook_event_type: 'order_approved',
		Product: { product_id: 'prod-1' },
		Customer: buyer,
		...changes,
	});

	test('counts an order from when it was approved, however late it is sent', () => {
		const { send, ends } = openSchool('kiwify');
		expect(send(order({ approved_date: '2025-06-15 11:09' }))).toBe('added');
		expect(ends()[ANA]).toContain('2026-06-15');
	});

	test('takes a charge that is sent again for no other one', () => {
		const { send, ends, world } = openSchool('kiwify');
		const Subscription = { status: 'active', next_payment: '2026-04-10T12:00:00.000Z' };
		const charge = order({ Subscription });
		expect(send(charge)).toBe('added');
		world.now += 20 * DAY;
		expect(send(charge)).toBe('already processed');
		expect(ends()[ANA]).toContain('2026-04-15');
		world.now += 20 * DAY;
		expect(send(charge)).toBe('ignored');
	});
});

test('PerfectPay completes a charge when the next one is due, and its access ends as before', () => {
	const { send, ends, world } = openSchool('perfectpay');
	const charge = (sale_status_enum: number) => ({
		token: 'SECRET',
		code: 'PP1',
		sale_status_enum,
		date_approved: '2026-03-10 12:00:00',
		product: { code: 'prod-1' },
		customer: { email: 'ana@example.com', full_name: 'Ana' },
		subscription: { code: 'sub-1', next_charge_date: '2026-04-10' },
	});
	expect(send(charge(2))).toBe('added');
	world.now = Date.parse('2026-04-10T12:00:00Z');
	expect(send(charge(10))).toBe('already processed');
	expect(ends()[ANA]).toContain('2026-04-15');
});

test('a monthly subscription of Cakto goes on from charge to charge, and ends after the days of grace', () => {
	const { send, ends, hour, world } = openSchool('cakto');
	const charge = (month: number, next: string) => ({
		secret: 'SECRET',
		event: month === 3 ? 'purchase_approved' : 'subscription_renewed',
		data: {
			id: `cakto-${month}`,
			product: { id: 'prod-1' },
			customer: { email: 'ana@example.com', name: 'Ana' },
			subscription: { next_payment_date: next, recurrence_period: 30 },
			paidAt: new Date(world.now).toISOString(),
		},
	});
	expect(send(charge(3, '2026-04-10T12:00:00Z'))).toBe('added');
	expect(ends()[ANA]).toBe('2026-04-15T12:00:00.000Z');
	world.now = Date.parse('2026-04-12T12:00:00Z');
	// Still with the date of its own charge.
	expect(send(charge(4, '2026-04-10T12:00:00Z'))).toBe('added');
	expect(ends()[ANA]).toBe('2026-05-17T12:00:00.000Z');
	world.now = Date.parse('2026-05-17T13:00:00Z');
	hour();
	expect(ends()).toEqual({});
});

test.each(Object.keys(SHOPS).map((file) => file.replace('shop-', '')))(
	'what %s sells is carried out, or it is said why not',
	(shop) => {
		const { send, world } = openSchool(shop);
		for (const product of ['12', 'prod-2', 'data'])
			world.tables.class_products!.insert({ product, classId: 'c2' }, 0);
		for (const product of ['plink_1', 'python', '[2027] Python', '[Python]'])
			world.tables.class_products!.insert({ product, classId: 'c1' }, 0);
		for (const notification of NOTIFICATIONS[shop]!.filter(({ expect: { sale } }) => sale)) {
			const { name, expect: expected } = notification;
			const { body, ...more } = ofOwnBuyer(shop, notification);
			const result = send(body as object, more);
			const isDone = ['added', 'removed', 'already processed', 'ignored'].includes(result);
			expect([name, isDone || result]).toEqual([
				name,
				expected.fails ? (expect.stringContaining(expected.fails) as string) : true,
			]);
		}
	},
);
