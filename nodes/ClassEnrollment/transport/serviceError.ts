import { TRY_LATER, tryAgainAt } from './advice';
import type { Outcome } from './outcome';

/** What went wrong with a request, in words for the user. */
export interface Failure extends Omit<Outcome, 'json' | 'reason'> {
	/** Whether this try of a write, or an earlier one, may have taken effect. */
	mayHaveTakenEffect?: boolean;
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

/** The error of requests that are not sent since the run is over. */
export function unsentError(message: string, advice = ''): ServiceError {
	return new ServiceError({ effect: 'notReached', isUnsent: true, message, advice });
}

/** The user stopped the run, or an error did that is shown instead of this one. */
export const CANCELLED = unsentError('The execution was cancelled');

/** The error of requests that are not sent, from the outcome that ended the run. */
export function unsentAfter({ hitsAll, retryAfterMs, ...last }: Outcome): ServiceError {
	// What hits all is why the others are not sent.
	if (hitsAll) return unsentError(last.message, last.advice);
	const why = retryAfterMs !== undefined ? 'the service asks to wait' : 'earlier requests failed';
	return unsentError(`Not sent: ${why} (${last.reason})`, tryAgainAt(retryAfterMs) ?? TRY_LATER);
}
