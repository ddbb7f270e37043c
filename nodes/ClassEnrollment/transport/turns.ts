import { sleep } from 'n8n-workflow';
import { LONGEST_TIMER_MS } from './timeLimit';

/** Claims the start of a request; returns 0, or how long it takes until one may be claimed, in milliseconds. */
export type Pace = () => number;

/** n8n's Batching: so many requests may start in each interval. */
export interface Batching {
	batchSize: number;
	batchIntervalMs: number;
}

/** Creates the pace of n8n's Batching. */
export function createPace({ batchSize, batchIntervalMs }: Batching): Pace {
	let left = 0;
	let nextAt = 0;
	return () => {
		const now = performance.now();
		if (now >= nextAt) {
			left = batchSize;
			nextAt = now + batchIntervalMs;
		}
		if (left === 0) return nextAt - now;
		left--;
		return 0;
	};
}

/** Lets requests start in order of arrival, so many at a time, no faster than a pace, and not during a pause. */
export type Turns = ReturnType<typeof createTurns>;

/** @param signal aborts at the end of the run: then all that wait start at once, so that each notices */
export function createTurns(max: number, pace: Pace, signal: AbortSignal) {
	const waiting: Array<() => void> = [];
	let limit = max;
	let inFlight = 0;
	let pausedUntil = 0;
	let hasAlarm = false;
	// One listener for all that wait, since Node.js warns of many.
	const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));

	const wait = async (milliseconds: number) => {
		if (milliseconds <= 0 || signal.aborted) return;
		await Promise.race([sleep(Math.min(milliseconds, LONGEST_TIMER_MS)), ended]);
	};
	const startNext = () => {
		while (waiting.length > 0 && (signal.aborted || inFlight < limit)) {
			const pauseMs = Math.max(0, pausedUntil - performance.now());
			const waitMs = signal.aborted ? 0 : pauseMs || pace();
			if (waitMs > 0) return setAlarm(waitMs);
			inFlight++;
			waiting.shift()!();
		}
	};
	const setAlarm = (milliseconds: number) => {
		if (hasAlarm) return;
		hasAlarm = true;
		void wait(milliseconds).then(() => {
			hasAlarm = false;
			startNext();
		});
	};
	void ended.then(startNext);

	return {
		/** Waits this many milliseconds, and then for its turn behind all others. */
		take: async (waitMs: number) => {
			await wait(waitMs);
			await new Promise<void>((start) => {
				waiting.push(start);
				startNext();
			});
		},
		/** Frees the place. */
		leave: () => {
			inFlight--;
			startNext();
		},
		/** Lets nothing start for this many milliseconds, and then one request at a time. */
		pause: (milliseconds: number) => {
			limit = 1;
			pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds);
		},
		/** Ends a pause, whose alarm may still go off without harm, and lets as many be in flight as before it. */
		resume: () => {
			limit = max;
			pausedUntil = 0;
			hasAlarm = false;
			startNext();
		},
		/** Lets one more request be in flight, up to the maximum. */
		speedUp: () => {
			limit = Math.min(max, limit + 1);
		},
	};
}
