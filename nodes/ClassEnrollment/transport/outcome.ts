import { isWrite, type ServiceRequest } from './request';

/**
 * What became of a request:
 * - `done`: the service did what it was asked.
 * - `rejected`: the service refused the request because of its content. Nothing was changed.
 * - `denied`: the service refused the request because of its access token. Nothing was changed.
 * - `deferred`: the service did not process the request, and asks to send it later, or was never reached.
 * - `unavailable`: the service or a gateway before it most likely did not process the request.
 * - `unknown`: the service may have processed the request.
 * - `moved`: the API is not at this address.
 * - `hopeless`: the request could not be sent, and every further one would most likely fail in the same way.
 */
export type Fate =
	'done' | 'rejected' | 'denied' | 'deferred' | 'unavailable' | 'unknown' | 'moved' | 'hopeless';

/** The outcome of one try. */
export interface Outcome {
	fate: Fate;
	/** The status of the response; undefined if there was none. */
	status?: number;
	/** The Node.js error code if there was no response, or not all of it. */
	code?: string;
	/** The body of the response; undefined if it is empty or not JSON. */
	json?: unknown;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** What happened, with what the service said about it. */
	message: string;
	/** What the user can do about it. */
	advice: string;
	/** What happened, in a few words. */
	reason: string;
}

/** Whether the request may have changed something. */
export function mayHaveTakenEffect(request: ServiceRequest, { fate }: Outcome): boolean {
	return isWrite(request) && (fate === 'unknown' || fate === 'unavailable');
}

/** Whether sending a request again can do no harm. */
export function isRepeatable(request: ServiceRequest, { fate }: Outcome): boolean {
	if (fate === 'unavailable') return !request.isOnceOnly;
	if (fate === 'unknown') return !isWrite(request);
	return fate === 'deferred' || fate === 'hopeless';
}

/** Whether a reply shows the service at work, even if it refuses the request. */
export function isAtWork({ status }: Outcome): boolean {
	return status !== undefined && status < 500 && ![408, 429].includes(status);
}

/** Whether every other request would most likely fail in the same way. Status 403 may be about one class. */
export function isForAll({ fate, status }: Outcome): boolean {
	return ['denied', 'moved', 'hopeless'].includes(fate) && status !== 403;
}

/** Whether the service itself asks for fewer or later requests. */
export function asksToWait({ fate, status }: Outcome): boolean {
	return fate === 'deferred' && status !== undefined;
}
