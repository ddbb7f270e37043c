import { sleep } from 'n8n-workflow';

/** Returns how long until a request may start, in milliseconds; with 0, it takes its turn. */
export type Pace = () => number;

/** So many requests may start in each interval, as n8n's Batching asks. */
export function createPace(size: number, intervalMs: number): Pace {
	let left = 0;
	let nextAt = 0;
	return () => {
		const now = performance.now();
		if (now >= nextAt) {
			left = size;
			nextAt = now + intervalMs;
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
		if (milliseconds > 0 && !signal.aborted) await Promise.race([sleep(milliseconds), ended]);
	};
	/** Returns how long until the next one may start; with 0, it takes its turn. */
	const untilNext = () => {
		if (signal.aborted) return 0;
		const pauseMs = pausedUntil - performance.now();
		return pauseMs > 0 ? pauseMs : pace();
	};
	const startNext = () => {
		while (waiting.length > 0 && (signal.aborted || inFlight < limit)) {
			const waitMs = untilNext();
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
		/** Waits until another request may start in the place of one. */
		takeAgain: async () => {
			for (let ms = untilNext(); ms > 0; ms = untilNext()) await wait(ms);
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
		/** Lets one more request be in flight, up to the maximum. */
		speedUp: () => {
			limit = Math.min(max, limit + 1);
		},
	};
}
