import { backoff, vary } from './backoff';
import type { Outcome } from './outcome';

/** Fewer failures in a row may be chance. */
const FAILURES_OF_AN_OUTAGE = 5;
/** One that took so long counts three times. */
const SLOW_MS = 10_000;

/** What the requests of a run learn from each other: whether the service answers. */
export type Breaker = ReturnType<typeof createBreaker>;

/**
 * - `closed`: requests start as they come.
 * - `open`: nothing starts for a while; then one request every half second, until one is answered.
 * - `over`: none was answered for Give Up After.
 */
export type State = 'closed' | 'open' | 'over';

/**
 * Creates the breaker of one run and one service. A request is answered if the service has dealt with it itself, even if it
 * refused it (`answers` in `outcome.ts`). Everything else is a failure.
 */
export function createBreaker(giveUpAfterMs: number) {
	/** Whether a request was answered in this run. */
	let hasAnswered = false;
	/** How many have failed since then: a slow one counts three times, one that speaks for all as an outage. */
	let failures = 0;
	/** When the first of these failed. */
	let since = 0;
	/** Nothing starts before. */
	let nextAt = 0;

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
		note: ({ answers, hitsAll, retryAfterMs }: Outcome, sentAt: number): State => {
			if (answers) {
				hasAnswered = true;
				failures = 0;
				return 'closed';
			}
			const now = performance.now();
			if (failures === 0) since = now;
			const failingMs = now - since;
			const waitMs = Math.max(backoff(1), retryAfterMs ?? 0);
			// A longer wait may be about this request alone.
			const isWaitable = waitMs <= giveUpAfterMs;
			const isRefused = hitsAll && !hasAnswered;
			const speaksForAll = isRefused || (isWaitable && retryAfterMs !== undefined);
			failures += speaksForAll ? FAILURES_OF_AN_OUTAGE : now - sentAt >= SLOW_MS ? 3 : 1;
			if (!isOpen()) return 'closed';
			const holdMs = vary(Math.max(isWaitable ? waitMs : backoff(1), failingMs / 4));
			nextAt = Math.max(nextAt, now + holdMs);
			const leftMs = giveUpAfterMs - failingMs;
			// What was sent before the first failure says no more than that one.
			const isConfirmed = sentAt > since && (isRefused || waitMs > leftMs);
			return leftMs <= 0 || isConfirmed ? 'over' : 'open';
		},
	};
}
