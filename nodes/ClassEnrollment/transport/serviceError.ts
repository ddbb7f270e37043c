import { tryAgainAt } from './advice';
import type { AttemptResult } from './outcome';

/** Why a request did not succeed, in words for the user. */
export interface Failure extends Omit<AttemptResult, 'json' | 'reason'> {
	/** Whether it was never sent, since the run was over. */
	isUnsent?: true;
}

/** A request that did not succeed. */
export class ServiceError extends Error {
	readonly description: string;

	/**
	 * @param failure the failure of the last attempt
	 * @param outcome the outcome of all attempts: `unknown` if an earlier one may have been processed
	 */
	constructor(
		readonly failure: Failure,
		readonly outcome = failure.outcome,
	) {
		super(failure.message);
		this.description = failure.advice ?? 'Try again later.';
	}
}

/** The error of requests that are not sent since the run is over. */
export function unsentError(message: string, advice?: string): ServiceError {
	return new ServiceError({
		outcome: 'notProcessed',
		isTemporary: true,
		isUnsent: true,
		message,
		advice,
	});
}

/** The user stopped the run, or an error did that is shown instead of this one. */
export const CANCELLED_ERROR = unsentError('The execution was cancelled', '');

/** The error of requests that are not sent, from the attempt that ended the run. */
export function unsentAfter({ isFatal, retryAfterMs, ...last }: AttemptResult): ServiceError {
	// It would meet the others, too.
	if (isFatal) return unsentError(last.message, last.advice);
	const why = retryAfterMs !== undefined ? 'The service asks to wait' : 'Earlier requests failed';
	return unsentError(`${why} (${last.reason})`, tryAgainAt(retryAfterMs));
}

/** Why the last attempt of a request failed; undefined if this is not the error of one. */
export function failureOf(error: unknown): Failure | undefined {
	return error instanceof ServiceError ? error.failure : undefined;
}
