import type { Pace } from './pace';
import type { RunEnd } from './runEnd';

/** Lets requests through in order of arrival, up to a maximum at a time and no faster than a pace. */
export type RequestQueue = ReturnType<typeof createRequestQueue>;

/** Creates the queue of a run. When it ends, all waiting requests enter at once, so that each notices. */
export function createRequestQueue(max: number, pace: Pace, { hasEnded, ended, wait }: RunEnd) {
	const waiting: Array<() => void> = [];
	let allowed = max;
	let taken = 0;
	let isPaced = false;

	const isTime = () => {
		const waitMs = isPaced ? 0 : pace();
		if (waitMs > 0) {
			isPaced = true;
			void wait(waitMs).then(() => {
				isPaced = false;
				letThrough();
			});
		}
		return !isPaced;
	};
	const letThrough = () => {
		while (waiting.length > 0 && (hasEnded() || (taken < allowed && isTime()))) {
			taken++;
			waiting.shift()!();
		}
	};
	const free = (places: number) => {
		taken -= places;
		letThrough();
	};

	void ended.then(letThrough);
	return {
		/** Waits this many milliseconds, and then for a free place. */
		enter: async (waitMs: number) => {
			await wait(waitMs);
			await new Promise<void>((enter) => {
				waiting.push(enter);
				letThrough();
			});
		},
		/** Frees the place. */
		leave: () => free(1),
		/** Takes all places for this many milliseconds; then one request goes through at a time. */
		pause: (milliseconds: number) => {
			allowed = 1;
			taken += max;
			void wait(milliseconds).then(() => free(max));
		},
		/** Lets one more request through at the same time, up to the maximum. */
		speedUp: () => {
			allowed = Math.min(max, allowed + 1);
		},
	};
}
