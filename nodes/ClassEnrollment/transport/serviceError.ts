import type { Outcome } from './outcome';
import { CANCELLED } from './noResponse';

/** What went wrong with a request, in words for the user. */
export interface Failure extends Omit<Outcome, 'json' | 'reason'> {
	/** Whether it is unknown if the request, or an earlier try of it, took effect. */
	isUnknown?: boolean;
	/** Whether it was never sent, since the run was over. */
	isUnsent?: true;
}

/** How the errors of requests begin that were not sent because others had failed. */
const NOT_SENT = 'Not sent: ';
export const TRY_LATER = 'Try again later.';

/** A request that did not succeed. */
export class ServiceError extends Error {
	/** What the user can do about it. */
	readonly description: string;

	constructor(readonly failure: Failure) {
		super(failure.message);
		this.description = failure.advice;
	}
}

/** Advice for a service that asks to wait for minutes. */
export function tryAgainAt(retryAfterMs = 0): string | undefined {
	if (retryAfterMs < 60_000) return undefined;
	const at = new Date(Date.now() + retryAfterMs + 59_999).toISOString().slice(0, 16);
	return `The service asks to try again in ${Math.ceil(retryAfterMs / 60_000)} minutes, at ${at.replace('T', ' ')} UTC.`;
}

/** The error of a request that was not sent. Without an outcome: cancelled, or stopped by an error, shown instead. */
export function notSentError(givenUp: Outcome | null): ServiceError {
	const unsent = { effect: 'notReached', isUnsent: true } as const;
	if (!givenUp) {
		const message = 'The execution was cancelled';
		return new ServiceError({ message, advice: '', ...unsent, code: CANCELLED });
	}
	const { hitsAll, retryAfterMs } = givenUp;
	if (hitsAll) return new ServiceError({ ...givenUp, ...unsent, status: undefined });
	const why = retryAfterMs !== undefined ? 'the service asks to wait' : 'earlier requests failed';
	const message = `${NOT_SENT}${why} (${givenUp.reason})`;
	const advice = tryAgainAt(retryAfterMs) ?? TRY_LATER;
	return new ServiceError({ message, advice, ...unsent });
}
