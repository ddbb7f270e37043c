import { withJitter } from './retry';

/** So many failures in a row open the circuit. Fewer may be chance. */
const MAX_FAILURES = 5;
/** One that took so long opens it at once, so that a service that hangs ends the run after two. */
const SLOW_MS = 10_000;
/** The least time from a failure to the next trial. */
const MIN_PAUSE_MS = 500;

/**
 * Creates the circuit breaker of a run. It is closed, until five failures in a row open it, or one that is slow or speaks for all
 * requests: then nothing starts for a pause. After it (half-open), one request starts as a trial every half second, later less often.
 * An answer closes it.
 *
 * The first trial that fails after the deadline ends the run.
 * @param giveUpAfterMs the time from the first of the failures in a row to the deadline; 0 for none
 */
export function createCircuitBreaker(giveUpAfterMs: number) {
	let isOpen = false;
	/** In a row, that is, since the last answer. */
	let failures = 0;
	/** When the first of them came. */
	let failingSince = 0;
	let nextTrialAt = 0;
	/** The service asks to wait until then, even if a trial is answered. */
	let askedUntil = 0;

	return {
		/** Whether there are reasons to doubt that the next request would be answered. */
		isDoubtful: () => isOpen || failures > 1,
		/** How long nothing may start, in milliseconds. */
		pauseMs: () => Math.max(0, Math.max(nextTrialAt, askedUntil) - performance.now()),
		/** A request was sent. */
		onStart: () => {
			if (isOpen) nextTrialAt = performance.now() + MIN_PAUSE_MS;
		},
		/** A request was answered that was sent then, on the clock of `performance`. */
		onAnswer: (startedAt: number) => {
			isOpen = false;
			failures = 0;
			// Who was sent before the first failure may be answered while it lasts, so the pause goes on.
			if (startedAt >= failingSince) nextTrialAt = 0;
		},
		/**
		 * A request failed that was sent then.
		 * @param opensAtOnce whether it is a failure of all requests, and not of its own alone
		 * @param waitMs how long the service asks all requests to wait, if it does
		 * @returns whether to end the run
		 */
		onFailure: (startedAt: number, opensAtOnce: boolean, waitMs?: number): boolean => {
			const now = performance.now();
			if (failures === 0) failingSince = now;
			failures++;
			const isSlow = now - startedAt >= SLOW_MS;
			isOpen ||= opensAtOnce || isSlow || failures >= MAX_FAILURES;
			if (!isOpen) return false;
			const deadline = failingSince + giveUpAfterMs;
			// Exponential back-off, since each trial may leave a row that is unknown. The last one comes at the deadline.
			const backoffMs = Math.min((now - failingSince) / 4, deadline - now);
			nextTrialAt = Math.max(nextTrialAt, now + toPause(backoffMs));
			if (waitMs !== undefined) askedUntil = Math.max(askedUntil, now + toPause(waitMs));
			return giveUpAfterMs > 0 && now >= deadline;
		},
	};
}

const toPause = (milliseconds: number) => withJitter(Math.max(MIN_PAUSE_MS, milliseconds));
