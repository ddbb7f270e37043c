import { backoff } from './backoff';
import { TIMEOUT } from './noResponse';
import { asksToWait, isAtWork, isRepeatable, type Outcome } from './outcome';
import { isWrite, type ServiceRequest } from './request';
import type { RequestQueue } from './requestQueue';
import type { RunEnd } from './runEnd';

// docs/how-it-works.md promises these.
const FAILURES_TO_OPEN = 5;
/** So many successes in a row do not come from a service that fails at random. */
const SUCCESSES_TO_FORGET = 20;
const MIN_PROBES = 5;
/** Rate limits are often per minute; so many probes span about two minutes. */
const MIN_PROBES_OF_A_RATE_LIMIT = 8;
/** At most how often a request is sent while the run has others. */
const MAX_TRIES = 10;
// The longest backoff of a request that waits by itself: about 4 seconds.
const LAST_STEP_ALONE = 4;

/** A request, and what has become of it so far. */
export interface Call {
	request: ServiceRequest;
	tries: number;
	/** Whether the run had other requests meanwhile. */
	hasCompany: boolean;
	/** The outcome of the last try; undefined if it was not sent. */
	outcome?: Outcome;
	/** How often the circuit had opened when the last try was sent. */
	openings?: number;
}

export interface CircuitBreaker {
	/** Waits until a request may be sent; returns whether it may. */
	begin: (call: Call, waitMs: number) => Promise<boolean>;
	/** Says how long a request waits until it is sent again, in milliseconds; undefined if it is not. */
	end: (call: Call, outcome: Outcome) => Promise<number | undefined>;
	/** Because of it, nothing more is sent. */
	givenUp: () => Outcome | undefined;
}

/**
 * Keeps an outage from costing more than a few waits, whatever the number of items.
 * - Closed: requests are sent. One that fails, and may be repeated, waits by itself for a backoff, which doubles.
 * - Open: after several failures in a row, or if the service asks to wait, all requests wait. That backoff doubles, too.
 * - Half-open: then one request goes first, as a probe. A failure opens the circuit again; each success closes it, and
 *   lets one more request be in flight. What was sent before the circuit opened says nothing new about the service.
 * - After enough probes have failed, nothing more is sent, unless the class list responds: then only some requests fail.
 * A false alarm doubles the number of failures that open it, or random failures would end the run.
 */
export function createCircuitBreaker(
	maxRetries: number,
	queue: RequestQueue,
	readClassList: () => Promise<Outcome>,
	{ hasEnded, onFailedWrite }: RunEnd,
): CircuitBreaker {
	let failuresInARow = 0;
	let successesInARow = 0;
	let failuresToOpen = FAILURES_TO_OPEN;
	let step = 0;
	let openings = 0;
	let hasWorked = false;
	let givenUp: Outcome | undefined;

	const isOpen = () => failuresInARow >= failuresToOpen;

	const noteSuccess = () => {
		if (isOpen()) failuresToOpen *= 2;
		if (++successesInARow >= SUCCESSES_TO_FORGET) failuresToOpen = FAILURES_TO_OPEN;
		hasWorked = true;
		failuresInARow = 0;
		step = 0;
		queue.speedUp();
	};

	/** Opens the circuit once more, or gives up if it has been opened often enough. */
	const open = async (outcome: Outcome, { openings: openingsThen }: Call) => {
		if (openingsThen === openings) {
			step++;
			openings++;
		}
		const isRateLimit = outcome.status === 429;
		const minProbes = isRateLimit ? MIN_PROBES_OF_A_RATE_LIMIT : MIN_PROBES;
		const isEnough = () => step > Math.max(minProbes, maxRetries) && (isRateLimit || isOpen());
		if (!isEnough()) return;
		if (isWorthAsking(outcome) && isAtWork(await readClassList())) {
			failuresToOpen = Math.max(failuresToOpen, failuresInARow);
			noteSuccess();
		}
		if (isEnough()) givenUp = outcome;
	};

	const judge = async (call: Call, outcome: Outcome) => {
		if (isAtWork(outcome)) {
			noteSuccess();
			return undefined;
		}
		const asks = asksToWait(outcome);
		if (outcome.status !== 429) failuresInARow++;
		successesInARow = 0;
		// Once something has got through, it is only one bad connection.
		if (outcome.fate === 'hopeless' && !hasWorked) givenUp = outcome;
		else if (asks || isOpen()) await open(outcome, call);
		if (givenUp) return undefined;

		const allWait = asks || isOpen();
		const wait = backoff(
			allWait ? step : Math.min(call.tries, LAST_STEP_ALONE),
			outcome.retryAfterMs,
		);
		if (allWait) queue.pause(wait);
		const { tries, hasCompany, request } = call;
		// A read that meets a server error may ask for what does not exist, such as a page.
		const isForTheRun = maxRetries > 0 && hasCompany && outcome.fate !== 'unknown';
		const mayRetry = tries <= maxRetries || (isForTheRun && tries < MAX_TRIES);
		if (!mayRetry || !isRepeatable(request, outcome)) return undefined;
		return allWait ? 0 : wait;
	};

	return {
		begin: async (call, waitMs) => {
			await queue.enter(waitMs);
			call.openings = openings;
			const maySend = !hasEnded() && !givenUp;
			if (!maySend) queue.leave();
			return maySend;
		},
		end: async (call, outcome) => {
			const waitMs = await judge(call, outcome);
			if (waitMs === undefined && outcome.fate !== 'done' && isWrite(call.request)) onFailedWrite();
			return waitMs;
		},
		givenUp: () => givenUp,
	};
}

/** Not after a timeout, since this could take as long, nor after a 429, which asks for fewer requests. */
function isWorthAsking({ status, code = '' }: Outcome): boolean {
	return status !== 429 && !TIMEOUT.test(code);
}
