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
 * @param payment its name, where there is a sale
 */
export function failureOf(
	{ result, reason, error }: NodeOutput,
	payment: string,
): string | undefined {
	if (result !== undefined && result !== 'failed') return undefined;
	const message = messageOf(error);
	if (message.startsWith(NOTHING_TO_DO)) return undefined;
	if (message.startsWith(NO_SALE)) return message.replace(NO_SALE, '').replaceAll('\n', ' ');
	const cause = reason || message || 'A node before this one failed.';
	const advice = IS_ABSENT.test(message) ? ADVICE : '';
	return `${payment}: ${cause.replaceAll('\n', ' ')}${advice}`;
}

/** An error is a text, or an object with a message. */
function messageOf(error: unknown): string {
	if (typeof error === 'object' && error !== null && 'message' in error)
		return String(error.message);
	return error === undefined || error === null ? '' : String(error);
}
