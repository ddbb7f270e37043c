import type { Shop } from './shop';
import { stripe } from './stripe/shop';

/** What is said of an order with a status that takes no access, though it was paid: the owner may have given the money back elsewhere. */
const wasPaid = (shop: string, status: string): string =>
	`'The order was paid, and has the status ' + ${status} + '. To end the access, refund it at ${shop}, or add a row of kind refunded to the data table class_sales.'`;

/** Days that a charge may be late. */
const GRACE_DAYS = 5;

const HOTMART = '$json.body.data?.purchase';
/** A subscription has a plan. Its charges are transactions, and tell the next one, but not if it was cancelled. */
const HOTMART_SUBSCRIPTION = `(${HOTMART}?.date_next_charge || $json.body.data?.subscription?.plan)`;
/** The subscriber of a sale in instalments, each of which is a transaction, too. */
const HOTMART_INSTALMENTS = `${HOTMART}?.recurrence_number && !${HOTMART_SUBSCRIPTION} && $json.body.data.subscription?.subscriber?.code`;

const HOTMART_PAYS = "['PURCHASE_APPROVED', 'PURCHASE_COMPLETE'].includes($json.body.event)";
const HOTMART_DIFFERS = `'The event is ' + $json.body.event + ', but the status ' + ${HOTMART}.status + '. Look at Hotmart. If it was paid, add a row of kind given to the data table class_sales. If it was paid back, one of kind refunded.'`;

/** The order in a notification of Kiwify. */
const KIWIFY = '($json.body.order ?? $json.body)';

const EDUZZ = '$json.body.data';
/** Each charge of a contract is an invoice: of a subscription, or an instalment of one sale that needs no credit limit. */
const EDUZZ_INSTALMENTS = `${EDUZZ}?.contract?.isUnlimitedInstallments`;

/** What was removed from an order stays, with the quantity 0. Only a tip has `tip_payment_gateway`. */
const SHOPIFY_ITEMS =
	"$json.body.line_items?.filter((item) => item?.current_quantity !== 0 && !(item && 'tip_payment_gateway' in item))";

const HUBLA = '$json.body.event?.invoice';
/** Who gets access. Somebody else may pay. */
const HUBLA_USER = `($json.body.event?.user?.email ? $json.body.event.user : ${HUBLA}?.payer)`;

/** The shops with a recipe of their own, by file. `docs/shops.md` says what these facts rest on. */
export const SHOPS: Record<string, Shop> = {
	'shop-hotmart': {
		name: 'Hotmart',
		fields: {
			paymentId: `${HOTMART_INSTALMENTS} || ${HOTMART}?.transaction`,
			// Events without a purchase have no status.
			status: `${HOTMART}?.status ?? $json.body.event`,
			email: '$json.body.data?.buyer?.email',
			name: '$json.body.data?.buyer?.name',
			products: '$json.body.data?.product?.id',
			paidAt: `${HOTMART}?.approved_date`,
			nextCharge: `${HOTMART}?.date_next_charge`,
			isSubscription: `Boolean(${HOTMART_SUBSCRIPTION})`,
			nothing: "String($json.body.data?.product?.id) === '0' ? 'the test about product 0' : ''",
			// A purchase that is approved may still be said to be pending.
			warning: `${HOTMART_PAYS} && ${HOTMART} ? ${HOTMART_DIFFERS} : ''`,
			problem: `!${HOTMART_PAYS} && ['APPROVED', 'COMPLETE', 'COMPLETED'].includes(${HOTMART}?.status) ? ${HOTMART_DIFFERS} : ''`,
			unpaid: `${HOTMART}?.recurrence_number > 1 && !${HOTMART_SUBSCRIPTION} && !(${HOTMART_INSTALMENTS}) ? 'it is a later instalment' : ''`,
		},
		settings: { dates: 'milliseconds', graceDays: GRACE_DAYS },
		words: {
			paid: 'APPROVED, COMPLETE, COMPLETED',
			refunded: 'REFUNDED, CHARGEBACK',
			nothingToDo:
				'PURCHASE_OUT_OF_SHOPPING_CART, SUBSCRIPTION_CANCELLATION, SWITCH_PLAN, UPDATE_SUBSCRIPTION_CHARGE_DATE, CLUB_FIRST_ACCESS, CLUB_MODULE_COMPLETED, BILLET_PRINTED, PRINTED_BILLET, WAITING_PAYMENT, CANCELED, CANCELLED, OVERDUE, DELAYED, EXPIRED, DISPUTE, PROTESTED, BLOCKED, NO_FUNDS, PRE_ORDER, STARTED, PROCESSING_TRANSACTION, UNDER_ANALISYS, PARTIALLY_REFUNDED',
		},
		proof: { kind: 'header', header: 'X-HOTMART-HOTTOK' },
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
			// Each instalment is an order.
			paymentId: `${KIWIFY}.SmartInstallment?.id || ${KIWIFY}.order_id || ${KIWIFY}.id`,
			// What happens to a subscription is told with its last order, which may be paid.
			status: `['order_approved', 'subscription_renewed'].includes(${KIWIFY}.webhook_event_type ?? 'order_approved') ? ${KIWIFY}.order_status ?? ${KIWIFY}.status : ${KIWIFY}.webhook_event_type`,
			email: `${KIWIFY}.Customer?.email`,
			name: `${KIWIFY}.Customer?.full_name`,
			products: `${KIWIFY}.Product?.product_id`,
			nextCharge: `${KIWIFY}.Subscription?.customer_access?.access_until || ${KIWIFY}.Subscription?.next_payment`,
			isSubscription: `Boolean((${KIWIFY}.Subscription || ${KIWIFY}.subscription_id) && !${KIWIFY}.SmartInstallment)`,
			unpaid: `${KIWIFY}.SmartInstallment?.installment_number > 1 && !${KIWIFY}.SmartInstallment.id ? 'it is a later instalment' : ''`,
		},
		settings: { graceDays: GRACE_DAYS },
		words: {
			paid: 'paid, approved',
			refunded: 'refunded, order_refunded, chargedback, chargeback',
			nothingToDo:
				'waiting_payment, pending, refused, expired, abandoned, order_rejected, pix_created, billet_created, subscription_late, subscription_canceled',
		},
		proof: {
			kind: 'hmac',
			type: 'SHA1',
			encoding: 'hex',
			// Some notifications have the order in `order`, which may be signed alone, and the signature beside it.
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
	},
	'shop-eduzz': {
		name: 'Eduzz',
		fields: {
			paymentId: `${EDUZZ_INSTALMENTS} ? 'contract ' + ${EDUZZ}.contract.id : ${EDUZZ}?.id`,
			status:
				"/chargeback/i.test($json.body.event) ? 'chargeback' : /invoice/i.test($json.body.event) ? $json.body.data?.status : $json.body.event",
			email: '$json.body.data?.student?.email || $json.body.data?.buyer?.email',
			name: '$json.body.data?.student?.name || $json.body.data?.buyer?.name',
			products: '$json.body.data?.items?.map((item) => item?.productId)',
			paidAt: `${EDUZZ}?.paidAt`,
			isSubscription: `Boolean(${EDUZZ}?.contract) && !${EDUZZ_INSTALMENTS}`,
			warning: `${EDUZZ}?.status === 'canceled' && ${EDUZZ}.paidAt ? ${wasPaid('Eduzz', `${EDUZZ}.status`)} : ''`,
			unpaid: `${EDUZZ}?.bankSlipInstallment?.installmentNumber > 1 ? 'it is a later instalment' : ''`,
		},
		settings: { numbersOf: 'Eduzz' },
		words: {
			paid: 'paid',
			refunded: 'refunded, chargeback',
			nothingToDo:
				'ping, myeduzz.contract_created, myeduzz.contract_updated, myeduzz.contract_card_attempted, open, waitingPayment, waitingRefund, canceled, expired, overdue, refused, processing, waitingDocuments, analysing, duplicated, recovering, internal, deleted, scheduled, negotiated, partialRefund',
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
	},
	'shop-woocommerce': {
		name: 'WooCommerce',
		fields: {
			paymentId: '$json.body.id',
			status: '$json.body.status',
			email: '$json.body.billing?.email',
			name: "[$json.body.billing?.first_name, $json.body.billing?.last_name].filter(Boolean).join(' ')",
			// A deleted product has the ID 0.
			products: '$json.body.line_items?.map((item) => item?.product_id || item?.name)',
			// Without a zone, but in UTC.
			paidAt: '$json.body.date_paid_gmt ? `${$json.body.date_paid_gmt}Z` : $json.body.date_paid',
			// Of renewals by the plugin WooCommerce Subscriptions. It doesn't say so of the first order.
			isSubscription: "$json.body.created_via === 'subscription'",
			// With cash on delivery, an order is processed long before.
			unpaid:
				"$json.body.date_paid_gmt || $json.body.date_paid ? '' : 'it is not paid yet, as date_paid is empty'",
			// On hold, the money may be in dispute.
			warning: `['cancelled', 'failed', 'pending', 'trash'].includes($json.body.status) && ($json.body.date_paid_gmt || $json.body.date_paid) ? ${wasPaid('WooCommerce', '$json.body.status')} : ''`,
			problem:
				"$json.body.code ? `WooCommerce sent an error in place of the order: ${$json.body.code}. The user who created the webhook can't see orders. Create the webhook again as an administrator.` : $json.body.order || ['processing', 'completed'].includes($json.body.status) && $json.body.date_paid === undefined && $json.body.date_paid_gmt === undefined ? 'The order does not say when it was paid (date_paid). At WooCommerce, choose the newest API version of the webhook.' : ''",
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
	},
	'shop-stripe': stripe,
	'shop-shopify': {
		name: 'Shopify',
		fields: {
			paymentId: '$json.body.id',
			status: '$json.body.financial_status',
			email: '$json.body.email || $json.body.customer?.email',
			name: "[$json.body.customer?.first_name, $json.body.customer?.last_name].filter(Boolean).join(' ')",
			// A product that was deleted has only its title left.
			products: `${SHOPIFY_ITEMS}.map((item) => item?.product_id ?? item?.title)`,
			problem: `!$json.body.line_items ? 'This is no order. At Shopify, choose the event Order update.' : $json.body.cancelled_at && ['paid', 'partially_refunded'].includes($json.body.financial_status) ? 'The order was cancelled, and not refunded. To end the access, refund it at Shopify, or add a row of kind refunded to the data table class_sales.' : ['paid', 'partially_refunded'].includes($json.body.financial_status) && ${SHOPIFY_ITEMS}.length === 0 ? 'No item is left in this order. To end the access, refund all of it, or add a row of kind refunded to the data table class_sales.' : ''`,
			// Of renewals. Some apps that sell subscriptions only tag their orders.
			isSubscription:
				'/^subscription_contract/.test($json.body.source_name) || /Subscription (First|Recurring) Order/i.test($json.body.tags)',
			// That is when it was ordered. What is paid by hand or later counts from when Shopify tells of it.
			paidAt:
				"$json.body.payment_terms || /manual|cash|deposit|money order/i.test($json.body.payment_gateway_names) ? '' : $json.body.processed_at",
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
	},
	'shop-hubla': {
		name: 'Hubla',
		fields: {
			// Each instalment is an invoice, and says which was the first.
			paymentId: `${HUBLA}?.smartInstallment?.sourceInvoiceId || ${HUBLA}?.id`,
			status: `${HUBLA}?.status ?? $json.body.type`,
			email: `${HUBLA_USER}?.email`,
			name: `[${HUBLA_USER}?.firstName, ${HUBLA_USER}?.lastName].filter(Boolean).join(' ')`,
			products: '$json.body.event?.products?.map((item) => item?.id)',
			// What is sold for the first time has the type `sell`.
			isSubscription: `Boolean(${HUBLA}?.type) && ${HUBLA}.type !== 'sell' && !${HUBLA}.smartInstallment`,
			// Its panel sends made-up payments.
			nothing: "$json.headers['x-hubla-sandbox'] === 'true' ? 'a test' : ''",
			unpaid: `${HUBLA}?.smartInstallment?.installment > 1 && !${HUBLA}.smartInstallment.sourceInvoiceId ? 'it is a later instalment' : ''`,
		},
		words: {
			paid: 'paid',
			refunded: 'refunded, chargeback',
			nothingToDo: 'draft, unpaid, overdue, expired, canceled, disputed',
		},
		proof: { kind: 'header', header: 'x-hubla-token' },
		secret: 'the **Hubla Webhook Token**, under Integrações → Webhooks → Autenticação',
		product: "the product's ID at Hubla",
		address:
			'At Hubla, under **Integrações → Webhooks → Configurações → Adicionar regra**, enter it with your products and the event *Status da fatura atualizada* of version 2.0.0',
		isAnsweredAtOnce: true,
		habit: 'Hubla disables an address after some days of errors',
	},
	'shop-lemonsqueezy': {
		name: 'Lemon Squeezy',
		fields: {
			paymentId: "$json.body.data?.type === 'orders' ? $json.body.data.id : ''",
			status:
				"$json.body.data?.type === 'orders' ? $json.body.data.attributes?.status : $json.body.meta?.event_name",
			email: '$json.body.data?.attributes?.user_email',
			name: '$json.body.data?.attributes?.user_name',
			products: '$json.body.data?.attributes?.first_order_item?.product_id',
			paidAt: '$json.body.data?.attributes?.created_at',
			warning: `$json.body.data?.attributes?.status === 'fraudulent' && $json.body.meta?.event_name !== 'order_created' ? ${wasPaid('Lemon Squeezy', '$json.body.data.attributes.status')} : ''`,
			problem:
				"$json.body.meta?.event_name === 'subscription_payment_success' ? 'Renewals of Lemon Squeezy are not covered. Add a row to the data table class_sales, as the sticky notes of Class access say.' : ''",
		},
		settings: { numbersOf: 'Lemon Squeezy' },
		words: {
			paid: 'paid',
			refunded: 'refunded',
			nothingToDo: 'pending, failed, partial_refund, fraudulent',
		},
		proof: { kind: 'hmac', type: 'SHA256', encoding: 'hex', inHeader: 'x-signature' },
		secret: 'a **password of your own** of 6 to 40 characters, which you will enter there too',
		product: "the product's ID at Lemon Squeezy, a number",
		address:
			'At Lemon Squeezy, under **Settings → Webhooks**, add it with the password as *Signing secret* and the events `order_created` and `order_refunded`',
		isAnsweredAtOnce: false,
		habit: 'Lemon Squeezy sends it again three times within three minutes',
	},
	'shop-cakto': {
		name: 'Cakto',
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
			isSubscription:
				"Boolean($json.body.data?.subscription) || $json.body.event === 'subscription_renewed'",
			problem:
				"Array.isArray($json.body.data) ? 'This is a list of payments. At Cakto, choose version 1 of the webhook.' : ''",
		},
		settings: { graceDays: GRACE_DAYS },
		words: {
			paid: 'purchase_approved, subscription_renewed',
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
	},
	'shop-ticto': {
		name: 'Ticto',
		fields: {
			// Each charge of a subscription is a transaction.
			paymentId: '$json.body.order?.transaction_hash ?? $json.body.order?.hash',
			status: '$json.body.status',
			email: '$json.body.customer?.email',
			name: '$json.body.customer?.name',
			products: '$json.body.item?.product_id',
			paidAt: '$json.body.status_date',
			nextCharge: '$json.body.subscriptions?.[0]?.next_charge',
			isSubscription: 'Boolean($json.body.subscriptions?.length)',
			warning:
				"$json.body.status === 'extended' ? 'The subscription was extended, but the access ends as before. Add a row of kind given to the data table class_sales, with the new end as until.' : ''",
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
	},
	'shop-perfectpay': {
		name: 'PerfectPay',
		fields: {
			paymentId: '$json.body.code',
			status: '$json.body.sale_status_enum',
			email: '$json.body.customer?.email',
			name: '$json.body.customer?.full_name',
			products: '$json.body.product?.code',
			nextCharge: '$json.body.subscription?.next_charge_date',
			isSubscription: 'Boolean($json.body.subscription?.code)',
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
	},
	'shop-other': {
		name: 'your shop',
		isAnother: true,
		fields: {
			paymentId: '',
			status: '',
			email: '',
			name: '',
			products: '',
			paidAt: '',
			until: '',
			isSubscription: '',
			defaults: '({ status: $json.body.event, ...$json.body })',
		},
		settings: { productCode: 'sku, product_id, productId, product_code, productCode', dates: '' },
		words: {
			paid: 'paid, approved, complete, completed, succeeded, confirmed, order_paid, payment_approved, payment_completed, payment_confirmed, payment_succeeded, purchase_approved, purchase_order_confirmed, sale_approved, pago, paga, aprovado, aprovada, confirmado, concluído, concluida, concluido, concluída, finalizado, finalizada, pagamento aprovado, pagamento confirmado, compra aprovada, venda aprovada',
			refunded:
				'refunded, refund, chargeback, charged_back, order_refunded, payment_refunded, purchase_refunded, sale_refunded, sale_chargeback, reembolsado, reembolsada, reembolso, estornado, estornada, estorno, devolvido, devolvida',
			nothingToDo:
				'pending, waiting, waiting_payment, unpaid, order_pending, order_canceled, order_cancelled, payment_pending, payment_failed, purchase_refused, sale_refused, boleto_printed, billet_printed, printed_billet, in_process, under_analysis, canceled, cancelled, expired, overdue, delayed, refused, declined, rejected, failed, dispute, abandoned, ping, test, partially_refunded, partial_refund, pendente, aguardando, aguardando_pagamento, boleto_gerado, boleto_impresso, pix_gerado, em_análise, em_analise, cancelado, cancelada, expirado, expirada, vencido, recusado, recusada, em_disputa, abandonado, carrinho_abandonado',
		},
		proof: { kind: 'address' },
		product: 'the code that your shop sends',
		address: 'Enter it in your shop, for payments and refunds',
		isAnsweredAtOnce: false,
		habit: 'most shops send a failed notification again',
	},
};
