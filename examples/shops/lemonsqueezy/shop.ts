import type { Shop } from '../shop';

export const lemonsqueezy: Shop = {
	name: 'Lemon Squeezy',
	rules: 'shops/lemonsqueezy/rules',
	fields: {
		paymentId: "$json.body.data?.type === 'orders' ? $json.body.data.id : ''",
		status: '$json.body.data?.attributes?.status',
		email: '$json.body.data?.attributes?.user_email',
		name: '$json.body.data?.attributes?.user_name',
		products: '$json.body.data?.attributes?.first_order_item?.product_id',
		paidAt: '$json.body.data?.attributes?.created_at',
	},
	settings: { numbersOf: 'Lemon Squeezy' },
	words: {
		paid: 'paid, partial_refund',
		refunded: 'refunded',
		nothingToDo: 'pending, failed, fraudulent',
	},
	proof: { kind: 'hmac', type: 'SHA256', encoding: 'hex', inHeader: 'x-signature' },
	secret: 'a **password of your own** of 6 to 40 characters, which you will enter there too',
	product: "the product's ID at Lemon Squeezy, a number",
	address:
		'At Lemon Squeezy, under **Settings → Webhooks**, add it with the password as *Signing secret* and the events `order_created` and `order_refunded`',
	isAnsweredAtOnce: false,
	habit: 'Lemon Squeezy sends it again three times within three minutes',
};
