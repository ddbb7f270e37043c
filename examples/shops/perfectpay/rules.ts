import { wasPaid, type Rules } from '../rules';

/** What the rules read of a sale (support.perfectpay.com.br, webhook). */
interface PerfectPaySale {
	sale_status_enum?: unknown;
	/** Empty (null) until a sale is paid. */
	date_approved?: unknown;
}

/** What becomes of a sale that was paid, and is taken back. */
const TAKEN_BACK: Record<string, string> = { 5: 'rejected', 6: 'cancelled' };

const APPROVED = 2;
const UNDATED =
	'The status is 2 (approved), but date_approved is empty, so it may still be in review. Once PerfectPay sends the date, the buyer gets access. If it was paid without one, add a row of kind given to the data table class_sales.';

/** Says what a sale of PerfectPay means. A sale in review is said to arrive as an approved one. */
export function rulesOf({
	sale_status_enum: number,
	date_approved: approved,
}: PerfectPaySale): Rules {
	const isUndated = approved === null || approved === '';
	if (Number(number) === APPROVED && isUndated) return { problem: UNDATED };
	const status = TAKEN_BACK[String(number)];
	return status && approved ? { warning: wasPaid('PerfectPay', status) } : {};
}
