import { isWrite, type ServiceRequest } from './request';

/** What became of a request. What follows from it for sending is in this table. */
export type Fate = keyof typeof FATES;

/**
 * What a write has changed:
 * - `done`: what it was to change.
 * - `none`: nothing. The service refused it as a whole.
 * - `noneIfOneClass`: nothing, if it was about one class. Of several, the service may have changed some.
 * - `noneIfOne`: nothing, if it was to change one thing. Of several, the service may have changed some.
 * - `notReached`: nothing. It did not reach the service.
 * - `unknown`: nobody knows.
 */
export type Effect = 'done' | 'none' | 'noneIfOneClass' | 'noneIfOne' | 'notReached' | 'unknown';

/** A column for each question; what is not said is a no. */
interface Meaning {
	effect: Effect;
	/** The service has answered this request itself, even if it refuses it. */
	answers?: true;
	/** Which requests may be sent again without harm; a second time of a once-only write does harm. */
	again?: 'reads' | 'allButOnceOnly' | 'all';
	/** All others would fail in the same way, unless one of them has not. */
	hitsAll?: true;
	/** The service asks for fewer or later requests. */
	asksToWait?: true;
}

const FATES = {
	/** The service did what it was asked. */
	done: { effect: 'done', answers: true },
	/** The service refused what the request contains, or what it is about does not exist. */
	rejected: { effect: 'noneIfOne', answers: true },
	/** The token has no permission, perhaps only for this class. */
	forbidden: { effect: 'noneIfOneClass', answers: true },
	/** The service answered, but not what it did. */
	unclear: { effect: 'unknown', answers: true },
	/** The service, or the proxy, refused the token, or the API is not at this address. */
	denied: { effect: 'none', hitsAll: true },
	/** A write was answered with a redirect or a web page, which may follow what was done, or come in its place. */
	strayed: { effect: 'unknown', hitsAll: true },
	/** The request cannot be sent, such as to an untrusted certificate. */
	hopeless: { effect: 'notReached', hitsAll: true },
	/** It was not sent, since the run was over. */
	unsent: { effect: 'notReached' },
	/** No connection was made. */
	unreached: { effect: 'notReached', again: 'all' },
	/** Too many requests, or the service says when to send it again. It did not process the request. */
	deferred: { effect: 'none', again: 'all', asksToWait: true },
	/** The service most likely did not process the request; but a gateway may have given up waiting for it. */
	unavailable: { effect: 'unknown', again: 'allButOnceOnly' },
	/** The service failed with another error, the connection broke, or no response came in time. */
	failed: { effect: 'unknown', again: 'reads' },
} satisfies Record<string, Meaning>;

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

/** A request, and what has become of it so far. */
export interface Call {
	request: ServiceRequest;
	tries: number;
	/** The outcome of the last try; undefined if it was not sent. */
	outcome?: Outcome;
	/** When the last try was sent, in milliseconds since 1970. */
	sentAt: number;
	/** Whether one of the tries may have taken effect. */
	isUnknown: boolean;
}

/** What a fate means. */
export const meaningOf = (fate: Fate): Meaning => FATES[fate];

/** Whether sending a request again can do no harm. */
export function isRepeatable(request: ServiceRequest, fate: Fate): boolean {
	const { again } = meaningOf(fate);
	if (again === 'reads') return !isWrite(request);
	return again === 'all' || (again === 'allButOnceOnly' && !request.isOnceOnly);
}
