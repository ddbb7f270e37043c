import { CLASS_ACCESS } from '../../examples/classAccess/workflow';
import { SALE_COLUMNS } from '../../examples/classAccess/types';
import { failureOf, type NodeOutput } from '../../examples/shops/didItFail';
import type { NotificationFields } from '../../examples/shops/notification';
import { rulesOf as rulesOfHubla } from '../../examples/shops/hubla/rules';
import { rulesOf as rulesOfKiwify } from '../../examples/shops/kiwify/rules';
import { nameOf, paymentIdOf } from '../../examples/shops/paymentId';
import { readNotification } from '../../examples/shops/readNotification';
import { isOnList } from '../../examples/reading/words';
import { recipeFor } from '../../examples/shops/recipe';
import type { Shop } from '../../examples/shops/shop';
import { rulesOf as rulesOfShopify } from '../../examples/shops/shopify/rules';
import { SHOPS } from '../../examples/shops/shops';
import { rulesOf as rulesOfWooCommerce } from '../../examples/shops/woocommerce/rules';
import { Execution } from '../canvas/execution';
import { Service } from '../classAccess/service';
import { Table } from '../classAccess/tables';
import type { Workflow } from '../n8n/workflows';
import { aboutAnother, NOTIFICATIONS, sent, type Content, type Sent } from '../shops/notifications';

const READ = 'Read Notification';
const [RECORD, ANSWER] = ['Record Sale', 'Answer the Shop'];
const NOW = Date.parse('2026-03-10T12:00:00Z');

/** What a shop's workflow makes of a notification, which nodes it runs in turn, and how it ends. */
function receive(example: Workflow, { headers, query, body, text }: Sent, now = NOW) {
	const sales = new Table(SALE_COLUMNS);
	const world = { tables: { class_sales: sales }, service: new Service([]), now };
	const execution = new Execution(example, world, 'Notification Received');
	let error = '';
	try {
		Array.from(execution.start([{ json: { headers, query, body }, raw: text }]));
	} catch (thrown) {
		error = (thrown as Error).message;
	}
	const [sale] = execution.runs.get(READ)![0]!;
	const [noSale] = execution.second.get(READ)!;
	return {
		read: sale ? saleIn(sale.json) : noSaleIn(String(noSale!.json.error)),
		error,
		recorded: sales.rows,
		isCarriedOut: execution.runs.has(CLASS_ACCESS),
		nodes: [...execution.runs.keys()],
	};
}

type Read = Record<string, unknown>;

const saleIn = ({ products, ...sale }: Read): Read => ({
	...sale,
	products: JSON.parse(products as string) as unknown,
});

function noSaleIn(error: string): Read {
	const result = error.startsWith('Nothing to do: ') ? 'ignored' : 'failed';
	return { result, reason: error.replace('No sale: ', '') };
}

/** The first payment of a shop, with something else in place of its number. */
function withPaymentId(shop: string, json: string): Content {
	const paid = NOTIFICATIONS[shop]!.find(({ expect: { sale } }) => sale?.kind === 'paid')!;
	const number = paid.expect.sale!.paymentId.split(' ').at(-1)!;
	const text = JSON.stringify(paid.body).replace(
		new RegExp(`(?<=:)"?${number}"?(?=[,}])`, 'g'),
		json,
	);
	return { ...paid, body: JSON.parse(text) as unknown };
}

const shops = Object.keys(SHOPS).map((file) => file.replace('shop-', ''));
const exampleOf = (shop: string) => recipeFor(SHOPS[`shop-${shop}`]!);

it('each shop has at least twelve notifications in examples/shops/notifications, and no other has', () => {
	expect(Object.keys(NOTIFICATIONS).sort()).toEqual([...shops].sort());
	for (const all of Object.values(NOTIFICATIONS)) expect(all.length).toBeGreaterThanOrEqual(12);
});

describe.each(shops)('notifications of %s', (shop) => {
	const example = exampleOf(shop);

	it.each(NOTIFICATIONS[shop]!.map((one) => [one.name, one] as const))('%s', (_, notification) => {
		const { read, error, recorded, isCarriedOut } = receive(example, sent(shop, notification));
		const { sale, result, reason } = notification.expect;
		if (sale) expect(read).toMatchObject(sale);
		expect(read).toMatchObject(result ? { result } : { kind: sale?.kind });
		// What gives nothing says why.
		expect(read.reason ?? '').toContain(reason ?? '');
		expect(Boolean(read.reason)).toBe(result !== undefined);
		expect(recorded).toHaveLength(result ? 0 : 1);
		expect(isCarriedOut).toBe(result === undefined);
		expect(error === '').toBe(result !== 'failed');
		expect(error).toContain(error && reason);
	});

	it('mean the same if the words of a status are written in the other case', () => {
		const lists = Object.values(SHOPS[`shop-${shop}`]!.words);
		const inOtherCase = (_: string, value: unknown): unknown => {
			if (typeof value !== 'string' || !lists.some((list) => isOnList(value, list))) return value;
			return value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase();
		};
		const meant = ({ read: { reason, ...rest } }: ReturnType<typeof receive>) => [
			String(reason).toLowerCase(),
			rest,
		];
		// A ping is known by its word alone.
		for (const notification of NOTIFICATIONS[shop]!.filter(({ name }) => !/ping/.test(name))) {
			const body = JSON.parse(JSON.stringify({ of: notification.body }, inOtherCase)) as {
				of?: unknown;
			};
			const changed = receive(example, sent(shop, { ...notification, body: body.of }));
			expect([notification.name, ...meant(changed)]).toEqual([
				notification.name,
				...meant(receive(example, sent(shop, notification))),
			]);
		}
	});

	it('tell first of a payment of ana@example.com, and of its refund', () => {
		const [paid, refunded] = (['paid', 'refunded'] as const).map(
			(kind) => receive(example, sent(shop, aboutAnother(shop, kind, 70_001))).recorded[0],
		);
		expect(paid).toMatchObject({ kind: 'paid', email: 'ana-70001@example.com' });
		expect(paid!.paymentId).toMatch(/70001$/);
		expect(refunded).toMatchObject({ kind: 'refunded', paymentId: paid!.paymentId });
	});

	test.each([
		['an object', '{"id":1}', 'is an object'],
		['a list', '[1]', 'is a list'],
		['an empty text', '""', 'The payment ID is missing.'],
		['too large a number', '820982911946154508', 'too large to be exact'],
		['true', 'true', ''],
	])('fail if the number of the payment is %s', (_, number, reason) => {
		const { recorded, error } = receive(example, sent(shop, withPaymentId(shop, number)));
		expect(recorded).toEqual([]);
		expect(error).toContain(reason);
		expect(error).not.toBe('');
	});

	it('have no payment whose number nobody sees', () => {
		const hidden = (json: string) => receive(example, sent(shop, withPaymentId(shop, json)));
		expect(hidden('"\u200b"').error).toContain('The payment ID is missing.');
		const [sale] = hidden('"\u200bA1\ufeff"').recorded;
		expect(sale!.paymentId).toMatch(/(^| )A1$/);
	});

	it('records nothing that was not read', () => {
		// n8n has no task runner for the code.
		const nodes = example.nodes.map((node) =>
			node.name === READ
				? { ...node, parameters: { jsCode: "throw new Error('No task runner')" } }
				: node,
		);
		const paid = sent(shop, aboutAnother(shop, 'paid', 1));
		const { recorded, error } = receive({ ...example, nodes }, paid);
		expect(recorded).toEqual([]);
		expect(error).toContain('No task runner');
	});

	it('are recorded before the shop is answered, and answered before the work begins', () => {
		const { nodes } = receive(example, sent(shop, aboutAnother(shop, 'paid', 1)));
		const inOrder = SHOPS[`shop-${shop}`]!.isAnsweredAtOnce
			? [READ, RECORD, ANSWER, CLASS_ACCESS]
			: [READ, RECORD, CLASS_ACCESS];
		expect(nodes.slice(-inOrder.length)).toEqual(inOrder);
	});
});

describe('another shop', () => {
	const other = SHOPS['shop-other']!;
	const SALE = { paymentId: '1', status: 'paid', email: 'ana@example.com', products: ['11'] };
	/** Stands for a number in JSON that JavaScript rounds. */
	const LARGE = 'a large number';
	/** What the user has changed in **What the Shop Sends**. */
	type Changes = { [Part in 'fields' | 'words' | 'settings']?: Partial<Shop[Part]> };

	function send(body: object, { fields, words, settings }: Changes = {}) {
		const shop = {
			...other,
			fields: { ...other.fields, ...fields },
			words: { ...other.words, ...words },
			settings: { ...other.settings, ...settings },
		};
		const text = JSON.stringify(body).replaceAll(`"${LARGE}"`, '820982911946154508');
		const received = { headers: {}, query: {}, text: '', body: JSON.parse(text) as unknown };
		return receive(recipeFor(shop), received);
	}
	/** What is read of a sale with these changes. */
	const read = (changes: object, shop?: Changes) => send({ ...SALE, ...changes }, shop).read;
	/** With one more status on a list. */
	const withWord = (list: 'paid' | 'refunded' | 'nothingToDo', word: string): Changes => ({
		words: { [list]: `${other.words[list]}, ${word}` },
	});
	const IGNORED = { result: 'ignored' };
	const FAILED = { result: 'failed' };
	const PAID = { kind: 'paid' };
	const REFUNDED = { kind: 'refunded' };

	it('is read by what the user has filled in, and else by the usual names', () => {
		const [paymentId, products] = ['$json.body.order.id', '$json.body.order.lines'];
		const fields = { paymentId, products, status: '$json.body.event' };
		const order = { id: 5501, lines: [{ sku: 'py-1' }, { sku: 'bonus' }] };
		const body = { event: 'paid', email: 'ana@example.com', products: 'none', order };
		const changed = (changes: object, settings = {}) =>
			send({ ...body, ...changes }, { fields, settings }).read;
		const sale = { paymentId: '5501', products: ['py-1', 'bonus'], email: 'ana@example.com' };
		expect(changed({})).toMatchObject({ ...sale, kind: 'paid' });
		// What is filled in and missing is not read elsewhere.
		expect(changed({ event: null, status: 'paid' })).toMatchObject(FAILED);
		// Which of two fields has the code, only the user knows.
		const both = { order: { ...order, lines: [{ sku: 'py-1', product_id: 7, ref: 'a' }] } };
		expect(changed(both)).toMatchObject(FAILED);
		expect(changed(both, { productCode: 'ref' })).toMatchObject({ products: ['a'] });
	});

	const YES = [true, 'true', 1, 'monthly', 'sub_1', { id: 1 }];
	const NO = [undefined, null, false, 'False', 0, '0', '', ' ', 'no', {}, [], 'null'];
	test.each([
		...YES.map((said) => [said, true] as const),
		...NO.map((said) => [said, false] as const),
	])('knows by %j whether it is of a subscription: %j', (said, isSubscription) => {
		const fields = { isSubscription: '$json.body.plan' };
		expect(read({ isSubscription: said })).toMatchObject({ isSubscription });
		expect(read({ plan: said }, { fields })).toMatchObject({ isSubscription });
	});

	// As Gumroad, Paddle, and Thinkific say it.
	test.each([
		{ subscription_id: 'sub_1' },
		{ subscriptionId: 7 },
		{ is_recurring_charge: 'true' },
		{ recurring: true },
		{ subscription: { id: 1 } },
		{ isSubscription: null, is_subscription: 1 },
		// As Kirvano calls a renewal.
		{ event: 'SUBSCRIPTION_RENEWED' },
		{ data: { type: 'recurring' } },
		// As Memberful, Lastlink, FastSpring, and ClickBank list it.
		{ order: { subscriptions: [{ id: 1 }] } },
		{ Data: { Subscriptions: [{ Id: 's1', ProductId: '11' }] } },
		{ Event: 'Recurrent_Payment' },
		{ tipo: 'suscripción', suscripcion_id: 7 },
		{ events: [{ type: 'subscription.charge.completed' }] },
		{ lineItems: [{ itemNo: '11', recurring: true }] },
		// As Greenn, Whop, Creem, and Xendit say it.
		{ sale: { id: 1, type: 'SUBSCRIPTION' } },
		{ data: { plan: { plan_type: 'renewal' } } },
		{ object: { product: { billing_type: 'recurring' } } },
		{ recurring_payment_id: 'rp1' },
		// As Paystack tells the plan of a charge, which has none otherwise.
		{ data: { plan: { interval: 'monthly' } } },
		// As Monetizze, Braip, and Doppus say it.
		{ assinatura: { codigo: 'a1' } },
		{ type: 'ASSINATURA_RENOVADA' },
		{ tipo: 'plano_recorrente' },
		{ subs_key: 'sub1' },
		{ recurrence: { periodicy: 'monthly' } },
		// As Whop says why it charges.
		{ data: { billing_reason: 'subscription_cycle' } },
	])('knows a subscription by %j, unless the owner has filled in another field', (said) => {
		expect(read(said)).toMatchObject({ isSubscription: true });
		const fields = { isSubscription: '$json.body.plan' };
		expect(read(said, { fields })).toMatchObject({ isSubscription: false });
	});

	test.each([
		{ subscription_id: null, recurring: false, subscription: {} },
		{ is_subscribed: true, subscriptions_url: 'https://example.com', recurring_total: 9 },
		{ event: 'order.paid', type: 'product' },
		{ order: { subscriptions: [] }, data: { plan: {} }, subs_key: '', recurrence: null },
		{ price: { type: 'non_recurring' }, payment_type: 'one-time', sale: { type: 'TRANSACTION' } },
		{ product: { type: 'refundable' }, lineItems: [{ recurring: false }] },
		{ payment: { installments: { quantity: 12, interval: 1 } }, interval: 'one_time' },
		{ data: { billing_reason: 'one_time' }, order: { billing_reason: 'purchase' } },
	])('knows no subscription by %j', (said) => {
		expect(read(said)).toMatchObject({ isSubscription: false });
	});

	test.each([
		['已付款', '已付款'],
		['"оплачен, не отправлен"', 'Оплачен, не отправлен'],
	])('adds a status that the owner has entered: %s', (entered, status) => {
		expect(read({ status }, withWord('paid', entered))).toMatchObject(PAID);
	});

	test.each([
		['refund', 'completed'],
		['SALE_REFUNDED', 'APPROVED'],
		['chargeback', 'paid'],
		['reembolso', 'concluído'],
		['charged_back', 'paid'],
	])('takes a refund for one by its event %s, though its status is %s', (event, status) => {
		const names = [
			...['event', 'event_name', 'eventType', 'webhook_event_type', 'topic'],
			// As PayPal, Mollie, Stripe, Shopify, and Thinkific call what they tell of.
			...['resource_type', 'resource', 'object', 'kind', 'action', 'transactionType'],
			// As Gumroad, Paddle, Xsolla, Solidgate, and Adyen do, and shops in Portuguese.
			...['resource_name', 'alert_name', 'notification_type', 'callback_type'],
			...['eventCode', 'evento', 'tipo'],
			// As CloudPayments, VTB, and 2Checkout do.
			...['OperationType', 'operation_type', 'operation', 'message_type'],
			// As SeloraX, Digistore24, and Guru do.
			...['event_topic', 'event_label', 'webhook_type'],
		];
		for (const name of names) expect(read({ [name]: event, status })).toMatchObject(REFUNDED);
	});

	test.each([
		...['subscription_canceled', 'order.cancelled', 'dispute.lost', 'invoice.payment_failed'],
		...['payment.capture.reversed', 'payment.sale.denied', 'payment.authorization.voided'],
		// The buyer has approved it, and PayPal has captured nothing yet.
		...['checkout.order.approved', 'payments.payment.created'],
		// As shops in other languages call it.
		...['contracargo', 'pedido_devuelto', 'pago_rechazado', 'pago_fallido', 'pedido.anulado'],
		...['remboursement', 'rimborso', 'erstattung', 'storniert', 'pagamento_contestado'],
		// As Authorize.Net and Akurateco call it.
		...['net.authorize.payment.void.created', 'void', 'subscription_trial_started'],
	])('asks what %s means beside a status of paid, which may be that of the last order', (event) => {
		const reason = String(read({ event }).reason).toLowerCase();
		expect(reason).toContain(`unknown status: "${event}"`);
		expect(read({ event }, withWord('nothingToDo', event))).toMatchObject(IGNORED);
	});

	test.each([
		[{ type: 'refund' }, REFUNDED],
		[{ event: 'order.refunded' }, FAILED],
		[{ paid: false }, FAILED],
		// As Stripe and Razorpay tell of a charge that is only authorized.
		[{ captured: false }, FAILED],
		[{ payment_status: 'pending' }, IGNORED],
		[{ payment: { status: 'pending' } }, IGNORED],
		[{ subscription_id: 'sub_1' }, { kind: 'paid', isSubscription: true }],
		[{ product: { type: 'refundable' } }, { kind: 'paid', isSubscription: false }],
	])('reads %j also within what the notification is wrapped in', (said, expected) => {
		const wrappers = ['data', 'payload', 'resource', 'data.object', 'data.attributes'];
		for (const path of [...wrappers, 'order', 'data.transaction', 'venda', 'body.sale']) {
			const names = ['paymentId', 'status', 'email', 'products'];
			const fields = Object.fromEntries(names.map((name) => [name, `$json.body.${path}.${name}`]));
			const body = path
				.split('.')
				.reduceRight<object>((inner, name) => ({ [name]: inner }), { ...SALE, ...said });
			expect(send(body, { fields }).read).toMatchObject(expected);
		}
	});

	// As FastSpring, Cakto, and CloudEvents may send them.
	test.each<[string, (events: object[]) => object]>([
		['events', (events) => ({ events })],
		['data', (data) => ({ event: 'order.completed', data })],
		['', (events) => events],
	])(
		'says what to do if a notification tells of several events in "%s", of which one would be forgotten',
		(name, sent) => {
			const path = name && `.${name}`;
			const fields = Object.fromEntries(
				Object.keys(SALE).map((field) => [field, `$json.body${path}[0].order.${field}`]),
			);
			const reading = (...events: object[]) => send(sent(events), { fields: fields }).read;
			const event = (order: object) => ({ type: 'order.completed', order: { ...SALE, ...order } });
			expect(reading(event({}))).toMatchObject(PAID);
			expect(reading(event({}), event({ paymentId: '2' })).reason).toContain(
				'The notification tells of 2 events, of which only one can be read.',
			);
		},
	);

	it('takes a list of products for no list of events', () => {
		const data = [{ sku: '11' }, { sku: '12' }];
		const fields = { products: '$json.body.data' };
		expect(read({ data }, { fields })).toMatchObject({ products: ['11', '12'] });
	});

	it('asks what an event means that speaks of money given back, beside the status of a refund', () => {
		const refund = { event_type: 'PAYMENT.CAPTURE.REFUNDED', resource: { status: 'COMPLETED' } };
		const fields = { status: '$json.body.resource.status' };
		expect(read(refund, { fields })).toMatchObject(FAILED);
	});

	// As PagBank, Polar, Xendit, and Paysera say that money came, or how much, or when.
	test.each<[object, object]>([
		...[
			{ amount: { summary: { total: 500, paid: 0, refunded: 500 } } },
			{ amount: { summary: { total: 500, paid: 500, refunded: 0 } } },
			...[{ paid: true }, { is_paid: '1' }, { paid_amount: '5.00' }, { amountPaid: 5 }],
			...[{ paid_total: 5 }, { totalRefunded: 5 }],
			// As Aprovei, PerfectPay, and shops in Portuguese call it.
			...['date_approved', 'approved_at', 'data_pagamento', 'dataAprovacao', 'pago_em'].map(
				(name) => ({ [name]: '2026-03-01 10:00:00' }),
			),
		].map((said): [object, object] => [said, FAILED]),
		...[
			{ amount: { summary: { total: 500, paid: 0, refunded: 0 } } },
			...[{ paid: false }, { is_paid: '0' }, { paid_amount: '0.00' }, { amountPaid: null }],
			// As PHP writes no date.
			{ approved_at: '0000-00-00 00:00:00' },
		].map((said): [object, object] => [said, IGNORED]),
	])('of a payment that is cancelled, and has %j, reads %j', (said, expected) => {
		expect(read({ status: 'cancelled', data: [said] })).toMatchObject(expected);
	});

	// As Payhip, Razorpay, and Dodo say it.
	test.each([
		{ price: 900, amount_refunded: 300 },
		{ payload: { payment: { entity: { amount: '5000', amount_refunded: '1900' } } } },
		{ payload: { payment: { entity: { refund_status: 'partial' } } } },
		{ data: { is_partial: true } },
		{ partially_refunded: 'true' },
		// As Mollie, Square, and Paymob say it.
		{ amount: { value: '9.00' }, amountRefunded: { value: '3.00' } },
		{ amount_money: { amount: 900 }, refunded_money: { amount: 300 } },
		{ obj: { is_refunded: false, amount_cents: 900, refunded_amount_cents: 300 } },
		// As Medusa, Saleor, and PayPal call it.
		{ order: { total: 900, refunded_total: 300 } },
		{ order: { total: { amount: 900 }, totalRefunded: { amount: 300 } } },
		{ resource: { amount: { value: '9.00' }, total_refunded_amount: { value: '3.00' } } },
		// As Mercado Pago and Paddle say it.
		{ data: { status_detail: 'partially_refunded' } },
		{ data: { type: 'partial' } },
	])('takes nothing back if only a part may be refunded: %j', (said) => {
		const { reason } = read({ status: 'refunded', ...said });
		expect(reason).toContain('The refund may be of a part, or have failed, so the access stays.');
		expect(read(said)).toMatchObject(PAID);
	});

	// As Gumroad and Paddle tell of it.
	test.each([
		{ resource_name: 'refund', refunded: 'false', status: 'paid' },
		{ event_type: 'adjustment.updated', data: { action: 'refund', type: 'partial' } },
		// As Adyen says that it failed.
		{ status: 'refund', notificationItems: [{ NotificationRequestItem: { success: 'false' } }] },
	])('takes nothing back by an event of a refund that is of a part, or failed: %j', (said) => {
		const { reason } = read({ status: 'approved', ...said });
		expect(reason).toContain('The refund may be of a part, or have failed, so the access stays.');
	});

	test.each([
		{ resource_name: 'refund', refunded: 'true' },
		{ event_type: 'adjustment.updated', data: { action: 'refund', type: 'full' } },
		{ event: 'chargeback', refunded: false },
		// As Ecwid says what it was before.
		{ data: { oldPaymentStatus: 'PARTIALLY_REFUNDED', newPaymentStatus: 'REFUNDED' } },
		{ previous_status: 'partially_refunded' },
		// Parts that add up to all.
		{
			total: 9,
			refunds: [
				{ amount: 3, type: 'partial' },
				{ amount: 6, type: 'partial' },
			],
		},
		{ history: [{ status: 'paid' }, { status: 'partially_refunded' }, { status: 'refunded' }] },
		{ product: { type: 'full', fulfillment_status: 'partial' } },
		{ price: 900, amount_refunded: 900 },
		{ price: 900, refunded: 1 },
		{ price: 900, refunded_amount: null },
		{ refund_status: 'full', is_partial: false, partially_refunded: 0 },
	])('takes all back with %j', (said) => {
		expect(read({ status: 'refunded', ...said })).toMatchObject(REFUNDED);
	});

	// As Memberful says it.
	it('asks what it means if a payment is one of a trial', () => {
		const order = (in_trial_period: boolean) => ({ subscriptions: [{ id: 1, in_trial_period }] });
		const { reason } = read({ order: order(true) });
		expect(reason).toContain('Unknown status: "in_trial_period: true"');
		expect(read({ order: order(false) })).toMatchObject(PAID);
		expect(read({ status: 'refunded', is_trial: 1 })).toMatchObject(REFUNDED);
		expect(read({ trial_days: 1, trial: null })).toMatchObject(PAID);
		// As MemberPress says that a plan begins with one, whatever is paid.
		for (const name of ['membership', 'product', 'plan', 'price', 'offer'])
			expect(read({ data: { [name]: { trial: true } } })).toMatchObject(PAID);
	});

	// As Square says of what it calls approved.
	it('asks what it means if a card is only authorized', () => {
		const payment = (status: string) => ({ object: { payment: { card_details: { status } } } });
		expect(read({ status: 'approved', data: payment('AUTHORIZED') }).reason).toContain(
			'Unknown status: "card_details: authorized"',
		);
		expect(read({ status: 'completed', data: payment('CAPTURED') })).toMatchObject(PAID);
		expect(read({ history: [{ status: 'authorized' }, { status: 'paid' }] })).toMatchObject(PAID);
	});

	// As Gumroad tells of what is charged only when it is published.
	it('asks what it means if a payment is only authorized, as it was ordered early', () => {
		const flag = { is_preorder_authorization: 'true' };
		const word = 'is_preorder_authorization: true';
		expect(read(flag).reason).toContain(`Unknown status: "${word}"`);
		expect(read(flag, withWord('nothingToDo', word))).toMatchObject(IGNORED);
		expect(read({ is_preorder_authorization: 'false', is_preorder: true })).toMatchObject(PAID);
	});

	// As Whop says beside its status, which stays paid.
	test.each<[object, object]>([
		[{ substatus: 'refunded' }, REFUNDED],
		[{ substatus: 'auto_refunded' }, { reason: expect.stringContaining('"auto_refunded"') }],
		[{ substatus: 'dispute_lost' }, { reason: expect.stringContaining('"dispute_lost"') }],
		[{ substatus: 'canceled' }, IGNORED],
		[{ sub_status: 'succeeded' }, PAID],
		[{ status_detail: 'accredited' }, PAID],
		[{ status_detail: 'charged_back' }, REFUNDED],
	])('reads %j beside a status of paid', (said, expected) => {
		expect(read({ data: said })).toMatchObject(expected);
	});

	// As Shopify, Teachable, and Whop say it.
	test.each(['cancelled_at', 'canceledAt', 'refunded_at', 'dateRefunded', 'chargedback_at'])(
		'asks what %s means beside a status of paid',
		(name) => {
			const at = { order: { [name]: '2026-03-10T10:00:00Z' } };
			expect(read(at).reason).toContain(`Unknown status: "${name}: a date"`);
			expect(read({ ...at, status: 'refunded' })).toMatchObject(REFUNDED);
			expect(read({ order: { [name]: null } })).toMatchObject(PAID);
			expect(read({ order: { [name]: '0000-00-00 00:00:00' } })).toMatchObject(PAID);
		},
	);

	// As Swell and Stripe say it.
	test.each(['canceled', 'is_cancelled', 'disputed'])(
		'asks what %s means if it is paid',
		(name) => {
			expect(read({ [name]: true }).reason).toContain(`Unknown status: "${name}: true"`);
			expect(read({ [name]: false })).toMatchObject(PAID);
		},
	);

	// As Asaas numbers the instalments of a sale, each of which is a payment.
	test.each(['installmentNumber', 'installment_number', 'numero_parcela', 'currentInstallment'])(
		'asks what a later instalment by %s means, as each would give a year',
		(name) => {
			const word = `${name}: not the first`;
			const later = { payment: { [name]: 2 } };
			expect(read(later).reason).toContain(`Unknown status: "${word}"`);
			expect(read(later, withWord('nothingToDo', word))).toMatchObject(IGNORED);
			expect(read(later, withWord('paid', word))).toMatchObject(PAID);
			expect(read({ ...later, status: 'refunded' })).toMatchObject(REFUNDED);
			expect(read({ [name]: '1' })).toMatchObject(PAID);
			// How many there are.
			expect(read({ installments_number: 12, parcelas: 12, installments: 12 })).toMatchObject(PAID);
		},
	);

	// To Gumroad, it is the chargeback; to others, only its beginning.
	it.each(['dispute', 'em_disputa'])('asks what %s means', (status) => {
		expect(read({ status }).reason).toContain(`Unknown status: "${status}"`);
	});

	// As Pagar.me tells of a refund.
	it('asks what an event means that says that money was given back, beside a status of cancelled', () => {
		const body = { event: 'charge.refunded', status: 'canceled' };
		expect(read(body).reason).toContain('Unknown status: "charge.refunded"');
		const refunded = withWord('refunded', body.event);
		expect(read(body, refunded)).toMatchObject({ ...REFUNDED, paymentId: '1' });
		for (const list of ['paid', 'nothingToDo'] as const)
			expect(read(body, withWord(list, body.event))).toMatchObject(IGNORED);
		expect(read({ ...body, event: 'chargeback' })).toMatchObject(REFUNDED);
		expect(read({ ...body, event: 'charged_back' })).toMatchObject(REFUNDED);
		expect(read({ ...body, event: '', refunded: true })).toMatchObject(REFUNDED);
		// The refund itself may be cancelled, or the order before it was paid.
		for (const event of ['refund', 'refund.canceled', 'order.canceled'])
			expect(read({ ...body, event })).toMatchObject(IGNORED);
	});

	test.each([
		{ refunded: true },
		{ refunded: 'true' },
		// As Python writes it.
		{ refunded: 'True' },
		{ is_refunded: true },
		{ isRefunded: true },
		{ chargedback: true },
		{ is_chargeback: true },
		// As a database, a form, and a callback of Paymob write it.
		{ is_refunded: 1 },
		{ refunded: '1' },
		{ refunded: 'yes' },
		{ obj: { success: true, is_refunded: true } },
		{ data: { payment: { charged_back: true } } },
		// As Teachable, and shops in Portuguese and Spanish say it.
		{ object: { has_chargeback: true } },
		...['reembolsado', 'estornada', 'devolvido', 'devuelto'].map((name) => ({ [name]: true })),
		// To Paymob, a refund is a payment of its own. Mollie and Square leave the status of the payment as it is.
		{ obj: { success: true, is_refund: true } },
		{ obj: { success: true, is_voided: true } },
		{ data: { refund_status: 'full' } },
		{ amount: { value: '9.00' }, amountRefunded: { value: '9.00' } },
		{ payment: { amount_money: { amount: 900 }, refunded_money: { amount: 900 } } },
		{ price: 900, amount_refunded: '900' },
		{ order: { total: 900, refunded_total: 900 } },
	])('takes a completed order with %j for refunded', (flags) => {
		expect(read({ status: 'completed', ...flags })).toMatchObject(REFUNDED);
	});

	it('takes a date of a refund of a part for no contradiction', () => {
		const refundedAt = { refunded_at: '2026-03-10T10:00:00Z' };
		expect(read({ ...refundedAt, status: 'partially_refunded' })).toMatchObject(PAID);
		expect(read({ ...refundedAt, total: 9, refunded_amount: 3 })).toMatchObject(PAID);
	});

	test.each([
		// Of one item only.
		{ items: [{ sku: '12', refunded: true }] },
		{ items: { 12: { refunded: true } } },
		{ order: { shipping: { amount: 5, refunded_amount: 5 } } },
		// What a platform keeps.
		{ data: { total: 9, application_fee: { amount: 1, amount_refunded: 1 } } },
		{ payment: { refunded: false } },
		{ refunded: false, charged_back: false },
		{ refundable: true, partially_refunded: true },
		{ ticket_type: 'non-refundable' },
		{ event: 'order.updated' },
		{ paid: true },
		{ is_paid: null },
		{ is_paid: '' },
		// An amount: the coupon was one of a hundred per cent.
		{ paid: 0 },
		{ payment: { id: 7, status: 'paid' } },
		{ payment: { id: 7, state: 'paid' } },
		{ payment: 'pix' },
		{ success: true, email_sent: false },
		// As Paymob tells of what is paid at once.
		{ is_refund: false, is_voided: 'false', is_captured: false, refund_status: null },
		{ amount: { value: '9.00' }, amountRefunded: { value: '3.00' } },
		{ amount: 0, amount_refunded: 0 },
		// One of them may be in cents.
		{ price: 9, amount_refunded: 300 },
	])('takes a completed order with %j for paid', (flags) => {
		expect(read({ status: 'completed', ...flags })).toMatchObject(PAID);
	});

	test.each([
		{ paid: false },
		{ is_paid: 'false' },
		{ isPaid: 'False' },
		{ is_paid: 0 },
		{ is_paid: '0' },
		{ paid: 'no' },
		// As T-Bank and Adyen say it, and shops in Portuguese and Spanish.
		{ Success: false },
		{ success: 'false' },
		{ pago: false },
		{ pagado: 'false' },
	])('asks what it means if an order is completed with %j, unless it is refunded', (flag) => {
		const completed = { status: 'completed', ...flag };
		const [name] = Object.keys(flag);
		const word = `${name}: false`;
		expect(read(completed).reason).toContain(`Unknown status: "${word}"`);
		expect(read(completed, withWord('nothingToDo', word))).toMatchObject(IGNORED);
		const isFailure = /success/i.test(name!);
		expect(read({ status: 'refunded', ...flag })).toMatchObject(isFailure ? FAILED : REFUNDED);
	});

	test.each([
		...['payment_status', 'paymentStatus', 'financialStatus', 'payment-status', 'paymentState'],
		// As shops in Portuguese and Spanish call it.
		...['status_pagamento', 'statusPagamento', 'estado_pago'],
	])('gives nothing if %s is pending', (name) => {
		expect(read({ [name]: 'pending' })).toMatchObject(IGNORED);
		expect(read({ [name]: 'refunded' })).toMatchObject(REFUNDED);
	});

	test.each([
		[{ payment_status: 'pending' }, IGNORED],
		[{ payment: { status: 'pending' } }, IGNORED],
		[{ payment_status: 'refunded' }, REFUNDED],
		[{ payment_status: 'paid' }, PAID],
		[{ payment_status: { name: 'Paid' } }, PAID],
		[{ paid: false }, { reason: expect.stringContaining('Unknown status: "paid: false"') }],
		// What counts is said already.
		[{ state: 'cancelled', payment_status: 'paid' }, IGNORED],
	])('reads %j also where a status is filled in', (said, expected) => {
		const fields = { status: '$json.body.state' };
		expect(read({ status: null, state: 'approved', ...said }, { fields })).toMatchObject(expected);
	});

	test.each(['pending', 'cancelled'])(
		'asks which status counts if an order is %s, and its payment paid',
		(status) => {
			const order = { status, payment_status: 'paid' };
			expect(read(order)).toMatchObject({
				result: 'failed',
				reason: `Payment 1 of ana@example.com: The status is "${status}", but that of the payment "paid". Drag the one that counts into status of What the Shop Sends, publish, and retry.`,
			});
			const fields = { status: '$json.body.payment_status' };
			expect(read(order, { fields })).toMatchObject(PAID);
		},
	);

	test.each([
		{ products: ['11', 'Inglês, básico'] },
		{ products: ['a "b"', '[2027] Python', '{x}'] },
		{ products: ['11', ''] },
		{ products: ['Curso - A', '-'] },
		{ paymentId: '{3F2504E0-4F89-41D3-9A0C-0305E82C3301}' },
		{ paymentId: 'PPABCDEF' },
		{ paymentId: 'none-1' },
		{ paymentId: '[2027] 7' },
		{ paymentId: '820982911946154508' },
		{ until: '2027-01-31' },
		{ until: '9999-12-31' },
	])('reads %j as it is', (said) => {
		expect(read({ ...said, amount: 9e20 })).toMatchObject(said);
	});

	const CHARGES = [{ status: 'CANCELED', paid_at: '2026-03-01T10:00:00-03:00' }];
	test.each<[object, object]>([
		// The refund has only begun.
		[{ event: 'refund', status: 'pending' }, IGNORED],
		[{ payment: { id: 7, status: 'pending' } }, IGNORED],
		[{ payment: { id: 7, state: 'pending' } }, IGNORED],
		[{ status: 'CANCELED', charges: [{ status: 'CANCELED', paid_at: null }] }, IGNORED],
		[{ status: 'pending', charges: CHARGES }, IGNORED],
		[{ payment_status: false }, FAILED],
		[{ payment_status: 0 }, FAILED],
		[{ until: '2027-01-31T10:00:00-03:00' }, { until: '2027-01-31T13:00:00.000Z' }],
		[{ until: null }, { until: '' }],
		[{ paidAt: '' }, { paidAt: '' }],
		[{ products: [null] }, { products: [''] }],
		[{ products: [] }, { products: [''] }],
		[{ products: null }, { products: [''] }],
		// As PHP writes a list of which the first item was removed.
		[{ products: { 1: { sku: '11' }, 2: { sku: '12' } } }, { products: ['11', '12'] }],
		[{ products: { 11: 1 } }, FAILED],
		[{ products: {} }, FAILED],
		[{ products: ['11', null] }, { products: ['11', ''] }],
		[{ products: '11, 12' }, { products: ['11, 12'] }],
		[{ products: 'Inglês'.normalize('NFD') }, { products: ['Inglês'] }],
		[{ products: 0 }, { products: ['0'] }],
		[{ products: '{"a":1}' }, { products: ['{"a":1}'] }],
		[{ name: { first: 'Ana' } }, { kind: 'paid', name: '' }],
		// A refund need not say whose it is, nor when.
		[
			{ status: 'refunded', email: { a: 1 }, products: null, until: 'soon', paidAt: 12 },
			{ kind: 'refunded', email: '', products: [] },
		],
	])('of %j, reads %j', (said, expected) => expect(read(said)).toMatchObject(expected));

	test.each<[object, string]>([
		...[
			...['null', 0, ' ', 'None', 'Array', 'n/a', '--', '(null)'],
			'00000000-0000-0000-0000-000000000000',
			// Placeholders that a shop didn't fill in.
			...['{{order.id}}', '${orderId}', '[order_id]', '%order-id%'],
		].map((paymentId): [object, string] => [{ paymentId }, 'The payment ID is missing.']),
		[{ paymentId: null }, 'Check paymentId in What the Shop Sends, publish, and retry.'],
		[{ status: null }, 'Check status in What the Shop Sends, publish, and retry.'],
		[{ paymentId: LARGE }, 'too large'],
		[{ paymentId: { id: 1 } }, 'an object'],
		[{ paymentId: ['1'] }, 'a list'],
		[{ paymentId: true }, 'true'],
		[{ products: [['11']] }, 'list'],
		[{ products: [true] }, 'true'],
		[{ products: [LARGE] }, 'too large'],
		[{ products: LARGE }, 'too large'],
		[{ products: [{}] }, 'is an object, not a text.'],
		[
			{ products: [{ sku: 'a', product_id: 1 }] },
			"In productCode, enter the field with the product's code: sku or product_id.",
		],
		[{ email: { address: 'ana@example.com' } }, 'an object'],
		[{ email: ['ana@example.com'] }, 'a list'],
		[{ status: { name: 'paid' } }, 'an object'],
		[{ status: ['paid'] }, 'a list'],
		[{ status: 'pago, sem entrega' }, 'Add "pago, sem entrega" with its quotes'],
		[{ event: 'order.refunded', status: 'completed' }, 'Unknown status: "order.refunded"'],
		// As PagBank tells of a refund.
		[{ status: 'CANCELED', charges: CHARGES }, 'The order was paid, and has the status CANCELED.'],
		[{ until: '05/04/2026' }, 'A date is invalid.'],
		[{ until: 1767225600000 }, 'A date is invalid.'],
		[{ paidAt: '2026-02-29T10:00:00Z' }, 'A date is invalid.'],
		[{ paidAt: 0 }, 'A date is invalid.'],
		[{ until: {} }, 'an object'],
		[{ until: true }, 'true'],
		[{ paidAt: ['2026-04-05'] }, 'a list'],
	])('of %j, reads nothing, and says why: %s', (said, reason) => {
		const why = expect.stringContaining(reason) as string;
		expect(read(said)).toMatchObject({ result: 'failed', reason: why });
	});

	it('says that a code is an object, if no field can be entered', () => {
		const none = { settings: { productCode: undefined } };
		const { reason } = read({ products: [{ sku: 'a', product_id: 1 }] }, none);
		expect(reason).toContain("A product's code is an object, not a text.");
	});

	it('takes no status that is on two lists', () => {
		expect(read({ status: 'cancelled' }, withWord('refunded', 'Cancelled'))).toMatchObject({
			result: 'failed',
			reason:
				'Payment 1 of ana@example.com: The status "cancelled" is in refunded and nothingToDo of What the Shop Sends. Delete it in one of them, publish, and retry.',
		});
	});

	it('reads dates in the form that the owner has entered', () => {
		const settings = { dates: 'dd/MM/yyyy' };
		expect(read({ until: '05/04/2027' }, { settings })).toMatchObject({ until: '2027-04-05' });
		expect(read({ until: '04/31/2027' }, { settings })).toMatchObject(FAILED);
	});

	it('puts a name before its numbers, if the owner enters one', () => {
		const settings = { numbersOf: 'Second shop' };
		expect(read({}, { settings })).toMatchObject({ paymentId: 'Second shop 1' });
	});

	it('says of which payment it fails, also if nothing is filled in', () => {
		const failed = (change: object) => send({ ...SALE, status: 'teleported', ...change }).error;
		expect(failed({})).toContain('Payment 1 of ana@example.com: Unknown status');
		expect(failed({ email: ['ana@example.com'] })).toContain('Payment 1: Unknown');
	});

	it('says which field to drag where an object or a list was dragged', () => {
		for (const customer of [{ email: 'ana@example.com' }, [{ email: 'ana@example.com' }]]) {
			const { reason } = read({ customer }, { fields: { email: '$json.body.customer' } });
			expect(reason).toContain(
				'Drag one of its fields into What the Shop Sends, publish, and retry.',
			);
		}
	});

	it('says where the form of its dates is entered, unless it is', () => {
		const until = '05/04/2027 10h';
		const advice = 'enter their form in dates of What the Shop Sends';
		expect(read({ until }).reason).toContain(advice);
		const settings = { dates: 'dd/MM/yyyy' };
		expect(read({ until }, { settings }).reason).not.toContain(advice);
	});
});

test('a failure never says "canceled", as n8n would offer no Retry', () => {
	const body = { paymentId: '1', status: 'order.canceled', email: 'ana@example.com' };
	const { error } = receive(exampleOf('other'), { headers: {}, query: {}, text: '', body });
	expect(error).toContain('Unknown status: "order.Canceled". Add it');
});

test('a failure names the payment as class_sales does, so that it can be refunded by hand', () => {
	const cancelled = NOTIFICATIONS.woocommerce!.find(({ name }) => /^cancelled after/.test(name))!;
	const { error } = receive(exampleOf('woocommerce'), sent('woocommerce', cancelled));
	expect(error).toContain('Payment WooCommerce 1001 of Ana@Example.com: The order was paid');
});

test('a failure names an instalment by the number of its sale', () => {
	const instalment = NOTIFICATIONS.hotmart!.find(({ name }) => /^the first of/.test(name))!;
	const body = { ...(instalment.body as object), event: 'PURCHASE_PROTEST' };
	const { error } = receive(exampleOf('hotmart'), sent('hotmart', { body }));
	expect(error).toContain('Payment SUB1 of ana@example.com: The event is PURCHASE_PROTEST, but');
});

test('WooCommerce takes a cancelled order for a refund, if the owner says so', () => {
	const { words, ...rest } = SHOPS['shop-woocommerce']!;
	const nothingToDo = words.nothingToDo.replace(', cancelled', '');
	const shop = { ...rest, words: { ...words, refunded: 'refunded, cancelled', nothingToDo } };
	const { body } = aboutAnother('woocommerce', 'refunded', 1);
	const cancelled = sent('woocommerce', { body: { ...(body as object), status: 'cancelled' } });
	expect(receive(recipeFor(shop), cancelled).read).toMatchObject({ kind: 'refunded' });
});

test.each([
	['what Hubla sells first', rulesOfHubla({ event: { invoice: { type: 'sell' } } })],
	[
		'an instalment at Hubla',
		rulesOfHubla({ event: { invoice: { type: 'renewal', smartInstallment: { installment: 2 } } } }),
	],
	[
		'an instalment at Kiwify',
		rulesOfKiwify({ Subscription: { status: 'active' }, SmartInstallment: { id: 'plan-1' } }),
	],
])('%s is no charge of a subscription', (_, rules) => {
	expect(rules).toMatchObject({ isSubscription: false });
});

// Of WooCommerce Subscriptions, YITH, WP Swings, SUMO, and eCurring.
test.each([
	['_subscription_renewal', true],
	['is_a_renew', true],
	['wps_sfw_renewal_order', true],
	['sumo_is_subscription_order', true],
	['_ecurring_subscription_id', true],
	['_ecurring_subscription_relation', true],
	['mailchimp_woocommerce_is_subscribed', false],
	['auto_renew_opt_in', false],
])('an order of WooCommerce with %s is a renewal: %s', (key, isSubscription) => {
	const order = { status: 'processing', date_paid_gmt: '2026-03-10T10:00:00' };
	const rules = rulesOfWooCommerce({ ...order, meta_data: [{ id: 1, key, value: 'yes' }] });
	expect(rules).toMatchObject({ isSubscription });
});

test.each([
	['subscription_renewal', true],
	['sumo_subs', true],
	['subly_renewal', true],
	['checkout', false],
	['wc_deposits', false],
])(
	'an order of WooCommerce that was created by %s is a renewal: %s',
	(created_via, isSubscription) => {
		const order = { status: 'processing', date_paid_gmt: '2026-03-10T10:00:00' };
		expect(rulesOfWooCommerce({ ...order, created_via })).toMatchObject({ isSubscription });
	},
);

test('a charge of a subscription keeps its own number, and an instalment has that of its sale', () => {
	const fields = { paymentId: 'HP2', instalmentsOf: 'SUB1' };
	expect(paymentIdOf({ ...fields, isSubscription: '{"id":1}' })).toBe('HP2');
	expect(paymentIdOf(fields)).toBe('SUB1');
});

test('an order of Shopify with nothing but a tip is no sale', () => {
	const line_items = [{ product_id: null, tip_payment_gateway: 'shopify_payments' }];
	const { problem } = rulesOfShopify({ financial_status: 'paid', line_items });
	expect(problem).toContain('No item is left in this order.');
});

describe('the next charge of a subscription', () => {
	const given = { paymentId: '1', status: 'paid', paid: 'paid', products: '11', graceDays: 5 };
	const read = (fields: NotificationFields) =>
		readNotification({ ...given, ...fields }, { any: 1 }, NOW);
	const paidAt = '2026-03-01T10:00:00Z';

	test.each<[NotificationFields, string]>([
		[{ nextCharge: '2026-04-01T10:00:00Z' }, '2026-04-06T10:00:00.000Z'],
		// To the end of the day, in the zone of the workflow.
		[{ nextCharge: '2026-04-01' }, '2026-04-06T23:59:59.999Z'],
		[{ nextCharge: '2026-04-01T10:00:00Z', graceDays: 0 }, '2026-04-01T10:00:00.000Z'],
		[{ nextCharge: '2026-04-01T10:00:00Z', graceDays: null }, '2026-04-01T10:00:00.000Z'],
		[{ nextCharge: '2026-04-01T10:00:00Z', until: '2026-05-01' }, '2026-05-01'],
		[{ nextCharge: '9999-12-31T00:00:00Z' }, '9999-12-30T00:00:00.000Z'],
		// Months later, what counts is when it was paid.
		[{ nextCharge: '2026-03-05T10:00:00Z', paidAt: '2026-02-05' }, '2026-03-10T10:00:00.000Z'],
		// The date of the charge that was paid, or an earlier one.
		[{ nextCharge: paidAt, paidAt, periodDays: 30 }, '2026-04-05T10:00:00.000Z'],
		[{ nextCharge: '2026-02-26', paidAt, periodDays: '30' }, '2026-04-05T10:00:00.000Z'],
		[{ nextCharge: null, paidAt, periodDays: 30 }, '2026-04-05T10:00:00.000Z'],
		[{ nextCharge: '', paidAt, periodDays: 0 }, ''],
		[{ nextCharge: null, periodDays: null }, ''],
	])('%j ends access at %j', (fields, until) => {
		expect(read(fields)).toMatchObject({ until });
	});

	test.each<[NotificationFields, string]>([
		[{ nextCharge: paidAt, paidAt }, 'nextCharge is not after the payment'],
		// Retried after the next charge, of a shop that doesn't say when it was paid.
		[{ nextCharge: '2026-03-09' }, 'If it is an older payment, add a row of kind given'],
		[{ nextCharge: '2026-02-30' }, 'A date is invalid. nextCharge'],
		[{ nextCharge: '365' }, 'A date is invalid. nextCharge'],
		[{ nextCharge: '2026-04-01', graceDays: 'five' }, 'graceDays is no number of days'],
		[{ nextCharge: '2026-04-01', graceDays: -5 }, 'graceDays is no number of days'],
		[{ periodDays: '1 month' }, 'periodDays is no number of days'],
	])('%j is refused', (fields, reason) => {
		expect(read(fields)).toContain(reason);
	});
});

test('a ping without a signature is no sale, whatever its fields say', () => {
	const fields = { isGenuine: false, paymentId: '1', status: 'paid', paid: 'paid', products: '11' };
	expect(readNotification({ ...fields, isPing: true }, { any: 1 }, NOW)).toBe(
		'Nothing to do: a ping.',
	);
});

describe('Did It Fail?', () => {
	test.each<[NodeOutput, string | undefined]>([
		[{ result: 'added' }, undefined],
		[{ result: 'recorded', reason: 'Another execution does it.' }, undefined],
		[{ error: 'Nothing to do: a ping.' }, undefined],
		[{ result: 'failed', reason: 'Unknown\nproduct.' }, 'Unknown product.'],
		[{ error: { message: 'Broken' } }, 'Broken'],
		[{}, 'A node before this one failed.'],
	])('of %j says %j', (outcome, cause) => {
		const failure = failureOf(outcome, 'Payment P1');
		expect(failure).toBe(cause && `Payment P1: ${cause}`);
	});

	it('says why there is no sale, as it was read', () => {
		const error = 'No sale: Payment P1: The status\nis missing.';
		expect(failureOf({ error }, 'A payment')).toBe('Payment P1: The status is missing.');
	});

	test.each([
		['P1', 'ana@example.com', 'Payment P1 of ana@example.com: '],
		['P1', '', 'Payment P1: '],
		['', 'ana@example.com', 'A payment of ana@example.com: '],
		['', '', "A notification that can't be read: "],
	])('names the payment "%s" of "%s"', (paymentId, email, name) => {
		expect(`${nameOf({ paymentId, email })}: `).toBe(name);
	});

	it('says what to do if Class access is missing', () => {
		const failure = failureOf({ error: 'Workflow is not active' }, 'Payment P1');
		expect(failure).toContain('Workflow is not active Make sure that');
	});
});
