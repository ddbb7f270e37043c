import { explainCode, explainNoResponse, explainResponse } from './explanations';
import type { Outcome } from './fate';
import type { ServiceRequest } from './http';
import { ServiceError, TRY_LATER } from './serviceError';

/** What else the error of a request must tell. */
interface Circumstances {
	/** Whether the request, or an earlier try of it, may have changed something. */
	mayHaveTakenEffect: boolean;
	/** Whether it may be the proxy that did not respond. */
	usesProxy: boolean;
}

/** The error for a request that did not succeed: what the service said, what became of the request, what to do. */
export function toServiceError(
	request: ServiceRequest,
	{ fate, reply }: Outcome,
	{ mayHaveTakenEffect, usesProxy }: Circumstances,
): ServiceError {
	const hasResponse = reply.status !== undefined;
	const { problem, advice, cause } = hasResponse
		? explainResponse(request, reply, fate)
		: explainNoResponse(reply, usesProxy);
	return new ServiceError({
		message: problem,
		advice,
		fate,
		status: reply.status,
		mayHaveTakenEffect,
		failureCause: cause,
		retryAfterMs: hasResponse ? reply.retryAfterMs : undefined,
	});
}

/**
 * The error for a request that was not sent, because the service was down.
 * @param lastProbe the outcome of the last request that was sent to find out
 */
export function notSentError({ reply }: Outcome): ServiceError {
	const reason = reply.status === undefined ? explainCode(reply.code) : `status ${reply.status}`;
	return new ServiceError({
		message: `Not sent: the service was down (${reason})`,
		advice: TRY_LATER,
		fate: 'deferred',
		mayHaveTakenEffect: false,
		failureCause: 'temporarily-unavailable',
	});
}
