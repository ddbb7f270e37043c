/** What a node before has output: what Class access has done, why there is no sale, or an error of n8n. */
export interface Outcome {
	result?: string;
	reason?: string;
	error?: unknown;
	paymentId?: string;
	email?: string;
}

/** n8n's "Workflow is not active", or "does not exist". */
const IS_ABSENT = /workflow/i;

/**
 * Returns why a notification has failed, on one line, since n8n shows no other; undefined if it hasn't.
 * @param about the payment, as far as it was read
 */
export function failureOf(
	{ result, reason, error }: Outcome,
	about: Pick<Outcome, 'paymentId' | 'email'>,
): string | undefined {
	if (result !== undefined && result !== 'failed') return undefined;
	const message = textOf(error);
	const cause = reason || message || 'A node before this one failed.';
	const advice = IS_ABSENT.test(message)
		? ' Make sure that Class access is published and selected here, then retry.'
		: '';
	const payment = `Payment ${about.paymentId || '(unknown)'} of ${about.email || 'nobody'}`;
	return `${payment}: ${cause.replaceAll('\n', ' ')}${advice}`;
}

/** An error is a text, or an object with a message. */
function textOf(error: unknown): string {
	if (typeof error === 'object' && error !== null && 'message' in error)
		return String(error.message);
	return error === undefined || error === null ? '' : String(error);
}
