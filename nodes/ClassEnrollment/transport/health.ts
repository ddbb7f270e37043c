import { isTooManyRequests, type Outcome, probeDelay } from './retry';

const FAILURES_OF_AN_OUTAGE = 5;
const FEWEST_PROBES = 3;
// Many services allow so many requests a minute; these probes take two.
const FEWEST_PROBES_OF_A_RATE_LIMIT = 6;

/** What the requests of a run learn from each other about the service. */
export interface Health {
	/** How many responses showed the service at work. */
	successes: () => number;
	/** Whether the service counts as down, so that requests are only sent as probes, one at a time. */
	isDown: () => boolean;
	/** The outcome of the last probe, once so many failed that nothing more is sent. */
	givenUp: () => Outcome | undefined;
	/** Notes a response that showed the service at work. */
	succeed: () => void;
	/**
	 * Notes any other outcome.
	 * @param isSpent whether the request has spent its retries while nothing else succeeded
	 * @returns how long to wait before the next probe, in milliseconds; 0 where there is none to wait for
	 */
	fail: (outcome: Outcome, request: { isProbe: boolean; isSpent: boolean }) => number;
}

/**
 * Watches whether the service is at work, so that an outage costs a run a few delays, whatever the number of items.
 * After several failures in a row, a few probes decide: requests that are due anyway, ever further apart.
 * @param maxRetries more of them also mean more probes
 */
export function createHealth(maxRetries: number): Health {
	let successes = 0;
	let failuresInARow = 0;
	let failedProbes: number | undefined;
	let givenUp: Outcome | undefined;

	return {
		successes: () => successes,
		isDown: () => failedProbes !== undefined,
		givenUp: () => givenUp,
		succeed: () => {
			successes++;
			failuresInARow = 0;
			failedProbes = undefined;
		},
		fail: (outcome, { isProbe, isSpent }) => {
			const isRateLimit = isTooManyRequests(outcome);
			if (failedProbes === undefined) {
				if (!isRateLimit) failuresInARow++;
				if (!isSpent && failuresInARow < FAILURES_OF_AN_OUTAGE) return 0;
				failedProbes = 0;
			} else if (isProbe) {
				failedProbes++;
				const fewest = isRateLimit ? FEWEST_PROBES_OF_A_RATE_LIMIT : FEWEST_PROBES;
				if (failedProbes >= Math.max(fewest, maxRetries)) {
					givenUp = outcome;
					return 0;
				}
			} else {
				// It was under way when the service went down, and says nothing new.
				return 0;
			}
			return probeDelay(failedProbes, outcome);
		},
	};
}
