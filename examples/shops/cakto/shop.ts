import { GRACE_DAYS, type Shop } from '../shop';

export const cakto: Shop = {
	name: 'Cakto',
	rules: 'shops/cakto/rules',
	fields: {
		// A renewal is an order of its own, which may be told twice: as a purchase and as a renewal.
		paymentId: '$json.body.data?.id',
		status: '$json.body.event',
		email: '$json.body.data?.customer?.email',
		name: '$json.body.data?.customer?.name',
		products: '$json.body.data?.product?.id',
		paidAt: '$json.body.data?.paidAt',
		// A renewal may still have the date of its own charge, so the period is read, too.
		nextCharge: '$json.body.data?.subscription?.next_payment_date',
		periodDays: '$json.body.data?.subscription?.recurrence_period',
	},
	settings: { graceDays: GRACE_DAYS },
	words: {
		paid: 'purchase_approved, subscription_renewed, subscription_late_recovered',
		refunded: 'refund, chargeback',
		nothingToDo:
			'purchase_refused, pix_gerado, boleto_gerado, picpay_gerado, openfinance_nubank_gerado, initiate_checkout, checkout_abandonment, refund_requested, subscription_created, subscription_canceled, subscription_late, subscription_paused, subscription_renewal_refused',
	},
	proof: { kind: 'token', token: '$json.body.secret' },
	secret: 'the **secret** that Cakto shows for the webhook',
	product: "the product's ID at Cakto",
	address:
		'At Cakto, enter it under **Apps → Webhooks** with the events *Compra aprovada*, *Assinatura renovada*, *Reembolso* and *Chargeback*',
	isAnsweredAtOnce: false,
	habit: 'Cakto sends a failed notification again',
};
