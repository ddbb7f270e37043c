import { sleep } from 'n8n-workflow';
import { type AttemptResult, isAnswer } from './outcome';
import type { RateLimiter } from './rateLimiter';
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

/** How fast the requests of a run are sent. */
export interface PacerSettings {
	/** The most requests in flight. */
	maxConcurrentRequests: number;
	/** How long the run goes on while no request is answered. With 0, nothing is retried, and a failure ends no run. */
	giveUpAfterMs: number;
	/** Shared by all clients of a run. */
	rateLimiter: RateLimiter;
}

type Start = () => void;

/**
 * Creates the pacer of one run and one service: it decides when each request starts, and when the run gives up.
 *
 * - **Window**: the most requests in flight. It starts at 1, and the first answer opens it whole. When the service asks to wait, it
 *   is 1 again, and then grows by 1 with each answer, so that it doubles with each round (TCP's slow start).
 * - **Circuit breaker**: closed, until five failures in a row open it, or one that speaks for all requests. Then nothing starts
 *   for a pause. After it (half-open), one request starts every half second, as a trial. An answer closes the circuit.
 * - **Deadline**: Give Up After since the first of the failures in a row. The first trial that fails after it ends the run.
 *
 * New requests go first, in order, then retries. After two failures in a row, or one that weighs more, they are taken from both
 * ends in turn, since what is wrong with the first ones may not be wrong with all.
 * @param ended aborts at the end of the run: then all that wait may start, so that each notices
 */
export function createPacer(
	{ maxConcurrentRequests, giveUpAfterMs, rateLimiter }: PacerSettings,
	ended: AbortSignal,
) {
	const fresh: Start[] = [];
	const retries: Start[] = [];
	let takesLast = false;
	let hasTimer = false;

	let inFlight = 0;
	let window = 1;
	/** By how much an answer widens the window. */
	let growth = maxConcurrentRequests;

	/** The weight of the failures since the last answer. */
	let weight = 0;
	let fatalFailures = 0;
	let failingSince = 0;
	let wasAnswered = false;
	let pausedUntil = 0;

	const isOpen = () => weight >= OPENING_WEIGHT;
	const startWaiting = () => {
		while (fresh.length + retries.length > 0) {
			if (!ended.aborted) {
				if (inFlight >= window) return;
				const pauseMs = Math.max(0, pausedUntil - performance.now()) || rateLimiter();
				if (pauseMs > 0) return wakeUpIn(pauseMs);
			}
			inFlight++;
			if (isOpen()) pausedUntil = performance.now() + MIN_PAUSE_MS;
			const line = fresh.length > 0 ? fresh : retries;
			takesLast = weight > 1 && !takesLast;
			const start = takesLast ? line.pop() : line.shift();
			start?.();
		}
	};
	const wakeUpIn = (milliseconds: number) => {
		if (hasTimer) return;
		hasTimer = true;
		void sleep(milliseconds).then(() => {
			hasTimer = false;
			startWaiting();
		});
	};
	ended.addEventListener('abort', startWaiting);

	const widen = () => void (window = Math.min(maxConcurrentRequests, window + growth));
	const closeCircuit = () => {
		weight = 0;
		fatalFailures = 0;
		wasAnswered = true;
	};

	return {
		/** Waits until a request may start. */
		acquire: async (isRetry: boolean) => {
			const started = new Promise<void>((start) => (isRetry ? retries : fresh).push(start));
			startWaiting();
			await started;
		},
		/** Whether all requests wait, so that none needs a delay of its own. */
		isPaused: () => performance.now() < pausedUntil,
		/**
		 * Learns from the result of a request. To be called before `release`.
		 * @param startedAt when it was sent, on the clock of `performance`
		 * @returns whether to give up
		 */
		report: (result: AttemptResult, startedAt: number): boolean => {
			const { retryAfterMs = 0 } = result;
			// A wait that is too long for this run concerns its own request alone.
			const asksAll = result.retryAfterMs !== undefined && retryAfterMs <= giveUpAfterMs;
			const isFatal = result.isFatal === true && !wasAnswered;
			// Without retries there is no outage to wait for: other failures, too, concern their own requests alone.
			const isAlone = giveUpAfterMs === 0 && !asksAll && !isFatal;
			if (isAnswer(result)) closeCircuit();
			if (isAnswer(result) || isAlone) {
				widen();
				return false;
			}
			const now = performance.now();
			if (weight === 0) failingSince = now;
			// Those in flight at the first failure confirm nothing.
			const isLater = weight > 0 && startedAt >= failingSince;
			if (isFatal && (isLater || fatalFailures === 0)) fatalFailures++;
			if (fatalFailures >= MAX_FATAL_FAILURES) return true;
			const isSlow = now - startedAt >= SLOW_MS;
			weight += asksAll || isFatal ? OPENING_WEIGHT : isSlow ? SLOW_WEIGHT : 1;
			if (asksAll) {
				window = 1;
				growth = 1;
			}
			if (!isOpen()) return false;

			const deadline = failingSince + giveUpAfterMs;
			// The longer it lasts, the fewer are sent: each may leave a row that is unknown. The last one, at the deadline.
			const trialMs = Math.min((now - failingSince) / 4, deadline - now);
			const pauseMs = Math.max(MIN_PAUSE_MS, asksAll ? retryAfterMs : 0, trialMs);
			pausedUntil = Math.max(pausedUntil, now + withJitter(pauseMs));
			return giveUpAfterMs > 0 && isLater && now >= deadline;
		},
		/** Makes room for the next request. */
		release: () => {
			inFlight--;
			startWaiting();
		},
	};
}
