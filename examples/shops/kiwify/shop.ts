import { GRACE_DAYS, type Shop } from '../shop';

/** Some notifications have the order in `order`, which may be signed alone: then nothing else counts. */
const ORDER = '($json.body.order ?? $json.body)';

export const kiwify: Shop = {
	name: 'Kiwify',
	rules: 'shops/kiwify/rules',
	fields: {
		paymentId: `${ORDER}.order_id || ${ORDER}.id`,
		// Each instalment is an order.
		instalment: `${ORDER}.SmartInstallment?.installment_number`,
		instalmentsOf: `${ORDER}.SmartInstallment?.id`,
		status: `${ORDER}.order_status ?? ${ORDER}.status`,
		email: `${ORDER}.Customer?.email`,
		name: `${ORDER}.Customer?.full_name`,
		products: `${ORDER}.Product?.product_id`,
		paidAt: `${ORDER}.approved_date`,
		// The later one: the access may still end with the last charge.
		nextCharge: `[${ORDER}.Subscription?.customer_access?.access_until, ${ORDER}.Subscription?.next_payment].filter(Boolean).sort().at(-1)`,
	},
	settings: { graceDays: GRACE_DAYS },
	words: {
		paid: 'paid, approved',
		refunded: 'refunded, order_refunded, chargedback, chargeback',
		nothingToDo:
			'waiting_payment, pending, refused, expired, abandoned, order_rejected, pix_created, billet_created, subscription_late, subscription_canceled, subscription_trial_started, subscription_trial_canceled',
	},
	proof: {
		kind: 'hmac',
		type: 'SHA1',
		encoding: 'hex',
		// With the signature beside it.
		part: '$json.body.order',
		isGenuine:
			'[$json.query.signature, $json.body.signature].some((sent) => sent === $json.signature || ($json.body.order && $json.ofPart && sent === $json.ofPart))',
	},
	secret: 'the **token** that Kiwify shows for the webhook (until you have it, any text)',
	product: "the product's ID at Kiwify, a text of letters and digits with hyphens",
	address:
		'At Kiwify, under **Apps → Webhooks**, create a webhook with it for your products and the events *Compra aprovada*, *Reembolso* and *Chargeback*',
	isAnsweredAtOnce: false,
	habit: 'Kiwify sends a failed notification again, up to five times',
};
