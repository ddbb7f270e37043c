import { backoff, vary } from './backoff';
import { meaningOf } from './fate';
import type { Outcome } from './outcome';

// docs/how-it-works.md promises these.
const PATIENCE_MS = 20_000;
/** The patience with a service that has worked in this run: it may only be restarting. */
const PATIENCE_WITH_A_RESTART_MS = 60_000;
/** The patience with a service that asks to wait, or whose class list answers. */
export const MAX_PATIENCE_MS = 300_000;
/** Fewer failures may be chance. */
const FAILURES_OF_AN_OUTAGE = 5;

/** What a failure leads to; with `fail` and `retryOnce`, the others go on. */
type Verdict = 'retry' | 'allRetry' | 'retryOnce' | 'fail' | 'askClassList' | 'giveUp';

/**
 * Is the service up? Notes failures, and says when patience with them is over: a matter of time, not of tries, so that an
 * outage costs the same whatever the number of items.
 */
export function createOutage() {
	/** Whether something has got through in this run. */
	let hasServed = false;
	/** How many requests have failed since something got through, or the class list answered; a slow one counts three times. */
	let failures = 0;
	/** When patience began: with the first of these failures, or with the answer of the class list. */
	let since = Infinity;
	/** Whether the class list has answered since something got through: then each request gets one more try. */
	let isListAnswering = false;

	const isOutage = () => failures >= FAILURES_OF_AN_OUTAGE;
	const failingMs = () => Math.max(0, performance.now() - since);
	const judge = (
		{ fate, retryAfterMs = 0 }: Outcome,
		isAsked: boolean,
		waitMs: number,
	): Verdict => {
		const { hitsAll, effect } = meaningOf(fate);
		const isInTime = failingMs() + waitMs <= MAX_PATIENCE_MS;
		if (hitsAll && !hasServed) return 'giveUp';
		if (isListAnswering) {
			if (failingMs() >= MAX_PATIENCE_MS) return 'giveUp';
			return isAsked && isInTime ? 'retryOnce' : 'fail';
		}
		const patienceMs = hasServed ? PATIENCE_WITH_A_RESTART_MS : PATIENCE_MS;
		const isOver = isAsked ? !isInTime : isOutage() && failingMs() >= patienceMs;
		// What reached the service may be about this request alone.
		const mayHitOne = effect !== 'unsent' && retryAfterMs <= MAX_PATIENCE_MS;
		if (isOver) return mayHitOne ? 'askClassList' : 'giveUp';
		return isAsked || isOutage() ? 'allRetry' : 'retry';
	};

	return {
		/** Something has got through. */
		end: () => {
			hasServed = true;
			failures = 0;
			since = Infinity;
			isListAnswering = false;
		},
		/** Notes a failure of a request that was sent so often and took so long; returns what it leads to, and after which wait. */
		noteFailure: (outcome: Outcome, tries: number, tookMs: number) => {
			const { fate, retryAfterMs = 0 } = outcome;
			failures += fate === 'silent' || tookMs >= PATIENCE_MS ? 3 : 1;
			since = Math.min(since, performance.now());
			const isAsked = retryAfterMs > 0 || meaningOf(fate).asksToWait === true;
			// What the service asks for counts from its response, and other waits from when the request was sent.
			const ownMs = Math.max(backoff(isAsked || isOutage() ? 1 : tries), failingMs() / 4) - tookMs;
			const waitMs = vary(Math.max(ownMs, retryAfterMs, 0));
			return { verdict: judge(outcome, isAsked, waitMs), waitMs };
		},
		/** The class list has answered although nothing gets through: patience begins anew. */
		noteClassList: () => {
			failures = 0;
			since = performance.now();
			isListAnswering = true;
		},
	};
}
