import type { Shop } from '../shop';

export const other: Shop = {
	name: 'your shop',
	isAnother: true,
	rules: 'shops/other/rules',
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
	settings: {
		numbersOf: '',
		productCode: 'sku, product_id, productId, product_code, productCode',
		dates: '',
	},
	words: {
		paid: 'paid, partially_refunded, partial_refund, approved, complete, completed, succeeded, confirmed, order_paid, payment_approved, payment_completed, payment_confirmed, payment_succeeded, purchase_approved, purchase_order_confirmed, sale_approved, pago, paga, aprovado, aprovada, confirmado, concluído, concluida, concluido, concluída, finalizado, finalizada, pagamento aprovado, pagamento confirmado, compra aprovada, venda aprovada',
		refunded:
			'refunded, refund, chargeback, charged_back, order_refunded, payment_refunded, purchase_refunded, sale_refunded, sale_chargeback, reembolsado, reembolsada, reembolso, estornado, estornada, estorno, devolvido, devolvida',
		nothingToDo:
			'pending, waiting, waiting_payment, unpaid, order_pending, order_canceled, order_cancelled, payment_pending, payment_failed, purchase_refused, sale_refused, boleto_printed, billet_printed, printed_billet, in_process, under_analysis, canceled, cancelled, expired, overdue, delayed, refused, declined, rejected, failed, abandoned, ping, test, pendente, aguardando, aguardando_pagamento, boleto_gerado, boleto_impresso, pix_gerado, em_análise, em_analise, cancelado, cancelada, expirado, expirada, vencido, recusado, recusada, abandonado, carrinho_abandonado',
	},
	proof: { kind: 'address' },
	product: 'the code that your shop sends',
	address: 'Enter it in your shop, for payments and refunds',
	isAnsweredAtOnce: false,
	habit: 'most shops send a failed notification again',
};
