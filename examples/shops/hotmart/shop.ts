import { GRACE_DAYS, type Shop } from '../shop';

export const hotmart: Shop = {
	name: 'Hotmart',
	rules: 'shops/hotmart/rules',
	fields: {
		paymentId: '$json.body.data?.purchase?.transaction',
		// Each instalment is a transaction, as is each charge of a subscription.
		instalment: '$json.body.data?.purchase?.recurrence_number',
		instalmentsOf:
			'$json.body.data?.purchase?.recurrence_number && $json.body.data.subscription?.subscriber?.code',
		// Events without a purchase have no status.
		status: '$json.body.data?.purchase?.status ?? $json.body.event',
		email: '$json.body.data?.buyer?.email',
		name: '$json.body.data?.buyer?.name',
		products: '$json.body.data?.product?.id',
		paidAt: '$json.body.data?.purchase?.approved_date',
		nextCharge: '$json.body.data?.purchase?.date_next_charge',
		// A charge tells the next one, but not if the subscription was cancelled.
		isSubscription:
			'$json.body.data?.purchase?.date_next_charge || $json.body.data?.subscription?.plan',
	},
	settings: { dates: 'milliseconds', graceDays: GRACE_DAYS },
	words: {
		paid: 'APPROVED, COMPLETE, COMPLETED, PARTIALLY_REFUNDED',
		refunded: 'REFUNDED, CHARGEBACK',
		nothingToDo:
			'PURCHASE_OUT_OF_SHOPPING_CART, SUBSCRIPTION_CANCELLATION, SWITCH_PLAN, UPDATE_SUBSCRIPTION_CHARGE_DATE, CLUB_FIRST_ACCESS, CLUB_MODULE_COMPLETED, BILLET_PRINTED, PRINTED_BILLET, WAITING_PAYMENT, CANCELED, CANCELLED, OVERDUE, DELAYED, EXPIRED, DISPUTE, PROTESTED, BLOCKED, NO_FUNDS, PRE_ORDER, STARTED, PROCESSING_TRANSACTION, UNDER_ANALISYS',
	},
	proof: { kind: 'header', header: 'X-HOTMART-HOTTOK' },
	secret: "Hotmart's **Hottok**, under Tools → Webhook → Authentication",
	product: "the product's ID at Hotmart, a number",
	address:
		'At Hotmart, under **Tools → Webhook (API and notifications)**, register it with version 2.0.0 and the events *Purchase approved*, *Purchase complete*, *Purchase refunded* and *Chargeback*',
	isAnsweredAtOnce: true,
	habit: 'Hotmart deactivates an address that returns errors',
};
