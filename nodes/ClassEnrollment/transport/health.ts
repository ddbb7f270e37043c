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
	/** Whether so many probes failed that it is time to give up. */
	isExhausted: () => boolean;
	/** The outcome of the last probe, once nothing more is sent. */
	givenUp: () => Outcome | undefined;
	/** Notes a response that showed the service at work. */
	succeed: () => void;
	/**
	 * Notes any other outcome.
	 * @param isSpent whether the request has spent its retries while nothing else succeeded
	 * @returns how long to wait before the next probe, in milliseconds; 0 if none is due
	 */
	fail: (outcome: Outcome, request: { isProbe: boolean; isSpent: boolean }) => number;
	/** Notes that it was the requests that failed, not the service: it takes more of them to count as an outage. */
	blameRequests: () => void;
	/** Ends the run: the service stays down. */
	giveUp: (lastProbe: Outcome) => void;
}

/**
 * Watches whether the service is at work, so that an outage costs a run a few delays, whatever the number of items.
 * After several failures in a row, a few probes decide: requests that are due anyway, ever further apart.
 * @param maxRetries more of them also mean more probes
 */
export function createHealth(maxRetries: number): Health {
	let successes = 0;
	let failuresInARow = 0;
	let failuresOfAnOutage = FAILURES_OF_AN_OUTAGE;
	let failedProbes: number | undefined;
	let probesLeft = Infinity;
	let givenUp: Outcome | undefined;

	const succeed = () => {
		successes++;
		failuresInARow = 0;
		failedProbes = undefined;
		probesLeft = Infinity;
	};

	return {
		successes: () => successes,
		isDown: () => failedProbes !== undefined,
		isExhausted: () => probesLeft <= 0,
		givenUp: () => givenUp,
		succeed,
		fail: (outcome, { isProbe, isSpent }) => {
			const isRateLimit = isTooManyRequests(outcome);
			if (failedProbes === undefined) {
				if (!isRateLimit) failuresInARow++;
				if (!isSpent && failuresInARow < failuresOfAnOutage) return 0;
				failedProbes = 0;
			} else if (isProbe) {
				failedProbes++;
				const fewest = isRateLimit ? FEWEST_PROBES_OF_A_RATE_LIMIT : FEWEST_PROBES;
				probesLeft = Math.max(fewest, maxRetries) - failedProbes;
				if (probesLeft <= 0) return 0;
			} else {
				// It was under way when the service went down, and says nothing new.
				return 0;
			}
			return probeDelay(failedProbes, outcome);
		},
		blameRequests: () => {
			failuresOfAnOutage *= 10;
			succeed();
		},
		giveUp: (lastProbe) => {
			givenUp = lastProbe;
		},
	};
}
