import type { Shop } from '../shop';

export const shopify: Shop = {
	name: 'Shopify',
	rules: 'shops/shopify/rules',
	fields: {
		paymentId: '$json.body.id',
		status: '$json.body.financial_status',
		email: '$json.body.email || $json.body.customer?.email',
		name: "[$json.body.customer?.first_name, $json.body.customer?.last_name].filter(Boolean).join(' ')",
		// Without what was removed, and tips: see `isProduct`. A product that was deleted has only its title left.
		products:
			"$json.body.line_items?.filter((item) => item?.current_quantity !== 0 && !(item && 'tip_payment_gateway' in item)).map((item) => item?.product_id ?? item?.title)",
		paidAt: '$json.body.processed_at',
	},
	settings: { numbersOf: 'Shopify' },
	words: {
		// What is refunded in part was paid, and this may be the first that is heard of it.
		paid: 'paid, partially_refunded',
		refunded: 'refunded',
		nothingToDo: 'pending, authorized, partially_paid, voided, expired',
	},
	proof: {
		kind: 'hmac',
		type: 'SHA256',
		encoding: 'base64',
		inHeader: 'x-shopify-hmac-sha256',
	},
	secret:
		'the **key** below the list of webhooks, under Settings → Notifications → Webhooks (until you have it, any text)',
	product: "the product's ID at Shopify, the number at the end of its address in the admin",
	address:
		'At Shopify, under **Settings → Notifications → Webhooks**, create a webhook with the event *Order update*, the format JSON and this address',
	isAnsweredAtOnce: true,
	habit: 'Shopify waits for five seconds only',
};
