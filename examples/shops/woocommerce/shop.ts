import type { Shop } from '../shop';

export const woocommerce: Shop = {
	name: 'WooCommerce',
	rules: 'shops/woocommerce/rules',
	fields: {
		paymentId: '$json.body.id',
		// Plugins divide an order among vendors, or into instalments. The parts have its products, too.
		instalmentsOf: '$json.body.parent_id',
		status: '$json.body.status',
		email: '$json.body.billing?.email',
		name: "[$json.body.billing?.first_name, $json.body.billing?.last_name].filter(Boolean).join(' ')",
		// A deleted product has the ID 0. PHP makes an object of a list of which a plugin has removed the first item.
		products:
			'Object.values($json.body.line_items ?? {}).map((item) => item?.product_id || item?.name)',
	},
	settings: { numbersOf: 'WooCommerce' },
	words: {
		paid: 'processing, completed',
		refunded: 'refunded',
		nothingToDo: 'pending, on-hold, failed, cancelled, draft, auto-draft, checkout-draft, trash',
	},
	proof: {
		kind: 'hmac',
		type: 'SHA256',
		encoding: 'base64',
		// WooCommerce doesn't sign its ping, which has nothing but this.
		unsignedPing: "Object.keys($json.body ?? {}).join() === 'webhook_id'",
		inHeader: 'x-wc-webhook-signature',
	},
	secret:
		'a **long password of your own**, of letters and digits, which you will enter at WooCommerce too',
	product: "the product's ID at WooCommerce, the number that appears when you point at it",
	address:
		'In WordPress, under **WooCommerce → Settings → Advanced → Webhooks**, add a webhook: status *Active*, topic *Order updated*, the address as *Delivery URL*, and the password as *Secret*',
	isAnsweredAtOnce: true,
	habit:
		'WooCommerce never sends a notification again, and disables the webhook after more than five failures in a row',
};
