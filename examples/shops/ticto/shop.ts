import { GRACE_DAYS, type Shop } from '../shop';

export const ticto: Shop = {
	name: 'Ticto',
	rules: 'shops/ticto/rules',
	fields: {
		// Each charge of a subscription is a transaction.
		paymentId: '$json.body.order?.transaction_hash ?? $json.body.order?.hash',
		status: '$json.body.status',
		email: '$json.body.customer?.email',
		name: '$json.body.customer?.name',
		// Order bumps are in the same sale.
		products:
			'[$json.body.item?.product_id, ...Object.values($json.body.bumps ?? {}).map((bump) => bump?.product_id)]',
		paidAt: '$json.body.status_date',
		nextCharge: '$json.body.subscriptions?.[0]?.next_charge',
		isSubscription: '$json.body.subscriptions',
	},
	settings: { dates: 'dd/MM/yyyy HH:mm:ss', graceDays: GRACE_DAYS },
	words: {
		paid: 'authorized',
		refunded: 'refunded, chargeback, claimed',
		nothingToDo:
			'waiting_payment, pix_created, pix_expired, bank_slip_created, bank_slip_delayed, refused, abandoned_cart, trial, trial_started, trial_ended, close, card_exchanged, extended, all_charges_paid, subscription_canceled, subscription_delayed, uncanceled',
	},
	proof: { kind: 'token', token: '$json.body.token' },
	secret: 'the **token** that Ticto shows for the webhook',
	product: "the product's ID at Ticto, a number",
	address: 'At Ticto, enter it as a webhook of version 2.0, for sales, refunds and chargebacks',
	isAnsweredAtOnce: true,
	habit: 'nobody has confirmed what Ticto does with an address that returns errors',
};
