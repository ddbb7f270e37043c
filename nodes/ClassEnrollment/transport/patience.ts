import { backoff, vary } from './backoff';
import { isRepeatable, meaningOf } from './fate';
import type { Outcome } from './outcome';
import type { ServiceRequest } from './request';
import type { Turns } from './turns';

// docs/how-it-works.md promises these.
const PATIENCE_MS = 20_000;
/** The patience with a service that has worked in this run: it may only be restarting. */
const PATIENCE_WITH_A_RESTART_MS = 60_000;
/** The patience with a service that asks to wait. */
export const MAX_PATIENCE_MS = 300_000;
/** Fewer failures in a row may be chance; a time-out counts twice. */
const FAILURES_OF_AN_OUTAGE = 5;
/** Where every other response is a failure, so many lose one request in a million. */
const MAX_TRIES = 20;

/** A request, and what has become of it so far. */
export interface Call {
	request: ServiceRequest;
	tries: number;
	/** The outcome of the last try; undefined if it was not sent. */
	outcome?: Outcome;
	/** When the last try was sent, in milliseconds since 1970. */
	sentAt: number;
	/** How long the last try took, in milliseconds. */
	tookMs: number;
	/** Whether one of the tries may have taken effect. */
	isUnknown: boolean;
}

/** Failures in a row, and the time of the first one. */
const NO_FAILURES = { count: 0, since: Infinity };

/**
 * Decides whether and when a request is sent again, and when the run gives up, so that an outage costs no more than a
 * fixed time, whatever the number of items.
 * - A request that fails waits by itself. After several failures in a row, or if the service asks for it, all wait.
 * - When nothing has got through for the time of its patience, the run gives up. It does not begin to wait for longer if
 *   the service asks for that.
 * - If only some requests may be concerned, it asks the class list first. If that answers, each of the others gets one
 *   try, until one gets through.
 * @param hasOthers whether the run has more than one request
 * @param askClassList sends a request that succeeds whenever the service is at work
 * @param giveUp ends the run because of this outcome
 */
export function createPatience(
	maxRetries: number,
	turns: Turns,
	hasOthers: () => boolean,
	askClassList: () => Promise<Outcome>,
	giveUp: (outcome: Outcome) => void,
) {
	let failures = NO_FAILURES;
	let hasServed = false;
	let isOneTryLeft = false;
	/** Ends the run, unless the class list answers: it is asked before the next request. */
	let suspicion: Outcome | undefined;
	let asking: Promise<void> | undefined;

	const isOutage = () => failures.count >= FAILURES_OF_AN_OUTAGE;
	const failingMs = () => performance.now() - failures.since;

	const ask = async (suspected: Outcome) => {
		const { fate } = await askClassList();
		// Not where something has got through meanwhile.
		if (suspicion) {
			if (fate !== 'done') giveUp(suspected);
			else if (meaningOf(suspected.fate).works) hasServed = true;
			else isOneTryLeft = true;
		}
		suspicion = asking = undefined;
	};
	const noteSuccess = () => {
		failures = NO_FAILURES;
		suspicion = undefined;
		isOneTryLeft = false;
		turns.speedUp();
	};
	const noteFailure = ({ fate }: Outcome) => {
		const count = failures.count + (fate === 'silent' ? 2 : 1);
		failures = { count, since: Math.min(failures.since, performance.now()) };
	};
	/** Whether patience is over, or would be before the service is to be asked again. */
	const isOver = ({ fate, retryAfterMs = 0 }: Outcome, isAsked: boolean) => {
		if (meaningOf(fate).hitsAll && !hasServed) return true;
		const patienceMs = hasServed ? PATIENCE_WITH_A_RESTART_MS : PATIENCE_MS;
		if (isAsked) return failingMs() + retryAfterMs > MAX_PATIENCE_MS;
		return isOutage() && failingMs() >= patienceMs;
	};
	const mayRetry = ({ request, tries }: Call, { fate }: Outcome) => {
		if (!isRepeatable(request, fate)) return false;
		if (tries <= maxRetries || maxRetries === 0) return tries <= maxRetries;
		// A read that meets a server error may ask for what does not exist, such as a page.
		const isForTheRun = hasOthers() && meaningOf(fate).again !== 'reads';
		return isForTheRun && (fate === 'limited' || tries < MAX_TRIES);
	};

	return {
		/** Asks the class list first, if the run is about to give up; the request whose turn it is waits for that. */
		beforeSending: async () => {
			if (!suspicion) return;
			await (asking ??= ask(suspicion));
			await turns.takeAgain();
		},
		/** Notes what became of a request; returns how long it waits until it is sent again, undefined if it is not. */
		note: (call: Call, outcome: Outcome): number | undefined => {
			const { works, hitsAll, asksToWait, mayHitOne } = meaningOf(outcome.fate);
			hasServed ||= outcome.fate === 'done';
			if (works && (!hitsAll || hasServed)) {
				noteSuccess();
				return undefined;
			}
			noteFailure(outcome);
			if (isOneTryLeft) return undefined;
			const { retryAfterMs = 0 } = outcome;
			const isAsked = asksToWait || retryAfterMs > 0;
			const allWait = isAsked || isOutage();
			const ownMs = Math.max(backoff(allWait ? 1 : call.tries), failingMs() / 4) - call.tookMs;
			const waitMs = Math.max(ownMs, retryAfterMs, 0);
			if (isOver(outcome, isAsked)) {
				if (!mayHitOne || retryAfterMs > MAX_PATIENCE_MS) {
					giveUp(outcome);
					return undefined;
				}
				suspicion = outcome;
			} else if (allWait) turns.pause(vary(waitMs));
			if (!mayRetry(call, outcome)) return undefined;
			return allWait ? 0 : vary(waitMs);
		},
	};
}
