import { createHmac } from 'node:crypto';

/** A purchase. Each code of a product is a number. */
export interface Purchase {
	id: number;
	email: string;
	name: string;
	products: number[];
}

/** How a shop notifies. What it sends has the shop's form, with invented values. */
interface Notifier {
	/** The credential of the recipe: its type and its data. */
	credential: [type: string, data: object];
	/** What it sends about a purchase with this status. */
	notify: (purchase: Purchase, status: string) => object;
	/** Proves that a body is from the shop, with this secret. */
	prove: (body: string, secret: string) => { headers?: Record<string, string>; query?: string };
	/** The statuses that mean paid; a later one is sent about the same purchase. */
	paid: string[];
	refunded: string[];
	/** Statuses that need nothing. */
	pending: string[];
	/** Pings, the shop's test, and events about no purchase. */
	others: Array<string | object>;
	/** Whether it sends one notification for each product. */
	isPerProduct?: boolean;
}

export const SECRET = 'secret-of-the-shop';

const hmac = (type: string, encoding: 'hex' | 'base64', body: string, secret: string) =>
	createHmac(type, secret).update(body).digest(encoding);

const signedInHeader =
	(header: string, encoding: 'hex' | 'base64'): Notifier['prove'] =>
	(body, secret) => ({ headers: { [header]: hmac('sha256', encoding, body, secret) } });

const cryptoCredential: Notifier['credential'] = ['crypto', { hmacSecret: SECRET }];

export const NOTIFIERS: Record<string, Notifier> = {
	'shop-hotmart': {
		credential: ['httpHeaderAuth', { name: 'X-HOTMART-HOTTOK', value: SECRET }],
		prove: (_body, secret) => ({ headers: { 'X-HOTMART-HOTTOK': secret } }),
		notify: ({ id, name, email, products: [product] }, status) => ({
			id: `event-${id}-${status}`,
			event: `PURCHASE_${status}`,
			version: '2.0.0',
			data: {
				product: { id: product, name: 'Curso de Programação' },
				buyer: { email, name },
				purchase: { transaction: `HP${id}`, status, payment: { type: 'PIX' } },
			},
		}),
		paid: ['APPROVED', 'COMPLETE'],
		refunded: ['REFUNDED', 'CHARGEBACK'],
		pending: ['BILLET_PRINTED', 'DISPUTE', 'UNDER_ANALISYS', 'PARTIALLY_REFUNDED'],
		others: [
			{
				event: 'PURCHASE_APPROVED',
				data: {
					product: { id: 0 },
					buyer: { email: 'test@example.com', name: 'Test' },
					purchase: { transaction: 'HP1', status: 'APPROVED' },
				},
			},
			{ event: 'SUBSCRIPTION_CANCELLATION', data: { product: { id: 1 }, subscriber: {} } },
		],
		isPerProduct: true,
	},
	'shop-kiwify': {
		credential: cryptoCredential,
		prove: (body, secret) => ({ query: `?signature=${hmac('sha1', 'hex', body, secret)}` }),
		notify: ({ id, name, email, products: [product] }, status) => ({
			order_id: `order-${id}`,
			order_status: status,
			Product: { product_id: String(product), product_name: 'Programação' },
			Customer: { full_name: name, email },
		}),
		paid: ['paid'],
		refunded: ['refunded', 'chargedback'],
		pending: ['waiting_payment', 'refused'],
		others: [{ id: 'cart-1', status: 'abandoned', email: 'cart@example.com' }],
		isPerProduct: true,
	},
	'shop-eduzz': {
		credential: cryptoCredential,
		prove: signedInHeader('x-signature', 'hex'),
		notify: ({ id, name, email, products }, status) => ({
			id: `event-${id}-${status}`,
			event: `myeduzz.invoice_${status}`,
			data: {
				id: String(id),
				status: status === 'chargeback' ? 'refunded' : status,
				buyer: { name: 'Buyer', email: `buyer-of-${email}` },
				student: { name, email },
				items: products.map((productId) => ({ productId: String(productId), name: 'Ação' })),
			},
		}),
		paid: ['paid'],
		refunded: ['refunded', 'chargeback'],
		pending: ['open', 'processing', 'partialRefund'],
		others: [
			{ id: 'ping-1', event: 'ping', data: {} },
			{ id: 'event-1', event: 'myeduzz.contract_updated', data: { id: '1', status: 'upToDate' } },
		],
	},
	'shop-woocommerce': {
		credential: cryptoCredential,
		prove: signedInHeader('X-WC-Webhook-Signature', 'base64'),
		notify: ({ id, name, email, products }, status) => ({
			id,
			status,
			billing: { first_name: name.split(' ')[0], last_name: name.split(' ')[1], email },
			line_items: products.map((product, index) => ({ id: index, product_id: product, sku: '' })),
		}),
		paid: ['processing', 'completed'],
		refunded: ['refunded'],
		pending: ['pending', 'on-hold', 'cancelled', 'checkout-draft'],
		others: ['webhook_id=7'],
	},
	'shop-stripe': {
		credential: cryptoCredential,
		prove: (body, secret) => {
			const time = Math.floor(Date.now() / 1000);
			const signature = hmac('sha256', 'hex', `${time}.${body}`, secret);
			return { headers: { 'Stripe-Signature': `t=${time},v1=${signature},v0=${'0'.repeat(64)}` } };
		},
		notify: ({ id, name, email, products }, status) => {
			const [type, ...state] = status.split(' ');
			const session = {
				id: `cs_${id}`,
				payment_intent: `pi_${id}`,
				payment_status: state[0],
				payment_link: 'plink_1',
				metadata: { product: products.join(', ') },
				customer_details: { name, email },
			};
			const charge = { id: `ch_${id}`, payment_intent: `pi_${id}`, refunded: state[0] === 'true' };
			const dispute = { id: `dp_${id}`, payment_intent: `pi_${id}`, status: state[0] };
			const object = type?.startsWith('checkout')
				? session
				: type?.startsWith('charge.dispute')
					? dispute
					: charge;
			return { id: `evt_${id}`, object: 'event', type, data: { object } };
		},
		paid: ['checkout.session.completed paid', 'checkout.session.async_payment_succeeded paid'],
		refunded: ['charge.refunded true', 'charge.dispute.closed lost'],
		pending: [
			'checkout.session.completed unpaid',
			'charge.refunded false',
			'charge.dispute.closed won',
		],
		others: [{ type: 'payment_intent.created', data: { object: { id: 'pi_0', status: 'paid' } } }],
	},
	'shop-shopify': {
		credential: cryptoCredential,
		prove: signedInHeader('X-Shopify-Hmac-SHA256', 'base64'),
		notify: ({ id, name, email, products }, status) => ({
			id,
			email,
			financial_status: status,
			customer: { email, first_name: name.split(' ')[0], last_name: name.split(' ')[1] },
			line_items: [...products, null].map((product, index) => ({ id: index, product_id: product })),
		}),
		paid: ['paid'],
		refunded: ['refunded'],
		pending: ['pending', 'authorized', 'partially_paid', 'partially_refunded', 'voided'],
		others: [],
	},
	'shop-other': {
		credential: ['httpHeaderAuth', { name: 'X-Shop-Secret', value: SECRET }],
		prove: (_body, secret) => ({ headers: { 'X-Shop-Secret': secret } }),
		notify: ({ id, name, email, products }, status) => ({
			paymentId: id,
			status,
			buyer: { name, email },
			products,
		}),
		paid: ['paid', 'Aprovado'],
		refunded: ['refunded', 'Estornado', 'charge_back'],
		pending: ['pending', 'em análise', 'Boleto-Printed'],
		others: [{ status: 'ping' }],
	},
};
