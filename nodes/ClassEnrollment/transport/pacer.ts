import { sleep } from 'n8n-workflow';
import { createCircuitBreaker } from './circuitBreaker';
import { type AttemptResult, isAnswer } from './outcome';
import type { RateLimiter } from './rateLimiter';
import { createWindow } from './window';

/** So many fatal failures end the run: each could be about one request alone, and the first may be chance. */
const MAX_FATAL_FAILURES = 4;

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
 * Creates the pacer of one run and one service: it decides when each request starts, and when the run gives up. A request waits
 * until the window has room, the circuit breaker does not pause, and the rate limiter allows it.
 *
 * New requests go first, in order, then retries. After two failures in a row, or one that opens the circuit, they are taken from
 * both ends in turn, since what is wrong with the first ones may not be wrong with all.
 * @param ended aborts at the end of the run: then all that wait may start, so that each notices
 */
export function createPacer(
	{ maxConcurrentRequests, giveUpAfterMs, rateLimiter }: PacerSettings,
	ended: AbortSignal,
) {
	const window = createWindow(maxConcurrentRequests);
	const breaker = createCircuitBreaker(giveUpAfterMs);
	const fresh: Start[] = [];
	const retries: Start[] = [];
	let takesLast = false;
	let inFlight = 0;
	/** When `startAll` is called next, on the clock of `performance`. */
	let wakesAt = Infinity;
	let wasAnswered = false;
	/** Only before the first answer: what was answered once is there, and the token is accepted. */
	let fatalFailures = 0;

	/** Whether a wait that the service asks for, if any, is short enough for this run. A longer one concerns its own request alone. */
	const isInTime = ({ retryAfterMs = 0 }: AttemptResult) => retryAfterMs <= giveUpAfterMs;
	/** Starts as many as may start now. */
	const startAll = () => {
		while (fresh.length + retries.length > 0) {
			if (!ended.aborted) {
				if (window.isFull(inFlight)) return;
				const delayMs = breaker.pauseMs() || rateLimiter();
				if (delayMs > 0) return wakeAfter(delayMs);
			}
			inFlight++;
			breaker.onStart();
			takeNext()();
		}
	};
	const takeNext = (): Start => {
		const line = fresh.length > 0 ? fresh : retries;
		takesLast = breaker.isDoubtful() && !takesLast;
		return (takesLast ? line.pop() : line.shift())!;
	};
	/** Calls `startAll` after this time, if it isn't called earlier anyway. */
	const wakeAfter = (milliseconds: number) => {
		const at = performance.now() + milliseconds;
		if (at >= wakesAt) return;
		wakesAt = at;
		void sleep(milliseconds).then(() => {
			if (wakesAt === at) wakesAt = Infinity;
			startAll();
		});
	};
	ended.addEventListener('abort', startAll);

	return {
		/** Waits until a request may start. */
		acquire: async (isRetry: boolean) => {
			const started = new Promise<void>((start) => (isRetry ? retries : fresh).push(start));
			startAll();
			await started;
		},
		/** Whether there is time to send a request again. */
		allowsRetry: (result: AttemptResult) => giveUpAfterMs > 0 && isInTime(result),
		/** Whether all requests wait, so that none needs a delay of its own. */
		isPaused: () => breaker.pauseMs() > 0,
		/**
		 * Learns from the result of a request. To be called before `release`.
		 * @param startedAt when it was sent, on the clock of `performance`
		 * @returns whether to give up
		 */
		report: (result: AttemptResult, startedAt: number): boolean => {
			if (isAnswer(result)) {
				wasAnswered = true;
				window.widen();
				breaker.onAnswer(startedAt);
				return false;
			}
			if (result.isFatal && !wasAnswered) {
				fatalFailures++;
				return breaker.onFailure(startedAt, true) || fatalFailures >= MAX_FATAL_FAILURES;
			}
			if (result.retryAfterMs !== undefined && isInTime(result)) {
				window.narrow();
				return breaker.onFailure(startedAt, true, result.retryAfterMs);
			}
			if (giveUpAfterMs > 0) return breaker.onFailure(startedAt, false);
			// Without retries, there is no outage to wait for.
			window.widen();
			return false;
		},
		/** Makes room for the next request. */
		release: () => {
			inFlight--;
			startAll();
		},
	};
}
