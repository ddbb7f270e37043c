import { NO_SALE, NOTHING_TO_DO } from './notification';

/** What a node before has output: what Class access has done, why there is no sale, or an error of n8n. */
export interface NodeOutput {
	result?: string;
	reason?: string;
	error?: unknown;
}

/** n8n's "Workflow is not active", or "does not exist". */
const IS_ABSENT = /workflow/i;
const ADVICE = ' Make sure that Class access is published and selected here, then retry.';

/**
 * Returns why a notification has failed, on one line, since n8n shows no other; undefined if it hasn't.
 * @param paymentId of the payment, as far as it was read, and `email` of its buyer
 */
export function failureOf(
	{ result, reason, error }: NodeOutput,
	paymentId: string,
	email: string,
): string | undefined {
	if (result !== undefined && result !== 'failed') return undefined;
	const message = messageOf(error);
	if (message.startsWith(NOTHING_TO_DO)) return undefined;
	const cause = reason || message.replace(NO_SALE, '') || 'A node before this one failed.';
	const isOwn = message.startsWith(NO_SALE);
	const advice = !isOwn && IS_ABSENT.test(message) ? ADVICE : '';
	return `${nameOf(paymentId, email)}: ${cause.replaceAll('\n', ' ')}${advice}`;
}

/** Names a payment by what was read of it. */
function nameOf(paymentId: string, email: string): string {
	if (!paymentId && !email) return "A notification that can't be read";
	return [paymentId ? `Payment ${paymentId}` : 'A payment', email && `of ${email}`]
		.filter(Boolean)
		.join(' ');
}

/** An error is a text, or an object with a message. */
function messageOf(error: unknown): string {
	if (typeof error === 'object' && error !== null && 'message' in error)
		return String(error.message);
	return error === undefined || error === null ? '' : String(error);
}
