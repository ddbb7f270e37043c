import { backoff, vary } from './backoff';
import { type Call, type Fate, meaningOf, type Outcome } from './fate';

// docs/how-it-works.md promises these.
const PATIENCE_MS = 20_000;
/** The patience with a service that has worked in this run: it may only be restarting. */
const PATIENCE_WITH_A_RESTART_MS = 60_000;
/** The patience with a service that asks to wait, or whose class list answers. */
export const MAX_PATIENCE_MS = 300_000;
/** Fewer failures may be chance. */
const FAILURES_OF_AN_OUTAGE = 5;

/** What a failure leads to; with `wait` and `fail`, the others go on. */
type Reaction = 'wait' | 'allWait' | 'fail' | 'askClassList' | 'giveUp';

/**
 * Is the service up? Notes failures, and says when patience with them is over: a matter of time, not of tries, so that an
 * outage costs the same whatever the number of items.
 */
export function createOutage() {
	/** Whether something has got through in this run. */
	let hasServed = false;
	/** How many requests have failed since something got through; a slow one counts three times. */
	let failures = 0;
	/** When patience began: with the first of these failures, or with the answer of the class list. */
	let since = Infinity;
	/** Whether the class list has answered since something got through: then each request that is left gets one try. */
	let isListAnswering = false;

	return {
		/** Something has got through. */
		noteSuccess: () => {
			hasServed = true;
			failures = 0;
			since = Infinity;
			isListAnswering = false;
		},
		/** Notes what became of asking the class list; returns whether the run goes on, where patience begins anew. */
		noteClassList: (fate: Fate): boolean => {
			since = performance.now();
			isListAnswering = fate === 'done';
			return isListAnswering;
		},
		/** Notes the failure of a request; returns what it leads to, and after which wait. */
		noteFailure: (call: Call, { fate, retryAfterMs = 0 }: Outcome) => {
			const { hitsAll, effect, asksToWait } = meaningOf(fate);
			failures += fate === 'silent' || call.tookMs >= PATIENCE_MS ? 3 : 1;
			since = Math.min(since, performance.now());
			const failingMs = performance.now() - since;
			const isOutage = failures >= FAILURES_OF_AN_OUTAGE;
			const isAsked = asksToWait === true || retryAfterMs > 0;
			const isForAll = isAsked || isOutage;
			// Counted from when it was sent. Where all wait, tries do not count, but the time in which nothing has got through.
			const backoffMs = Math.max(backoff(isForAll ? 1 : call.tries), failingMs / 4);
			const waitMs = Math.max(backoffMs - call.tookMs, retryAfterMs, 0);
			const isInTime = failingMs + waitMs <= MAX_PATIENCE_MS;
			const react = (reaction: Reaction) => ({ reaction, waitMs: vary(waitMs) });

			if (hitsAll && !hasServed) return react('giveUp');
			if (isListAnswering) {
				if (failingMs >= MAX_PATIENCE_MS) return react('giveUp');
				if (call.hasWaited || !isAsked || !isInTime) return react('fail');
				call.hasWaited = true;
				return react('wait');
			}
			const patienceMs = hasServed ? PATIENCE_WITH_A_RESTART_MS : PATIENCE_MS;
			const isOver = isAsked ? !isInTime : isOutage && failingMs >= patienceMs;
			if (!isOver) return react(isForAll ? 'allWait' : 'wait');
			// A failure in the service may concern this request alone; a wait beyond all patience concerns all.
			const mayHitOne = effect !== 'notReached' && retryAfterMs <= MAX_PATIENCE_MS;
			return react(mayHitOne ? 'askClassList' : 'giveUp');
		},
	};
}
