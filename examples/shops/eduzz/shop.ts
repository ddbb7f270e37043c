import type { Shop } from '../shop';

export const eduzz: Shop = {
	name: 'Eduzz',
	rules: 'shops/eduzz/rules',
	fields: {
		paymentId: '$json.body.data?.id',
		// Each instalment is an invoice. Contracts have numbers of their own.
		instalmentsOf:
			"$json.body.data?.contract?.isUnlimitedInstallments && $json.body.data.contract.id && 'contract ' + $json.body.data.contract.id",
		status: '$json.body.data?.status',
		email: '$json.body.data?.student?.email || $json.body.data?.buyer?.email',
		name: '$json.body.data?.student?.name || $json.body.data?.buyer?.name',
		products: '$json.body.data?.items?.map((item) => item?.productId)',
		paidAt: '$json.body.data?.paidAt',
	},
	settings: { numbersOf: 'Eduzz' },
	words: {
		paid: 'paid, partialRefund',
		refunded: 'refunded, chargeback',
		nothingToDo:
			'ping, myeduzz.contract_created, myeduzz.contract_updated, myeduzz.contract_card_attempted, myeduzz.contract_bankslip_attempted, myeduzz.contract_pix_attempted, myeduzz.contract_eduzz_balance_attempted, sun.cart_abandonment, open, waitingPayment, waitingRefund, canceled, expired, overdue, refused, processing, waitingDocuments, analysing, duplicated, recovering, internal, deleted, scheduled, negotiated',
	},
	proof: {
		kind: 'hmac',
		type: 'SHA256',
		encoding: 'hex',
		inHeader: 'x-signature',
		// Eduzz saves an address only if its ping gets 2xx, and documents the ping without a signature. A signed one is checked.
		unsignedPing: "$json.body.event === 'ping' && !$json.headers['x-signature']",
	},
	secret: 'the **key** that the Developer Hub shows under **Segurança**',
	product: "the product's ID at Eduzz",
	address:
		'At Eduzz, in the **Developer Hub → Webhooks**, add it with the events `myeduzz.invoice_paid`, `myeduzz.invoice_refunded` and `myeduzz.invoice_chargeback`, and switch it on. Limit parallel deliveries to 1',
	isAnsweredAtOnce: true,
	habit: 'nobody has confirmed what Eduzz does with an address that returns errors',
};
