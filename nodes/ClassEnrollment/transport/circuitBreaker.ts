import once from 'lodash/once';
import { backoff, MAX_ASKED_MS } from './backoff';
import { TIMEOUT } from './noResponse';
import { asksToWait, isAtWork, isForAll, isRepeatable, type Outcome } from './outcome';
import type { ServiceRequest } from './request';
import type { RequestQueue } from './requestQueue';
import type { RunEnd } from './runEnd';

// docs/how-it-works.md promises these.
const FAILURES_TO_OPEN = 5;
/** A failure that takes so long counts as three, or an outage would cost many time-outs. Two take as long as five probes. */
const LONG_MS = 8000;
/** So many successes in a row do not come from a service that fails at random. */
const SUCCESSES_TO_FORGET = 20;
const MIN_PROBES = 5;
/** Rate limits are often per minute; so many probes span about two minutes. */
const MIN_PROBES_OF_A_RATE_LIMIT = 8;
/** At most how often a request is sent while the run has others. A rate limit lets everything through in time. */
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
	/** The circuit's step when the last try was sent. */
	step: number;
	/** When the last try was sent, in milliseconds since 1970. */
	sentAt: number;
	/** Whether one of the tries may have taken effect. */
	isUnknown: boolean;
}

/** What a circuit breaker knows of the service. */
interface Circuit {
	failuresInARow: number;
	successesInARow: number;
	failuresToOpen: number;
	/** How often it was opened since the last success: the next backoff is that of this step. */
	step: number;
	hasWorked: boolean;
	/** What all requests may fail with, unless one of them has worked. */
	suspected?: Outcome;
	givenUp?: Outcome;
}

const CLOSED: Circuit = {
	failuresInARow: 0,
	successesInARow: 0,
	failuresToOpen: FAILURES_TO_OPEN,
	step: 0,
	hasWorked: false,
};

/**
 * Keeps an outage from costing more than a few waits, whatever the number of items.
 * - Closed: requests are sent. One that fails, and may be repeated, waits by itself for a backoff, which doubles.
 * - Open: after several failures in a row, or if the service asks to wait, all requests wait. That backoff doubles, too.
 * - Half-open: then one request goes first, as a probe. A failure opens the circuit again; each success closes it, and
 *   lets one more request be in flight. What was sent before the circuit opened says nothing new about the service.
 * - After enough probes have failed, nothing more is sent, unless the class list responds: then only some requests fail.
 * What would most likely hit every request ends the run, too, unless something has worked. If the service itself says it,
 * such as of the access token, the class list is asked first: it may be about one class.
 * A false alarm doubles the number of failures that open it, or random failures would end the run.
 */
export function createCircuitBreaker(
	maxRetries: number,
	queue: RequestQueue,
	readClassList: () => Promise<Outcome>,
	{ hasEnded }: RunEnd,
) {
	const circuit = { ...CLOSED };
	const checkSuspicion = once(async () => {
		const outcome = await readClassList();
		circuit.hasWorked ||= isAtWork(outcome) && !isForAll(outcome);
		if (!circuit.hasWorked) circuit.givenUp = circuit.suspected;
	});
	return {
		/** Waits until a request may be sent; returns whether it may. */
		begin: async (call: Call, waitMs: number) => {
			await queue.enter(waitMs);
			call.step = circuit.step;
			if (circuit.suspected && !circuit.hasWorked && !hasEnded()) await checkSuspicion();
			const maySend = !hasEnded() && !circuit.givenUp;
			if (!maySend) queue.leave();
			return maySend;
		},
		/** Returns how long a request waits until it is sent again, in milliseconds; undefined if it is not. */
		end: async (call: Call, outcome: Outcome) => {
			if (isAtWork(outcome)) {
				if (isForAll(outcome) && !circuit.hasWorked) circuit.suspected = outcome;
				else noteSuccess(circuit);
				queue.speedUp();
				return undefined;
			}
			await noteFailure(circuit, call, outcome, maxRetries, readClassList);
			if (circuit.givenUp) return undefined;
			const allWait = asksToWait(outcome) || isOpen(circuit);
			const step = allWait ? circuit.step : Math.min(call.tries, LAST_STEP_ALONE);
			const waitMs = backoff(step, outcome.retryAfterMs);
			if (allWait) queue.pause(waitMs);
			if (!mayRetry(call, outcome, maxRetries)) return undefined;
			return allWait ? 0 : waitMs;
		},
		/** Because of it, nothing more is sent. */
		givenUp: () => circuit.givenUp,
	};
}

function isOpen({ failuresInARow, failuresToOpen }: Circuit): boolean {
	return failuresInARow >= failuresToOpen;
}

function noteSuccess(circuit: Circuit): void {
	if (isOpen(circuit)) circuit.failuresToOpen *= 2;
	if (++circuit.successesInARow >= SUCCESSES_TO_FORGET) circuit.failuresToOpen = FAILURES_TO_OPEN;
	circuit.hasWorked = true;
	circuit.failuresInARow = 0;
	circuit.step = 0;
}

/** Opens the circuit if necessary, or gives up if it was opened often enough. */
async function noteFailure(
	circuit: Circuit,
	call: Call,
	outcome: Outcome,
	maxRetries: number,
	readClassList: () => Promise<Outcome>,
): Promise<void> {
	const isRateLimit = outcome.status === 429;
	const weight = isRateLimit || Date.now() - call.sentAt < LONG_MS ? 1 : 3;
	if (!isRateLimit) circuit.failuresInARow += weight;
	circuit.successesInARow = 0;
	const isTooLong = (outcome.retryAfterMs ?? 0) > MAX_ASKED_MS;
	// Once something has got through, it is only one bad connection.
	if (isTooLong || (isForAll(outcome) && !circuit.hasWorked)) {
		circuit.givenUp = outcome;
		return;
	}
	if (!asksToWait(outcome) && !isOpen(circuit)) return;
	if (call.step >= circuit.step) circuit.step += weight;
	const minProbes = Math.max(isRateLimit ? MIN_PROBES_OF_A_RATE_LIMIT : MIN_PROBES, maxRetries);
	const isEnough = () => circuit.step > minProbes && (isRateLimit || isOpen(circuit));
	if (isEnough() && isWorthAsking(outcome) && isAtWork(await readClassList())) {
		circuit.failuresToOpen = Math.max(circuit.failuresToOpen, circuit.failuresInARow);
		noteSuccess(circuit);
	}
	if (isEnough()) circuit.givenUp = outcome;
}

function mayRetry({ request, tries, hasCompany }: Call, outcome: Outcome, max: number): boolean {
	// A read that meets a server error may ask for what does not exist, such as a page.
	const isForTheRun = max > 0 && hasCompany && outcome.fate !== 'unknown';
	const isTriedEnough = tries >= MAX_TRIES && outcome.status !== 429;
	return (tries <= max || (isForTheRun && !isTriedEnough)) && isRepeatable(request, outcome);
}

/** Not after a timeout, since this could take as long, nor after a 429, which asks for fewer requests. */
function isWorthAsking({ status, code = '' }: Outcome): boolean {
	return status !== 429 && !TIMEOUT.test(code);
}
