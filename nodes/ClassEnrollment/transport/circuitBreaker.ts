import { withJitter } from './retry';

/** The failures in a row open the circuit when their weights add up to this. Fewer may be chance. */
const OPENING_WEIGHT = 5;
/** One that took so long weighs more, so that a service that hangs ends the run after two. */
const SLOW_MS = 10_000;
const SLOW_WEIGHT = 3;
/** The least time from a failure to the next trial. */
const MIN_PAUSE_MS = 500;

/** A request that failed, as far as it says something about the requests after it. */
export interface FailedRequest {
	/** When it was sent, on the clock of `performance`. */
	startedAt: number;
	/** Whether it is a failure of all requests, and not of its own alone. */
	speaksForAll: boolean;
	/** How long the service asks all requests to wait, in milliseconds; undefined if it does not. */
	waitMs?: number;
}

/**
 * Creates the circuit breaker of a run. It is closed, until five failures in a row open it, or one that speaks for all requests:
 * then nothing starts for a pause. After it (half-open), one request starts as a trial every half second, later less often. An answer
 * closes it.
 *
 * The first trial that fails after the deadline ends the run.
 * @param giveUpAfterMs the time from the first of the failures in a row to the deadline; 0 for none
 */
export function createCircuitBreaker(giveUpAfterMs: number) {
	/** The weight of the failures in a row, that is, since the last answer. */
	let weight = 0;
	/** When the first of them came. */
	let failingSince = 0;
	let nextTrialAt = 0;
	/** The service asks to wait until then, even if a trial is answered. */
	let askedUntil = 0;
	const isOpen = () => weight >= OPENING_WEIGHT;
	/** The result of a request that was sent before the first failure says nothing about the time after it. */
	const isStale = (startedAt: number) => startedAt < failingSince;

	return {
		/** Whether there are reasons to doubt that the next request would be answered. */
		isDoubtful: () => weight > 1,
		/** How long nothing may start, in milliseconds. */
		pauseMs: () => Math.max(0, Math.max(nextTrialAt, askedUntil) - performance.now()),
		/** A request was sent. */
		onStart: () => {
			if (isOpen()) nextTrialAt = performance.now() + MIN_PAUSE_MS;
		},
		/** A request was answered that was sent then, on the clock of `performance`. */
		onAnswer: (startedAt: number) => {
			weight = 0;
			if (!isStale(startedAt)) nextTrialAt = 0;
		},
		/** A request failed; returns whether to end the run. */
		onFailure: (failure: FailedRequest): boolean => {
			const now = performance.now();
			if (weight === 0) failingSince = now;
			weight += weightOf(failure, now);
			if (failure.waitMs !== undefined) {
				askedUntil = Math.max(askedUntil, endOfPause(now, failure.waitMs));
			}
			if (!isOpen()) return false;
			// The longer it lasts, the fewer are sent: each may leave a row that is unknown. The last one, at the deadline.
			const deadline = failingSince + giveUpAfterMs;
			const backoffMs = Math.min((now - failingSince) / 4, deadline - now);
			nextTrialAt = Math.max(nextTrialAt, endOfPause(now, backoffMs));
			return giveUpAfterMs > 0 && now >= deadline && !isStale(failure.startedAt);
		},
	};
}

function weightOf({ speaksForAll, startedAt }: FailedRequest, now: number): number {
	if (speaksForAll) return OPENING_WEIGHT;
	return now - startedAt >= SLOW_MS ? SLOW_WEIGHT : 1;
}

function endOfPause(now: number, milliseconds: number): number {
	return now + withJitter(Math.max(MIN_PAUSE_MS, milliseconds));
}
