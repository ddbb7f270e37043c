import type { Shop } from '../shop';

const PAYER = '$json.body.event?.invoice?.payer';
/** Who gets access. Somebody else may pay. */
const STUDENT = `($json.body.event?.user?.email ? $json.body.event.user : ${PAYER})`;
/** Who says the student's name: of the same person, the user may have none. */
const NAMED = `($json.body.event?.user?.email === ${PAYER}?.email ? ${PAYER} : ${STUDENT})`;

export const hubla: Shop = {
	name: 'Hubla',
	rules: 'shops/hubla/rules',
	fields: {
		paymentId: '$json.body.event?.invoice?.id',
		// Each instalment is an invoice, and says which was the first.
		instalment: '$json.body.event?.invoice?.smartInstallment?.installment',
		instalmentsOf: '$json.body.event?.invoice?.smartInstallment?.sourceInvoiceId',
		status: '$json.body.event?.invoice?.status ?? $json.body.type',
		email: `${STUDENT}?.email`,
		name: `[${NAMED}?.firstName, ${NAMED}?.lastName].filter(Boolean).join(' ')`,
		products: '$json.body.event?.products?.map((item) => item?.id)',
		// Its panel sends made-up payments.
		isTest: "$json.headers['x-hubla-sandbox'] === 'true'",
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
};
