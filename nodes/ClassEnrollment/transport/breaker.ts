import { vary } from './backoff';
import type { Outcome } from './outcome';

/** How much failures in a row must weigh for an outage: less may be chance. */
const OUTAGE = 5;
/** What a slow failure weighs, so that a service that hangs ends a run after two or three time-outs. */
const SLOW = 3;
const SLOW_MS = 10_000;
/** So that a token that is not accepted ends a run of ten at a time after thirteen requests. */
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
	const deadEnds = createDeadEnds();

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
		/** Notes what became of a request; returns the state after it. */
		note: ({ answers, hitsAll, retryAfterMs }: Outcome, startedAt: number): State => {
			if (answers) {
				weight = 0;
				deadEnds.noteAnswer();
				return 'closed';
			}
			const now = performance.now();
			if (weight === 0) failingSince = now;
			const isRefused = hitsAll === true && !deadEnds.hasAnswer();
			const askedMs = Math.max(TRIAL_INTERVAL_MS, retryAfterMs ?? 0);
			// Always, where Give Up After is 0. Such a wait may be meant for this request alone.
			const isTooLong = askedMs > giveUpAfterMs;
			const asksAll = retryAfterMs !== undefined && !isTooLong;
			const isDeadEnd = (isRefused || isTooLong) && deadEnds.confirm(startedAt);

			if (isRefused || asksAll) weight += OUTAGE;
			else weight += now - startedAt >= SLOW_MS ? SLOW : 1;
			if (!isOpen()) return 'closed';

			const waitMs = isTooLong ? TRIAL_INTERVAL_MS : askedMs;
			// The longer it lasts, the fewer are sent: each may leave a row of which nobody knows what became.
			nextAt = Math.max(nextAt, now + vary(Math.max(waitMs, (now - failingSince) / 4)));
			const leftMs = failingSince + giveUpAfterMs - now;
			// One in flight at the first failure does not show that the next would start too late: both may ask for one moment.
			const outlastsBudget = waitMs > leftMs && startedAt > failingSince;
			return leftMs <= 0 || isDeadEnd || outlastsBudget ? 'over' : 'open';
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
		confirm: (startedAt: number): boolean => {
			// Those in flight at the first one confirm nothing.
			if (startedAt > firstFailedAt) confirmations++;
			firstFailedAt = Math.min(firstFailedAt, performance.now());
			return confirmations >= CONFIRMATIONS;
		},
	};
}
