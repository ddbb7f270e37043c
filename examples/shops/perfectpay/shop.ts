import { GRACE_DAYS, type Shop } from '../shop';

export const perfectpay: Shop = {
	name: 'PerfectPay',
	rules: 'shops/perfectpay/rules',
	fields: {
		paymentId: '$json.body.code',
		status: '$json.body.sale_status_enum',
		email: '$json.body.customer?.email',
		name: '$json.body.customer?.full_name',
		// Order bumps are in the same sale.
		products:
			'[$json.body.product?.code, ...Object.values($json.body.plan_itens ?? {}).map((item) => item?.item_code)]',
		// A sale is completed weeks later, when the next charge may be due.
		paidAt: '$json.body.date_approved',
		nextCharge: '$json.body.subscription?.next_charge_date',
		isSubscription: '$json.body.subscription?.code',
	},
	settings: { graceDays: GRACE_DAYS },
	words: {
		paid: '2, 10',
		refunded: '7, 18, 19, 20, 9, 17',
		// 8 (authorized) and 16 (in review) are no payment yet: 2 follows.
		nothingToDo: '1, 3, 4, 5, 6, 8, 11, 12, 13, 15, 16',
	},
	proof: { kind: 'token', token: '$json.body.token' },
	secret: 'the **token** that PerfectPay shows for the webhook',
	product: "the product's code at PerfectPay",
	address:
		'At PerfectPay, under **Ferramentas → Webhook - Vendas**, add it for your products with the format *Perfect Pay* and the events *Aprovado*, *Devolvido* and *Enviado de Volta*',
	isAnsweredAtOnce: true,
	habit: 'nobody has confirmed what PerfectPay does with an address that returns errors',
};
