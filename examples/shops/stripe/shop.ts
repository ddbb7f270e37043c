import type { Shop } from '../shop';

export const stripe: Shop = {
	name: 'Stripe',
	rules: 'shops/stripe/rules',
	fields: {
		// A payment of 0 has no payment_intent.
		paymentId: '$json.body.data?.object?.payment_intent ?? $json.body.data?.object?.id',
		status: '$json.body.data?.object?.payment_status',
		email: '$json.body.data?.object?.customer_details?.email',
		name: '$json.body.data?.object?.customer_details?.name',
		products:
			"($json.body.data?.object?.metadata?.product || $json.body.data?.object?.payment_link)?.split(',').filter((code) => code.trim())",
		paidAt: '$json.body.created',
	},
	settings: { dates: 'seconds' },
	words: {
		paid: 'paid, no_payment_required',
		refunded: 'refunded, dispute lost',
		nothingToDo:
			'unpaid, partially_refunded, dispute won, dispute warning_closed, dispute prevented, dispute charge_refunded',
	},
	proof: {
		kind: 'hmac',
		type: 'SHA256',
		encoding: 'hex',
		of: "{{ $json.headers['stripe-signature']?.match(/t=(\\d+)/)?.[1] }}.{{ $json.text }}",
		isGenuine:
			"($json.headers['stripe-signature'] ?? '').split(',').includes(`v1=${$json.signature}`)",
	},
	secret: 'the **signing secret** (`whsec_…`) of the endpoint (until you have it, any text)',
	product:
		'the ID of the Payment Link (`plink_…`), or what you have entered at Stripe as the metadata `product` of the Payment Link, where commas divide codes',
	address:
		'At Stripe, under **Workbench → Webhooks → Add destination**, enter it with the payload style *Snapshot* and the events `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `charge.refunded`, `refund.failed` and `charge.dispute.closed`',
	isAnsweredAtOnce: false,
	habit: 'Stripe sends a failed notification again, for three days',
};
