import { vary } from './backoff';
import type { AttemptResult } from './outcome';

/** How much failures in a row must weigh for an outage: less may be chance. */
const OUTAGE = 5;
/** What a slow failure weighs, so that a service that hangs ends a run after two or three time-outs. */
const SLOW = 3;
const SLOW_MS = 10_000;
/** So that a token that is not accepted costs no more requests than are in flight, and three. */
const CONFIRMATIONS = 3;
/** While the breaker is open, at the least. */
const TRIAL_INTERVAL_MS = 500;

/** What the requests of a run learn from each other: whether the service answers. */
export type Breaker = ReturnType<typeof createBreaker>;

/**
 * - `closed`: requests start as they come, once the last wait is over.
 * - `open`: nothing starts for a while; then one request every half second, until one fails or is answered.
 * - `over`: none was answered for Give Up After, or waiting is of no use.
 */
type State = 'closed' | 'open' | 'over';

/**
 * Creates the breaker of one run and one service. A request is answered if the service has dealt with it itself, even if it
 * rejected it (`answers` in `outcome.ts`). Everything else is a failure.
 */
export function createBreaker(giveUpAfterMs: number) {
	/** That of all failures since the last answer. */
	let weight = 0;
	/** When the first of these failed. */
	let failingSince = 0;
	/** Nothing starts before. */
	let nextAt = 0;
	const hopeless = createHopelessFailures();

	const isOpen = () => weight >= OUTAGE;
	return {
		/** Whether failures last: several in a row, or one that weighs more. A light one may be chance. */
		isFailing: () => weight > 1,
		/** Claims the start of a request, as every `Pace` does. */
		pace: (): number => {
			const now = performance.now();
			if (now < nextAt) return nextAt - now;
			if (isOpen()) nextAt = now + TRIAL_INTERVAL_MS;
			return 0;
		},
		/** Notes the result of an attempt; returns the state after it. */
		note: ({ answers, hitsAll, retryAfterMs }: AttemptResult, startedAt: number): State => {
			if (answers) {
				weight = 0;
				hopeless.noteAnswer();
				return 'closed';
			}
			const now = performance.now();
			if (weight === 0) failingSince = now;
			const leftMs = failingSince + giveUpAfterMs - now;
			const askedMs = Math.max(TRIAL_INTERVAL_MS, retryAfterMs ?? 0);
			// With Give Up After 0, every wait is too long.
			const isTooLong = askedMs > giveUpAfterMs;
			const waitMs = isTooLong ? TRIAL_INTERVAL_MS : askedMs;
			const meetsAll = hitsAll === true && !hopeless.hasAnswer();
			const isHopeless = (meetsAll || isTooLong) && hopeless.noteFailure(startedAt);

			// A longer wait may be meant for this request alone.
			const asksAll = retryAfterMs !== undefined && !isTooLong;
			if (meetsAll || asksAll) weight += OUTAGE;
			else weight += now - startedAt >= SLOW_MS ? SLOW : 1;
			if (!isOpen()) return 'closed';

			// The longer it lasts, the fewer are sent: each may leave a row of which nobody knows what became.
			nextAt = Math.max(nextAt, now + vary(Math.max(waitMs, (now - failingSince) / 4)));
			// Not of one in flight at the first failure: asked 15 s later, the same wait of 50 s only seems to end after 60 s.
			const isNextTooLate = waitMs > leftMs && startedAt > failingSince;
			return leftMs <= 0 || isHopeless || isNextTooLate ? 'over' : 'open';
		},
	};
}

/**
 * Creates what counts the failures against which no waiting helps: a wait longer than Give Up After, and what would meet every
 * request (`hitsAll`, such as a bad token), until one is answered in this run. As each may be about one request alone, three
 * that were sent after the first one failed have to confirm it.
 */
function createHopelessFailures() {
	let hasAnswer = false;
	let firstFailedAt = Infinity;
	let confirmations = 0;
	return {
		/** Whether a request of this run was answered. */
		hasAnswer: () => hasAnswer,
		noteAnswer: () => {
			hasAnswer = true;
			firstFailedAt = Infinity;
			confirmations = 0;
		},
		/** Notes such a failure; returns whether enough have confirmed the first one. */
		noteFailure: (startedAt: number): boolean => {
			// Those in flight at the first one confirm nothing.
			if (startedAt > firstFailedAt) confirmations++;
			firstFailedAt = Math.min(firstFailedAt, performance.now());
			return confirmations >= CONFIRMATIONS;
		},
	};
}
