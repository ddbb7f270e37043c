import { TRY_LATER, tryAgainAt } from './advice';
import type { Outcome } from './outcome';

/** What went wrong with a request, in words for the user. */
export interface Failure extends Omit<Outcome, 'json' | 'reason'> {
	/** Whether it is unknown if the request, or an earlier one of its tries, took effect. */
	isUnknown?: boolean;
	/** Whether it was never sent, since the run was over. */
	isUnsent?: true;
}

/** A request that did not succeed. */
export class ServiceError extends Error {
	readonly description: string;

	constructor(readonly failure: Failure) {
		super(failure.message);
		this.description = failure.advice;
	}
}

/** Why a run ends without a response of the service. `notSentError` says it as it is. */
export function ending(message: string, advice = ''): Outcome {
	return { effect: 'notReached', hitsAll: true, message, advice, reason: '' };
}

/** The user stopped the run, or an error did that is shown instead of this one. */
export const CANCELLED = ending('The execution was cancelled');

/** The error of a request that was not sent, from the outcome that ended the run. */
export function notSentError(last: Outcome): ServiceError {
	const unsent = { effect: 'notReached', isUnsent: true } as const;
	const { hitsAll, retryAfterMs } = last;
	// What hits all is why the others were not sent.
	if (hitsAll) return new ServiceError({ ...last, ...unsent, status: undefined });
	const why = retryAfterMs !== undefined ? 'the service asks to wait' : 'earlier requests failed';
	const message = `Not sent: ${why} (${last.reason})`;
	const advice = tryAgainAt(retryAfterMs) ?? TRY_LATER;
	return new ServiceError({ message, advice, ...unsent });
}
