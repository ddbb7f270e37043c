import { isObject } from '../values/json';
import type { NoResponse, ServiceRequest, ServiceResponse } from './http';

/**
 * What became of a request:
 * - `done`: the service did what it was asked.
 * - `rejected`: the service refused the request because of its content. Nothing was changed.
 * - `denied`: the service refused the request because of its access token. Nothing was changed.
 * - `deferred`: the service did not process the request, and asks to send it later, or was never reached.
 * - `unavailable`: the service or a gateway before it most likely did not process the request.
 * - `unknown`: the service may have processed the request.
 * - `moved`: the API is not at this address.
 * - `hopeless`: the request cannot be sent, and every further one would fail in the same way.
 */
export type Fate =
	'done' | 'rejected' | 'denied' | 'deferred' | 'unavailable' | 'unknown' | 'moved' | 'hopeless';

/** The outcome of one try. */
export interface Outcome {
	fate: Fate;
	reply: ServiceResponse | NoResponse;
}

/** By status; the first digit stands for all other statuses that begin with it. All others are unknown. */
const FATES: Readonly<Record<number, Fate>> = {
	3: 'moved',
	300: 'unknown',
	304: 'unknown',
	4: 'rejected',
	401: 'denied',
	403: 'denied',
	407: 'denied',
	408: 'unknown',
	429: 'deferred',
	503: 'unavailable',
};

/** Decides what became of a request (test/service/openapi.yaml, and what HTTP says about other statuses). */
export function toOutcome(request: ServiceRequest, reply: ServiceResponse | NoResponse): Outcome {
	if (reply.status === undefined) return { fate: reply.fate, reply };
	const { status } = reply;
	const kind = Math.floor(status / 100);
	if (kind === 2) return toOutcomeOfSuccess(request, reply);
	// Who redirects to another page with 303 has often processed the request.
	if (status === 303 && isWrite(request)) return { fate: 'unknown', reply };
	// With Retry-After the service itself says that it did not; a gateway may have given up waiting for it.
	if (status === 503 && reply.hasRetryAfter) return { fate: 'deferred', reply };
	return { fate: FATES[status] ?? FATES[kind] ?? 'unknown', reply };
}

/** Whether a request changes something. */
export function isWrite({ method }: ServiceRequest): boolean {
	return method !== 'GET';
}

/** Whether the request may have changed something. */
export function mayHaveTakenEffect(request: ServiceRequest, { fate }: Outcome): boolean {
	return isWrite(request) && (fate === 'unknown' || fate === 'unavailable');
}

/** Whether sending a request again can do no harm. */
export function isRepeatable(request: ServiceRequest, { fate }: Outcome): boolean {
	if (fate === 'unavailable') return !request.isOnceOnly;
	return fate === 'deferred' || (fate === 'unknown' && !isWrite(request));
}

/** Whether a reply shows the service at work, even if it refuses the request. */
export function isAtWork({ reply: { status } }: Outcome): boolean {
	return status !== undefined && status < 500 && ![408, 429].includes(status);
}

/** Whether the service itself asks for fewer or later requests. */
export function asksToWait({ fate, reply }: Outcome): boolean {
	return fate === 'deferred' && reply.status !== undefined;
}

function toOutcomeOfSuccess(request: ServiceRequest, reply: ServiceResponse): Outcome {
	if (reply.text.trim() === '') return { fate: 'done', reply };
	const { json } = reply;
	// A web page, most likely.
	if (json === undefined) return { fate: isWrite(request) ? 'unknown' : 'moved', reply };
	if (saysItFailed(json)) return { fate: 'rejected', reply };
	const isUnclear = isWrite(request) && (!isObject(json) || saysError(json));
	return { fate: isUnclear ? 'unknown' : 'done', reply };
}

/** Whether a body marks itself as an error (test/service/openapi.yaml), whatever the status. */
function saysItFailed(json: unknown): boolean {
	if (!isObject(json)) return false;
	const { status, success } = json;
	return success === false || (typeof status === 'string' && status.toLowerCase() === 'error');
}

function saysError({ error }: { error?: unknown }): boolean {
	return typeof error === 'string' && error.trim() !== '';
}
