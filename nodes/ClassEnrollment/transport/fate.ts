import { isWrite, type ServiceRequest } from './request';

/** What became of a request. Everything that follows from it is in the table below. */
export type Fate = keyof typeof FATES;

/** Which requests may be sent again without harm; a once-only write is one whose second time does harm. */
type Again = 'none' | 'reads' | 'allButOnceOnly' | 'all';

/** Whom a failure is about: the one request, perhaps only some requests, or the service. */
type Concerns = 'one' | 'some' | 'service';

interface Meaning {
	/** Whether the service is at work, even if it refuses the request. */
	works: boolean;
	again: Again;
	/** Whether a write may have taken effect. */
	mayBeDone: boolean;
	/** With `some`, it is worth asking the class list before the others are given up. */
	concerns: Concerns;
	/** Whether all others would fail in the same way, unless one of them has not. */
	hitsAll: boolean;
	/** Whether the service asks for fewer or later requests. */
	asksToWait: boolean;
}

const REFUSED: Meaning = {
	works: true,
	again: 'none',
	mayBeDone: false,
	concerns: 'one',
	hitsAll: false,
	asksToWait: false,
};
const FAILED: Meaning = { ...REFUSED, works: false, concerns: 'service' };
const NOT_PROCESSED: Meaning = { ...FAILED, again: 'all' };
const NO_RESULT: Meaning = { ...FAILED, again: 'reads', mayBeDone: true };

export const FATES = {
	/** The service did what it was asked. */
	done: REFUSED,
	/** The service refused the request because of its content. */
	rejected: REFUSED,
	/** The token has no permission, perhaps only for this class. */
	forbidden: REFUSED,
	/** The service answered, but not what it did. */
	unclear: { ...REFUSED, mayBeDone: true },
	/** The service, or the proxy, refused the token: it is wrong, unless others get through. */
	denied: { ...REFUSED, concerns: 'some', hitsAll: true },
	/** The API is not at this address. */
	moved: { ...REFUSED, concerns: 'some', hitsAll: true },
	/** The request could not be sent, such as to an untrusted certificate. */
	hopeless: { ...NOT_PROCESSED, hitsAll: true },
	/** Too many requests. */
	limited: { ...NOT_PROCESSED, asksToWait: true },
	/** The service did not process the request, and says when to send it again. */
	deferred: { ...NOT_PROCESSED, concerns: 'some', asksToWait: true },
	/** No connection was made. */
	unreached: NOT_PROCESSED,
	/** The service most likely did not process the request; but a gateway may have given up waiting for it. */
	unavailable: { ...NO_RESULT, again: 'allButOnceOnly', concerns: 'some' },
	/** The service failed with another error. */
	failed: { ...NO_RESULT, concerns: 'some' },
	/** The connection broke before the response was complete. */
	broken: { ...NO_RESULT, concerns: 'some' },
	/** No response in time. The class list is not asked, since that could take as long. */
	silent: NO_RESULT,
} satisfies Record<string, Meaning>;

/** What a fate means. */
export const meaningOf = (fate: Fate): Meaning => FATES[fate];

/** Whether sending a request again can do no harm. */
export function isRepeatable(request: ServiceRequest, fate: Fate): boolean {
	const { again } = meaningOf(fate);
	if (again === 'reads') return !isWrite(request);
	return again === 'all' || (again === 'allButOnceOnly' && !request.isOnceOnly);
}

/** Whether the request may have changed something. */
export function mayHaveTakenEffect(request: ServiceRequest, fate: Fate): boolean {
	return isWrite(request) && meaningOf(fate).mayBeDone;
}
