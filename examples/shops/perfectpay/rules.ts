import { wasPaid, type Rules } from '../rules';

/** What the rules read of a sale (support.perfectpay.com.br, webhook). */
interface PerfectPaySale {
	sale_status_enum?: unknown;
	/** Empty until a sale is paid. */
	date_approved?: unknown;
}

/** What becomes of a sale that was paid, and is taken back. */
const TAKEN_BACK: Record<string, string> = { 5: 'rejected', 6: 'cancelled' };

/** Says what a sale of PerfectPay means. */
export function rulesOf({
	sale_status_enum: number,
	date_approved: approved,
}: PerfectPaySale): Rules {
	const status = TAKEN_BACK[String(number)];
	return status && approved ? { warning: wasPaid('PerfectPay', status) } : {};
}
