/**
 * What is certain about a request, and about each row in it. A request about several rows or classes that is rejected, or a
 * part of which may have been done, leaves each of them `unknown` until it is sent alone.
 * - `done`: the service did what it asks for.
 * - `rejected`: the service said no to what is in it (400, 404), and did nothing.
 * - `notProcessed`: it was never sent, or was refused whatever is in it (no connection, 401, 403, 429). Nothing was done.
 * - `unknown`: it may have been done.
 */
export type Outcome = 'done' | 'rejected' | 'notProcessed' | 'unknown';
export type NotDone = Exclude<Outcome, 'done'>;

/** Combines the outcome of earlier attempts with that of the last one: only success ends `unknown`. */
export function combineOutcomes<Last extends Outcome>(
	earlier: Outcome | undefined,
	last: Last,
): Last | 'unknown' {
	return earlier === 'unknown' && last !== 'done' ? 'unknown' : last;
}

/**
 * The classification of a response, or of its absence. If it is neither temporary nor fatal, it is an answer (`isAnswer`). An
 * omitted flag means no.
 */
export interface Classification {
	outcome: Outcome;
	/** The same request may succeed later (429, 5xx, no connection). */
	isTemporary?: true;
	/** Every other request would fail in the same way (401, an untrusted certificate), unless one was answered before. */
	isFatal?: true;
	/** How long the service asks all requests to wait, in milliseconds; 0 if it does not say how long. */
	retryAfterMs?: number;
}

/** What a response, or its absence, can mean. */
export const CLASSIFICATIONS = {
	done: { outcome: 'done' },
	/** The request contains something that the service rejects, or that does not exist. */
	rejected: { outcome: 'rejected' },
	/** The item is fine, but the token or the plan doesn't allow this, perhaps only for this class. */
	forbidden: { outcome: 'notProcessed' },
	/** No connection was made, or the service takes no requests now. */
	unavailable: { outcome: 'notProcessed', isTemporary: true },
	/** The token or the proxy's password was refused, the certificate isn't trusted, or the API is not at this address. */
	misconfigured: { outcome: 'notProcessed', isFatal: true },
	/** The connection broke, no response came in time, or the service failed. */
	interrupted: { outcome: 'unknown', isTemporary: true },
	/** This is not the API's address, but a write may have been done: the service may redirect after it, or show a page. */
	misdirected: { outcome: 'unknown', isFatal: true },
	/** The response says neither yes nor no. */
	unclear: { outcome: 'unknown' },
} satisfies Record<string, Classification>;

/** The result of one attempt to send a request. */
export interface AttemptResult extends Classification {
	/** The status of the response; undefined if there was none. */
	status?: number;
	/** The body of the response; undefined if it is empty or not JSON. */
	json?: unknown;
	/** What happened, with what the service said about it. */
	message: string;
	/** What the user can do about it; undefined if only time helps. */
	advice?: string;
	/** What happened, in a few words. */
	reason: string;
}

/** Whether the service has dealt with this request itself, even if it rejected it. */
export function isAnswer({ isTemporary, isFatal }: Classification): boolean {
	return !isTemporary && !isFatal;
}
