import { backoff, vary } from './backoff';
import type { Outcome } from './outcome';

/** Fewer failures in a row may be chance. */
const FAILURES_OF_AN_OUTAGE = 5;
/** So that a service that hangs ends a run after two or three time-outs. */
const FAILURES_OF_A_SLOW_ONE = 3;
const SLOW_MS = 10_000;
/** So that a refused token ends a run of ten at a time after thirteen requests. */
const CONFIRMATIONS = 3;

/** What the requests of a run learn from each other: whether the service answers. */
export type Breaker = ReturnType<typeof createBreaker>;

/**
 * - `closed`: requests start as they come, once a wait that was asked for is over.
 * - `open`: nothing starts for a while; then one request every half second, until one is answered.
 * - `over`: none was answered for Give Up After.
 */
type State = 'closed' | 'open' | 'over';

/**
 * Creates the breaker of one run and one service. A request is answered if the service has dealt with it itself, even if it
 * rejected it (`answers` in `outcome.ts`). Everything else is a failure.
 */
export function createBreaker(giveUpAfterMs: number) {
	/** How many requests in a row have failed. One that speaks for all counts as an outage. */
	let failures = 0;
	/** When the first of these failed. */
	let since = 0;
	/** Nothing starts before. */
	let nextAt = 0;
	const deadEnds = createDeadEnds();

	const isOpen = () => failures >= FAILURES_OF_AN_OUTAGE;
	return {
		/** Whether several requests in a row have failed; one may be chance. */
		isFailing: () => failures > 1,
		/** Claims the start of a request, as every `Pace` does. */
		pace: (): number => {
			const now = performance.now();
			if (now < nextAt) return nextAt - now;
			if (isOpen()) nextAt = now + backoff(1);
			return 0;
		},
		/** Notes what became of a request; returns the state after it. */
		note: ({ answers, hitsAll, retryAfterMs }: Outcome, startedAt: number): State => {
			if (answers) {
				failures = 0;
				deadEnds.noteAnswer();
				return 'closed';
			}
			const now = performance.now();
			if (failures === 0) since = now;
			const leftMs = since + giveUpAfterMs - now;
			const askedMs = Math.max(backoff(1), retryAfterMs ?? 0);
			// It may be meant for this request alone.
			const isTooLong = askedMs > giveUpAfterMs;
			const isRefused = hitsAll === true && !deadEnds.hasAnswer();
			const isConfirmed = (isRefused || isTooLong) && deadEnds.note(startedAt);

			const speaksForAll = isRefused || (retryAfterMs !== undefined && !isTooLong);
			if (speaksForAll) failures += FAILURES_OF_AN_OUTAGE;
			else failures += now - startedAt >= SLOW_MS ? FAILURES_OF_A_SLOW_ONE : 1;
			if (!isOpen()) return 'closed';
			// The longer it lasts, the fewer are sent: each may leave a row of which nobody knows what became.
			const pauseMs = Math.max(isTooLong ? backoff(1) : askedMs, (now - since) / 4);
			nextAt = Math.max(nextAt, now + vary(pauseMs));
			// What was sent before the first failure says no more than that one.
			const outlastsBudget = !isTooLong && askedMs > leftMs && startedAt > since;
			return leftMs <= 0 || isConfirmed || outlastsBudget ? 'over' : 'open';
		},
	};
}

/**
 * Creates what notes failures after which it is of no use to wait: a refusal that would meet every request, as of a token,
 * unless one was answered in this run, or a wait longer than Give Up After. Each may be about one request alone, so that
 * several that were sent after the first have to confirm it.
 */
function createDeadEnds() {
	let hasAnswer = false;
	let firstAt = Infinity;
	let confirmations = 0;
	return {
		/** Whether a request of this run was answered. */
		hasAnswer: () => hasAnswer,
		noteAnswer: () => {
			hasAnswer = true;
			firstAt = Infinity;
		},
		/** Notes such a failure; returns whether enough have confirmed the first one. */
		note: (startedAt: number): boolean => {
			// Those in flight at the first one confirm nothing.
			confirmations = startedAt > firstAt ? confirmations + 1 : 0;
			firstAt = Math.min(firstAt, performance.now());
			return confirmations >= CONFIRMATIONS;
		},
	};
}
