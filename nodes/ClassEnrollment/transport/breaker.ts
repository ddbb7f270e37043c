import { backoff, vary } from './backoff';
import { meaningOf, type Outcome } from './fate';

// How long a run goes on while no request is answered; docs/how-it-works.md promises it.
/** With a service that gives no sign of life. */
const PATIENCE_MS = 20_000;
/** With one that did: it may be restarting, or allow so many requests a minute. */
const PATIENCE_WITH_LIFE_MS = 60_000;
/** With one that says how long to wait; if it asks for more at once, the run is over. */
export const MAX_PATIENCE_MS = 300_000;
/** Where the token is refused, or the service has moved. */
const PATIENCE_WHEN_REFUSED_MS = 2000;
/** The same where others were answered before: then it may be about one class. */
const PATIENCE_WHEN_REFUSED_SINCE_MS = 10_000;
/** Fewer failures in a row may be chance. */
const FAILURES_OF_AN_OUTAGE = 5;
/** One that took so long counts three times. */
const SLOW_MS = 10_000;

/** What the requests of a run learn from each other: whether the service answers. */
export type Breaker = ReturnType<typeof createBreaker>;

/**
 * - `closed`: requests start as they come.
 * - `open`: nothing starts for a while; then one request every half second, until one is answered.
 * - `over`: none was answered for all of patience.
 */
export type State = 'closed' | 'open' | 'over';

/**
 * Creates the breaker of one run and one service. A request is answered if the service has dealt with it itself, even if it
 * refused it (`answers` in the table of fates). Everything else is a failure.
 */
export function createBreaker() {
	/** Whether a request was answered in this run. */
	let hasAnswered = false;
	/** How many have failed since then: a slow one counts three times, one that speaks for all as an outage. */
	let failures = 0;
	/** When the first of these failed. */
	let since = 0;
	/** Nothing starts before. */
	let nextAt = 0;

	const isOpen = () => failures >= FAILURES_OF_AN_OUTAGE;
	const patienceWith = ({ fate, retryAfterMs }: Outcome): number => {
		const { hitsAll, asksToWait } = meaningOf(fate);
		if (retryAfterMs !== undefined) return MAX_PATIENCE_MS;
		if (hitsAll) return hasAnswered ? PATIENCE_WHEN_REFUSED_SINCE_MS : PATIENCE_WHEN_REFUSED_MS;
		return hasAnswered || asksToWait ? PATIENCE_WITH_LIFE_MS : PATIENCE_MS;
	};

	return {
		failures: () => failures,
		/** Claims the start of a request, as every `Pace` does. */
		pace: (): number => {
			const now = performance.now();
			if (now < nextAt) return nextAt - now;
			if (isOpen()) nextAt = now + backoff(1);
			return 0;
		},
		/** Notes what became of a request; returns the state after it. */
		note: (outcome: Outcome, tookMs: number): State => {
			const { fate, retryAfterMs = 0 } = outcome;
			const { answers, hitsAll, asksToWait } = meaningOf(fate);
			if (answers) {
				hasAnswered = true;
				failures = 0;
				return 'closed';
			}
			const now = performance.now();
			if (failures === 0) since = now;
			const speaksForAll = asksToWait || retryAfterMs > 0 || (hitsAll && !hasAnswered);
			failures += speaksForAll ? FAILURES_OF_AN_OUTAGE : tookMs >= SLOW_MS ? 3 : 1;
			if (!isOpen()) return 'closed';
			const failingMs = now - since;
			const holdMs = vary(Math.max(backoff(1), failingMs / 4, retryAfterMs));
			nextAt = Math.max(nextAt, now + holdMs);
			const isOver = failingMs >= patienceWith(outcome) || retryAfterMs > MAX_PATIENCE_MS;
			return isOver ? 'over' : 'open';
		},
	};
}
