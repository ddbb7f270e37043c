import { asksToWait, isAtWork, isRepeatable, type Outcome } from './fate';
import type { ServiceRequest } from './http';
import { TIMEOUT } from './noResponse';
import { probeDelay, retryDelay } from './retryDelay';

// The README promises these three.
const MIN_PROBES = 3;
/** Rate limits are often per minute; six probes span about two minutes. */
const MIN_PROBES_OF_A_RATE_LIMIT = 6;
/** How often one request is sent at most while others get through. */
const MAX_TRIES = 10;
/** So many failures in a row, and nothing else, look like an outage. */
const FAILURES_OF_AN_OUTAGE = 5;

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
	load: 'more' | 'same' | 'half' | 'one';
}

export interface Limits {
	maxRetries: number;
	/** When the run must have ended, in milliseconds since 1970; a retry that would come later is not made. */
	endsAt?: number;
}

const END: Verdict = { again: false, waitMs: 0, whoWaits: 'itself', load: 'same' };

export interface OutageWatch {
	/** How many replies showed the service at work. */
	successes: () => number;
	isDown: () => boolean;
	/** Why nothing more is sent; undefined as long as it is. */
	givenUpBecause: () => Outcome | undefined;
	/** Says what follows from a try of a request, for it and for all others. */
	judge: (request: ServiceRequest, outcome: Outcome, one: Try) => Promise<Verdict>;
}

/**
 * Watches whether the service is at work, so that an outage costs a run a few delays, whatever the number of items.
 * After several failures in a row, or when a request has spent its retries and nothing got through, a few probes
 * decide: ordinary requests, sent at growing intervals.
 * @param ask sends a request that succeeds whenever the service is at work
 */
export function createOutageWatch(
	{ maxRetries, endsAt = Infinity }: Limits,
	ask: () => Promise<Outcome>,
): OutageWatch {
	let state: State = { is: 'up', failuresInARow: 0 };
	let maxFailuresInARow = FAILURES_OF_AN_OUTAGE;
	let successes = 0;

	function succeed(): void {
		successes++;
		if (state.is !== 'givenUp') state = { is: 'up', failuresInARow: 0 };
	}

	/** Whether only some requests fail. Not asked if this could take long too, or if the service wants fewer requests. */
	async function isAtWorkNevertheless({ reply }: Outcome): Promise<boolean> {
		if (reply.status === undefined ? TIMEOUT.test(reply.code) : reply.status === 429) return false;
		const isSo = isAtWork(await ask());
		if (isSo) succeed();
		return isSo;
	}

	async function noteFailure(outcome: Outcome, { isProbe }: Try, isSpent: boolean): Promise<void> {
		const before = state;
		const isRateLimit = outcome.reply.status === 429;
		if (before.is === 'up') {
			if (!isRateLimit) before.failuresInARow++;
			const isOutage = before.failuresInARow >= maxFailuresInARow;
			if (!isOutage && !isSpent) return;
			// Once it was only some requests that failed, it may be so again.
			const wasAsked = maxFailuresInARow > FAILURES_OF_AN_OUTAGE;
			if (!isOutage && wasAsked && (await isAtWorkNevertheless(outcome))) return;
			if (state === before) state = { is: 'down', failedProbes: 0 };
		} else if (before.is === 'down' && isProbe) {
			before.failedProbes++;
			const minProbes = isRateLimit ? MIN_PROBES_OF_A_RATE_LIMIT : MIN_PROBES;
			if (before.failedProbes < Math.max(minProbes, maxRetries)) return;
			if (await isAtWorkNevertheless(outcome)) maxFailuresInARow *= 10;
			else if (state === before) state = { is: 'givenUp', because: outcome };
		}
	}

	function mayRetry({ tries, othersGetThrough, hasOthers }: Try): boolean {
		if (tries <= maxRetries) return true;
		// While nothing gets through, retries belong to the run, not to the request.
		const isForTheRun = othersGetThrough || (state.is === 'down' && hasOthers);
		return maxRetries > 0 && tries < MAX_TRIES && isForTheRun;
	}

	/** What follows from a try of a request that may be sent again. */
	function afterFailure(outcome: Outcome, one: Try, isRepeatable: boolean): Verdict {
		const asked = outcome.reply.status === undefined ? undefined : outcome.reply.retryAfterMs;
		const again = isRepeatable && mayRetry(one);
		if (state.is === 'down') {
			return { again, waitMs: probeDelay(state.failedProbes, asked), whoWaits: 'all', load: 'one' };
		}
		if (!again || state.is === 'givenUp') return END;
		const isAlone = one.othersGetThrough && !asksToWait(outcome);
		const waitMs = retryDelay(one.tries, asked, isAlone);
		return isAlone
			? { again, waitMs, whoWaits: 'itself', load: 'same' }
			: { again, waitMs, whoWaits: 'all', load: 'half' };
	}

	async function judge(request: ServiceRequest, outcome: Outcome, one: Try): Promise<Verdict> {
		if (isAtWork(outcome)) {
			succeed();
			return { ...END, load: 'more' };
		}
		if (outcome.fate === 'hopeless') {
			state = { is: 'givenUp', because: outcome };
			return END;
		}
		const repeatable = isRepeatable(request, outcome);
		if (request.mayNotExist && outcome.reply.status !== undefined && !asksToWait(outcome)) {
			const again = repeatable && one.tries <= maxRetries && state.is === 'up';
			return { ...END, again, waitMs: retryDelay(one.tries, outcome.reply.retryAfterMs) };
		}
		const isSpent = repeatable && one.tries > maxRetries && !one.othersGetThrough;
		await noteFailure(outcome, one, isSpent);
		const verdict = afterFailure(outcome, one, repeatable);
		return Date.now() + verdict.waitMs < endsAt ? verdict : END;
	}

	return {
		judge,
		successes: () => successes,
		isDown: () => state.is === 'down',
		givenUpBecause: () => (state.is === 'givenUp' ? state.because : undefined),
	};
}
