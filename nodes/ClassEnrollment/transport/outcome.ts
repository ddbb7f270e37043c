/**
 * What a write has changed. A read is only done, rejected (`noneIfOne`), or failed (all others):
 * - `done`: what it was to change.
 * - `none`: nothing (401, 429).
 * - `noneIfOneClass`: nothing, if it was about one class (403). Of several, the service may have changed some.
 * - `noneIfOne`: nothing, if it was to change one thing (400, 404). Of several, the service may have changed some.
 * - `notReached`: nothing. It did not reach the service.
 * - `unknown`: nobody knows.
 */
export type Effect = 'done' | 'none' | 'noneIfOneClass' | 'noneIfOne' | 'notReached' | 'unknown';

/** What follows from a response, or the lack of one. What is not said is a no. */
export interface Meaning {
	effect: Effect;
	/** The service has answered this request itself, even if it rejects it. */
	answers?: true;
	/** Which requests may be sent again without harm; a second time of a once-only write does harm. */
	again?: 'reads' | 'allButOnceOnly' | 'all';
	/** All other requests would fail in the same way, unless one was answered before. */
	hitsAll?: true;
	/** How long the service asks all requests to wait, in milliseconds; 0 if it does not say how long. */
	retryAfterMs?: number;
}

/** The outcome of one try. */
export interface Outcome extends Meaning {
	/** The status of the response; undefined if there was none. */
	status?: number;
	/** The body of the response; undefined if it is empty or not JSON. */
	json?: unknown;
	/** What happened, with what the service said about it. */
	message: string;
	/** What the user can do about it. */
	advice: string;
	/** What happened, in a few words. */
	reason: string;
}
