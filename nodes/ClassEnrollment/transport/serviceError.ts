import type { Fate } from './fate';

/** Why a request failed, in the terms of n8n's durable scheduler, which decides by it when to poll again. */
export type FailureCause =
	'credential-invalid' | 'configuration-invalid' | 'rate-limited' | 'temporarily-unavailable';

/** What went wrong with a request, in words for the user. */
export interface Failure {
	/** What happened, with what the service said about it. */
	message: string;
	/** What the user can do about it. */
	advice: string;
	fate: Fate;
	/** The status of the response; undefined if there was none. */
	status?: number;
	/** Whether the request, or an earlier try of it, may have changed something. */
	mayHaveTakenEffect: boolean;
	failureCause: FailureCause;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
}

export const TRY_LATER = 'Try again later.';
const OUTCOME_UNKNOWN =
	"It is unknown whether the request took effect. Check in the service first: if 'Retry On Fail' is on, the node sends it again.";

/** A request that did not succeed. */
export class ServiceError extends Error {
	/** What became of the request, and what the user can do about it. */
	readonly description: string;

	constructor(readonly failure: Failure) {
		super(failure.message);
		const { status, mayHaveTakenEffect, advice } = failure;
		const parts = [
			...(mayHaveTakenEffect ? [OUTCOME_UNKNOWN] : []),
			// What a response says is clear without it.
			...(status === undefined && !mayHaveTakenEffect ? ['Nothing was changed.'] : []),
			// To try again is not yet the advice while it is unknown.
			...(mayHaveTakenEffect && advice === TRY_LATER ? [] : [advice]),
		];
		this.description = parts.filter(Boolean).join(' ');
	}
}

/** What became of the request that failed with this error; undefined if the error is about something else. */
export function fateOf(error: unknown): Fate | undefined {
	return error instanceof ServiceError ? error.failure.fate : undefined;
}

/** Whether a request that failed with this error may nevertheless have changed something. */
export function mayHaveChanged(error: unknown): boolean {
	return error instanceof ServiceError && error.failure.mayHaveTakenEffect;
}

/** The same error, of a request that may have changed something in an earlier try. */
export function asUnknown(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	return new ServiceError({ ...error.failure, mayHaveTakenEffect: true });
}
