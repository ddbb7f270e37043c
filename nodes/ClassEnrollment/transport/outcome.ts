import type { Fate } from './fate';

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
