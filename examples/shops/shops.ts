/** How a shop proves that a notification is its own. */
export type Proof =
	/** A fixed secret in this header. */
	| { header: string }
	/**
	 * An HMAC of the body, or of the text `of`. `isGenuine` compares it with what the shop has sent.
	 */
	| {
			hmac: 'SHA1' | 'SHA256';
			encoding: 'hex' | 'base64';
			of?: string;
			/** What of the body may be signed alone. */
			part?: string;
			isGenuine: string;
			/** What tells a ping that the shop does not sign. */
			unsigned?: string;
	  }
	/** A fixed secret, here in the body. */
	| { token: string };

export interface Shop {
	name: string;
	/** Whether this is the recipe for all other shops. */
	isAnother?: boolean;
	/**
	 * How the fields of a notification are read, as n8n expressions without their braces. The name of the shop stands
	 * before a number that another shop could use, too.
	 */
	fields: Record<'paymentId' | 'status' | 'email' | 'name' | 'products', string> &
		Partial<Record<'paidAt' | 'until' | 'problem', string>>;
	/** Which field of a product has its code, if the products are objects. */
	productCode?: string;
	/** What its statuses mean. A word on no list is an error. */
	words: Record<'paid' | 'refunded' | 'nothingToDo', string>;
	proof: Proof;
	/** Where the secret of the proof is, for the note on the canvas. */
	secret: string;
	/** What its code of a product is, and where to find it. */
	product: string;
	/** Where the address belongs, and which events to choose. */
	address: string;
	/** Whether it is answered before the payment is processed, so that it never sees a failure. */
	isAnsweredAtOnce: boolean;
	/** Why. */
	habit: string;
}

const hexInHeader = (header: string) => `$json.headers['${header}'] === $json.signature`;

/** The shops with a recipe of their own, by file. `docs/shops.md` says what these facts rest on. */
export const SHOPS: Record<string, Shop> = {
	'shop-hotmart': {
		name: 'Hotmart',
		fields: {
			paymentId: '$json.body.data?.purchase?.transaction',
			// Its test notification is about product 0. Events without a purchase are about no payment.
			status:
				"String($json.body.data?.product?.id) === '0' ? 'test' : $json.body.data?.purchase ? $json.body.data.purchase.status : 'no purchase'",
			email: '$json.body.data?.buyer?.email',
			name: '$json.body.data?.buyer?.name',
			products: '$json.body.data?.product?.id',
			paidAt: '$json.body.data?.purchase?.approved_date',
			// A subscription is paid until its next charge, plus some days of grace.
			until:
				'$json.body.data?.purchase?.date_next_charge && $json.body.data.purchase.date_next_charge + 5 * 864e5',
		},
		words: {
			paid: 'APPROVED, COMPLETE, COMPLETED',
			refunded: 'REFUNDED, CHARGEBACK',
			nothingToDo:
				'test, no purchase, BILLET_PRINTED, PRINTED_BILLET, WAITING_PAYMENT, CANCELED, DELAYED, EXPIRED, DISPUTE, PROTESTED, BLOCKED, NO_FUNDS, PRE_ORDER, STARTED, PROCESSING_TRANSACTION, UNDER_ANALISYS, PARTIALLY_REFUNDED',
		},
		proof: { header: 'X-HOTMART-HOTTOK' },
		secret: "Hotmart's **Hottok**, under Tools → Webhook → Authentication",
		product: "the product's ID at Hotmart, a number",
		address:
			'At Hotmart, under **Tools → Webhook (API and notifications)**, register it with version 2.0.0 and the events *Purchase approved*, *Purchase complete*, *Purchase refunded* and *Chargeback*',
		isAnsweredAtOnce: true,
		habit: 'Hotmart deactivates an address that returns errors',
	},
	'shop-kiwify': {
		name: 'Kiwify',
		fields: {
			paymentId: '$json.body.order_id ?? $json.body.id',
			status: '$json.body.order_status ?? $json.body.status',
			email: '$json.body.Customer?.email',
			name: '$json.body.Customer?.full_name',
			products: '$json.body.Product?.product_id',
			until: '$json.body.Subscription?.customer_access?.access_until',
		},
		words: {
			paid: 'paid',
			refunded: 'refunded, chargedback',
			nothingToDo: 'waiting_payment, refused, abandoned',
		},
		proof: {
			hmac: 'SHA1',
			encoding: 'hex',
			isGenuine: '$json.query.signature === $json.signature',
		},
		secret: 'the **token** that Kiwify shows for the webhook (until you have it, any text)',
		product: "the product's ID at Kiwify, a text of letters and digits with hyphens",
		address:
			'At Kiwify, under **Apps → Webhooks**, create a webhook with it for your products and the events *Compra aprovada*, *Reembolso* and *Chargeback*',
		isAnsweredAtOnce: false,
		habit: 'Kiwify sends a failed notification again, up to five times',
	},
	'shop-eduzz': {
		name: 'Eduzz',
		fields: {
			paymentId: '$json.body.data?.id && `Eduzz ${$json.body.data.id}`',
			status:
				"/chargeback/i.test($json.body.event) ? 'chargeback' : $json.body.event && !/invoice/i.test($json.body.event) ? 'other event' : $json.body.data?.status",
			email: '$json.body.data?.student?.email ?? $json.body.data?.buyer?.email',
			name: '$json.body.data?.student?.name ?? $json.body.data?.buyer?.name',
			products: '$json.body.data?.items?.map((item) => item.productId)',
		},
		words: {
			paid: 'paid',
			refunded: 'refunded, chargeback',
			nothingToDo:
				'other event, open, waitingPayment, waitingRefund, canceled, expired, overdue, refused, processing, waitingDocuments, analysing, duplicated, recovering, internal, deleted, scheduled, negotiated, partialRefund',
		},
		proof: { hmac: 'SHA256', encoding: 'hex', isGenuine: hexInHeader('x-signature') },
		secret: 'the **secret** that Eduzz shows for the webhook (until you have it, any text)',
		product: "the product's ID at Eduzz",
		address:
			'At Eduzz, under **Órbita → Developer → Webhook**, add it with the events `myeduzz.invoice_paid`, `myeduzz.invoice_refunded` and `myeduzz.invoice_chargeback`',
		isAnsweredAtOnce: true,
		habit: 'nobody has confirmed what Eduzz does with an address that returns errors',
	},
	'shop-woocommerce': {
		name: 'WooCommerce',
		fields: {
			paymentId: '$json.body.id && `WooCommerce ${$json.body.id}`',
			// Here, "processing" means paid: the goods are being prepared. Only its ping has a `webhook_id`.
			status:
				"$json.body.webhook_id ? 'ping' : $json.body.status === 'processing' ? 'paid' : $json.body.status",
			email: '$json.body.billing?.email',
			name: "[$json.body.billing?.first_name, $json.body.billing?.last_name].filter(Boolean).join(' ')",
			products: '$json.body.line_items?.map((item) => item.product_id)',
			paidAt: '$json.body.date_paid_gmt',
		},
		words: {
			paid: 'paid, completed',
			refunded: 'refunded',
			nothingToDo: 'ping, pending, on-hold, failed, cancelled, checkout-draft, trash',
		},
		proof: {
			hmac: 'SHA256',
			encoding: 'base64',
			// WooCommerce does not sign its ping, which is never a sale.
			isGenuine: `Boolean($json.body.webhook_id) || ${hexInHeader('x-wc-webhook-signature')}`,
		},
		secret: 'a **long password of your own**, which you will enter at WooCommerce too',
		product: "the product's ID at WooCommerce, the number that appears when you point at it",
		address:
			'In WordPress, under **WooCommerce → Settings → Advanced → Webhooks**, add a webhook: status *Active*, topic *Order updated*, the address as *Delivery URL*, and the password of step 2 as *Secret*',
		isAnsweredAtOnce: true,
		habit:
			'WooCommerce never sends a notification again, and disables the webhook after more than five failures in a row',
	},
	'shop-stripe': {
		name: 'Stripe',
		fields: {
			paymentId: '$json.body.data?.object?.payment_intent ?? $json.body.data?.object?.id',
			status:
				"['checkout.session.completed', 'checkout.session.async_payment_succeeded'].includes($json.body.type) ? $json.body.data.object.payment_status : $json.body.type === 'charge.refunded' ? ($json.body.data.object.refunded ? 'refunded' : 'partially_refunded') : $json.body.type === 'charge.dispute.closed' ? `dispute ${$json.body.data.object.status}` : 'other event'",
			email: '$json.body.data?.object?.customer_details?.email',
			name: '$json.body.data?.object?.customer_details?.name',
			products:
				'$json.body.data?.object?.metadata?.product ?? $json.body.data?.object?.payment_link',
			paidAt: '$json.body.created',
		},
		words: {
			paid: 'paid, no_payment_required',
			refunded: 'refunded, dispute lost',
			nothingToDo: 'other event, unpaid, partially_refunded, dispute won, dispute warning_closed',
		},
		proof: {
			hmac: 'SHA256',
			encoding: 'hex',
			of: "{{ $json.headers['stripe-signature']?.match(/t=(\\d+)/)?.[1] }}.{{ $json.text }}",
			isGenuine:
				"($json.headers['stripe-signature'] ?? '').split(',').includes(`v1=${$json.signature}`)",
		},
		secret: 'the **signing secret** (`whsec_…`) of the endpoint (until you have it, any text)',
		product:
			'the ID of the Payment Link (`plink_…`), or what you have entered at Stripe as the metadata `product` of the Payment Link',
		address:
			'At Stripe, under **Developers → Webhooks**, add it as an endpoint with the events `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `charge.refunded` and `charge.dispute.closed`',
		isAnsweredAtOnce: false,
		habit: 'Stripe sends a failed notification again, for three days',
	},
	'shop-shopify': {
		name: 'Shopify',
		fields: {
			paymentId: '$json.body.id && `Shopify ${$json.body.id}`',
			status: "$json.body.financial_status ?? ($json.body.line_items ? '' : 'no order')",
			email: '$json.body.email || $json.body.customer?.email',
			name: "[$json.body.customer?.first_name, $json.body.customer?.last_name].filter(Boolean).join(' ')",
			products: '$json.body.line_items?.map((item) => item.product_id)',
			paidAt: '$json.body.processed_at',
		},
		words: {
			paid: 'paid',
			refunded: 'refunded',
			nothingToDo:
				'no order, pending, authorized, partially_paid, partially_refunded, voided, expired',
		},
		proof: {
			hmac: 'SHA256',
			encoding: 'base64',
			isGenuine: hexInHeader('x-shopify-hmac-sha256'),
		},
		secret:
			'the **key** below the list of webhooks, under Settings → Notifications → Webhooks (until you have it, any text)',
		product: "the product's ID at Shopify, the number at the end of its address in the admin",
		address:
			'At Shopify, under **Settings → Notifications → Webhooks**, create a webhook with the event *Order update*, the format JSON and this address',
		isAnsweredAtOnce: true,
		habit: 'Shopify waits for five seconds only',
	},
	'shop-other': {
		name: 'your shop',
		isAnother: true,
		fields: {
			paymentId: '$json.body.paymentId',
			status: '$json.body.status',
			email: '$json.body.buyer.email',
			name: '$json.body.buyer.name',
			products: '$json.body.products',
			paidAt: '$json.body.paidAt',
			until: '$json.body.until',
		},
		words: {
			paid: 'paid, approved, complete, completed, succeeded, confirmed, pago, paga, aprovado, aprovada, pagamento aprovado, confirmado, concluído, concluída, finalizado, finalizada',
			refunded:
				'refunded, refund, chargeback, charged_back, reembolsado, reembolsada, reembolso, estornado, estornada, estorno, devolvido, devolvida',
			nothingToDo:
				'pending, waiting, waiting_payment, unpaid, boleto_printed, billet_printed, printed_billet, in_process, under_analysis, canceled, cancelled, expired, overdue, delayed, refused, declined, rejected, failed, dispute, abandoned, ping, test, pendente, aguardando, aguardando_pagamento, boleto_gerado, boleto_impresso, pix_gerado, em_análise, cancelado, cancelada, expirado, expirada, vencido, recusado, recusada, em_disputa, abandonado, carrinho_abandonado',
		},
		proof: { header: 'X-Shop-Secret' },
		secret: 'a **long password of your own**. Your shop must send it in this header',
		product: 'the code that your shop sends',
		address: 'Enter it in your shop, for payments and refunds',
		isAnsweredAtOnce: false,
		habit: 'most shops send a failed notification again',
	},
};
