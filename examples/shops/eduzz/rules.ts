import { differs, isOneOf, wasPaid, type Rules } from '../rules';

/** What the rules read of a notification (developers.eduzz.com, webhook). */
interface EduzzNotification {
	event?: unknown;
	data?: {
		status?: unknown;
		/** Who learns, if somebody else has paid. */
		student?: { email?: unknown } | null;
		paidAt?: unknown;
		/** Each of its charges is an invoice: of a subscription, or an instalment of one sale that needs no credit limit. */
		contract?: { id?: unknown; isUnlimitedInstallments?: unknown } | null;
		bankSlipInstallment?: { installmentNumber?: unknown } | null;
	} | null;
}

/** Says what a notification of Eduzz means. The event of a chargeback is not confirmed, so its name is enough. */
export function rulesOf({ event, data }: EduzzNotification): Rules {
	const { status, student, paidAt, contract, bankSlipInstallment } = data ?? {};
	// A refund may only say who gets the money, not who learns. Its number is enough.
	const isUnnamed = /refund|chargeback/i.test(String(event)) && !student?.email;
	// Each instalment would be a sale of its own.
	const isUnnumbered = Boolean(contract?.isUnlimitedInstallments) && !contract?.id;
	const isLater = Number(bankSlipInstallment?.installmentNumber) > 1;
	const rules: Rules = {
		isSubscription: Boolean(contract) && !contract?.isUnlimitedInstallments,
		unpaid: isLater ? 'it is a later instalment' : undefined,
		warning: isOneOf(status, 'canceled') && paidAt ? wasPaid('Eduzz', 'canceled') : undefined,
		...(isUnnamed && { email: '' }),
		...(isUnnumbered && { paymentId: '' }),
	};
	if (/chargeback/i.test(String(event))) return { ...rules, status: 'chargeback' };
	if (isOneOf(status, 'paid') && /refund|cancel/i.test(String(event)))
		return { problem: differs(event, status, 'Eduzz') };
	// What is no invoice, such as a contract, has another kind of status.
	return /invoice/i.test(String(event)) ? rules : { ...rules, status: event };
}
