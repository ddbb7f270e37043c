import { asksToWait, isAtWork, isRepeatable, type Outcome } from './fate';
import type { ServiceRequest } from './http';
import { TIMEOUT } from './noResponse';
import type { Load } from './requestQueue';
import { probeDelay, retryDelay } from './retryDelay';

// docs/how-it-works.md promises these three.
const MIN_PROBES = 3;
/** Rate limits are often per minute; six probes span about two minutes. */
const MIN_PROBES_OF_A_RATE_LIMIT = 6;
/** How often one request is sent at most while others get through. */
const MAX_TRIES = 10;
/** So many failures in a row, and nothing else, look like an outage. */
const MIN_FAILURES_OF_AN_OUTAGE = 5;

type State =
	| { is: 'up'; failuresInARow: number }
	/** Requests are only sent as probes, one at a time. */
	| { is: 'down'; failedProbes: number }
	/** Nothing more is sent. */
	| { is: 'givenUp'; because: Outcome };

/** One attempt at a request. */
export interface Try {
	/** The number of attempts, including this one. */
	tries: number;
	/** Whether the service counted as down when it began. */
	isProbe: boolean;
	/** Whether another request got through since the try before. */
	othersGetThrough: boolean;
	/** Whether the run has other requests. */
	hasOthers: boolean;
}

/** What follows from a try. */
export interface Verdict {
	/** Whether to send the request again. */
	again: boolean;
	waitMs: number;
	/** Who waits so long: this request, or all of them. */
	whoWaits: 'itself' | 'all';
	/** How many requests may be in flight from now on. */
	load: Load;
}

export interface Limits {
	maxRetries: number;
	/** When the run must have ended, in milliseconds since 1970; a retry that would come later is not made. */
	endsAt?: number;
}

/** What the requests of one run learn from each other about the service. */
export interface OutageWatch extends Limits {
	state: State;
	/** How many failures in a row look like an outage. */
	maxFailuresInARow: number;
	/** How many replies showed the service at work. */
	successes: number;
	/** Sends a request that succeeds whenever the service is at work. */
	ask: () => Promise<Outcome>;
}

const END: Verdict = { again: false, waitMs: 0, whoWaits: 'itself', load: 'same' };

/**
 * Watches whether the service is at work, so that an outage costs a run a few delays, whatever the number of items.
 * After several failures in a row, or when a request has spent its retries and nothing got through, a few probes
 * decide: ordinary requests, sent at growing intervals.
 * @param ask sends a request that succeeds whenever the service is at work
 */
export function createOutageWatch(limits: Limits, ask: OutageWatch['ask']): OutageWatch {
	return {
		...limits,
		state: { is: 'up', failuresInARow: 0 },
		maxFailuresInARow: MIN_FAILURES_OF_AN_OUTAGE,
		successes: 0,
		ask,
	};
}

/** Says what follows from a try of a request, for it and for all others. */
export async function judge(
	watch: OutageWatch,
	request: ServiceRequest,
	outcome: Outcome,
	one: Try,
): Promise<Verdict> {
	if (isAtWork(outcome)) {
		noteSuccess(watch);
		return { ...END, load: 'more' };
	}
	if (outcome.fate === 'hopeless') {
		watch.state = { is: 'givenUp', because: outcome };
		return END;
	}
	const repeatable = isRepeatable(request, outcome);
	const hasSpentRetries = one.tries > watch.maxRetries;
	// An error status says nothing about the service if there need not be such a page.
	if (request.mayNotExist && outcome.reply.status !== undefined && !asksToWait(outcome)) {
		const again = repeatable && !hasSpentRetries && watch.state.is === 'up';
		return { ...END, again, waitMs: retryDelay(one.tries, askedMs(outcome)) };
	}
	const { successes } = watch;
	await noteFailure(watch, outcome, one, repeatable && hasSpentRetries && !one.othersGetThrough);
	const othersGetThrough = one.othersGetThrough || watch.successes > successes;
	const now = { ...one, othersGetThrough };
	const verdict = afterFailure(watch, outcome, now, repeatable && mayRetry(watch, now));
	return Date.now() + verdict.waitMs < (watch.endsAt ?? Infinity) ? verdict : END;
}

function noteSuccess(watch: OutageWatch): void {
	watch.successes++;
	// It was no outage, or a short one: where some requests fail at random, the next ones would end the run by chance.
	if (watch.state.is === 'down') watch.maxFailuresInARow *= 2;
	if (watch.state.is !== 'givenUp') watch.state = { is: 'up', failuresInARow: 0 };
}

/** @param isSpent whether the request has spent its retries, and nothing got through meanwhile */
async function noteFailure(
	watch: OutageWatch,
	outcome: Outcome,
	{ isProbe }: Try,
	isSpent: boolean,
): Promise<void> {
	const before = watch.state;
	const isRateLimit = outcome.reply.status === 429;
	if (before.is === 'up') {
		if (!isRateLimit) before.failuresInARow++;
		const isOutage = before.failuresInARow >= watch.maxFailuresInARow;
		if (!isOutage && !isSpent) return;
		// Once it was only some requests that failed, it may be so again.
		const wasAsked = watch.maxFailuresInARow > MIN_FAILURES_OF_AN_OUTAGE;
		if (!isOutage && wasAsked && (await isAtWorkNevertheless(watch, outcome))) return;
		if (watch.state === before) watch.state = { is: 'down', failedProbes: 0 };
	} else if (before.is === 'down' && isProbe) {
		before.failedProbes++;
		const minProbes = isRateLimit ? MIN_PROBES_OF_A_RATE_LIMIT : MIN_PROBES;
		if (before.failedProbes < Math.max(minProbes, watch.maxRetries)) return;
		if (await isAtWorkNevertheless(watch, outcome)) watch.maxFailuresInARow *= 10;
		else if (watch.state === before) watch.state = { is: 'givenUp', because: outcome };
	}
}

/** Whether only some requests fail. Not asked if this could take long too, or if the service wants fewer requests. */
async function isAtWorkNevertheless(watch: OutageWatch, { reply }: Outcome): Promise<boolean> {
	if (reply.status === undefined ? TIMEOUT.test(reply.code) : reply.status === 429) return false;
	const isSo = isAtWork(await watch.ask());
	if (isSo) noteSuccess(watch);
	return isSo;
}

function mayRetry({ maxRetries, state }: OutageWatch, one: Try): boolean {
	if (one.tries <= maxRetries) return true;
	// While nothing gets through, retries belong to the run, not to the request.
	const isForTheRun = one.othersGetThrough || (state.is === 'down' && one.hasOthers);
	return maxRetries > 0 && one.tries < MAX_TRIES && isForTheRun;
}

function afterFailure(
	{ state }: OutageWatch,
	outcome: Outcome,
	{ tries, othersGetThrough }: Try,
	again: boolean,
): Verdict {
	const asked = askedMs(outcome);
	if (state.is === 'down') {
		return { again, waitMs: probeDelay(state.failedProbes, asked), whoWaits: 'all', load: 'one' };
	}
	if (!again || state.is === 'givenUp') return END;
	if (othersGetThrough && !asksToWait(outcome)) {
		return { again, waitMs: retryDelay(tries, asked, true), whoWaits: 'itself', load: 'same' };
	}
	return { again, waitMs: retryDelay(tries, asked), whoWaits: 'all', load: 'half' };
}

function askedMs({ reply }: Outcome): number | undefined {
	return reply.status === undefined ? undefined : reply.retryAfterMs;
}
