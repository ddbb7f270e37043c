import { withJitter } from './retry';

/** The failures in a row open the circuit when their weights add up to this. Fewer may be chance. */
const OPENING_WEIGHT = 5;
/** One that took so long weighs more, so that a service that hangs ends the run after two. */
const SLOW_MS = 10_000;
const SLOW_WEIGHT = 3;
/** So many fatal failures end the run: each could be about one request alone, and the first may be chance. */
const MAX_FATAL_FAILURES = 4;
/** The least time from a failure to the next trial. */
const MIN_PAUSE_MS = 500;

/** A request that failed, as far as it says something about the requests after it. */
export interface FailedRequest {
	/** When it was sent, on the clock of `performance`. */
	startedAt: number;
	/** Whether every other request would fail in the same way. */
	isFatal: boolean;
	/** How long the service asks all requests to wait, in milliseconds; undefined if it does not. */
	waitMs?: number;
}

/** Whether a failure is one of all requests, and not of its own alone. */
export function speaksForAll({ isFatal, waitMs }: FailedRequest): boolean {
	return isFatal || waitMs !== undefined;
}

/**
 * Creates the circuit breaker of a run. It is closed, until five failures in a row open it, or one that speaks for all requests:
 * then nothing starts for a pause. After it (half-open), one request starts every half second, as a trial. An answer closes it.
 *
 * The first trial that fails after the deadline ends the run.
 * @param giveUpAfterMs the time from the first of the failures in a row to the deadline; 0 for none
 */
export function createCircuitBreaker(giveUpAfterMs: number) {
	/** The weight of the failures since the last answer. */
	let weight = 0;
	let fatalFailures = 0;
	let failingSince = 0;
	let nextTrialAt = 0;
	/** The service asks to wait until then. */
	let askedUntil = 0;
	const isOpen = () => weight >= OPENING_WEIGHT;
	/** Those in flight at the first failure say nothing about the time after it. */
	const isAfterFirst = (startedAt: number) => startedAt >= failingSince;

	const count = (failure: FailedRequest, now: number) => {
		if (weight === 0) failingSince = now;
		const isSlow = now - failure.startedAt >= SLOW_MS;
		if (speaksForAll(failure)) weight += OPENING_WEIGHT;
		else weight += isSlow ? SLOW_WEIGHT : 1;
		if (failure.isFatal && (fatalFailures === 0 || isAfterFirst(failure.startedAt)))
			fatalFailures++;
	};
	const endOfPause = (now: number, milliseconds: number) =>
		now + withJitter(Math.max(MIN_PAUSE_MS, milliseconds));

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
			fatalFailures = 0;
			if (isAfterFirst(startedAt)) nextTrialAt = 0;
		},
		/** A request failed; returns whether to end the run. */
		onFailure: (failure: FailedRequest): boolean => {
			const now = performance.now();
			const { startedAt, waitMs } = failure;
			count(failure, now);
			if (fatalFailures >= MAX_FATAL_FAILURES) return true;
			if (waitMs !== undefined) askedUntil = Math.max(askedUntil, endOfPause(now, waitMs));
			if (!isOpen()) return false;
			const deadline = failingSince + giveUpAfterMs;
			// The longer it lasts, the fewer are sent: each may leave a row that is unknown. The last one, at the deadline.
			const trialMs = Math.min((now - failingSince) / 4, deadline - now);
			nextTrialAt = Math.max(nextTrialAt, endOfPause(now, trialMs));
			return giveUpAfterMs > 0 && now >= deadline && isAfterFirst(startedAt);
		},
	};
}
