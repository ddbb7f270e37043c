import type { RunEnd } from './runEnd';

/** Lets requests through in order of arrival, up to a maximum at a time. */
export interface RequestQueue {
	/** Waits this many milliseconds, and then for a free place. Returns at once when the run is over. */
	enter: (waitMs: number) => Promise<void>;
	/** Frees the place. */
	leave: () => void;
	/** Lets nothing through for this many milliseconds, and then one request at a time. */
	pause: (milliseconds: number) => void;
	/** Lets one more request through at the same time, up to the maximum. */
	speedUp: () => void;
}

/** Creates the queue of a run. When it ends, all waiting requests enter at once, so that each notices. */
export function createRequestQueue(max: number, { hasEnded, ended, wait }: RunEnd): RequestQueue {
	const waiting: Array<() => void> = [];
	let allowed = max;
	let inFlight = 0;
	let pauses = 0;

	const letThrough = () => {
		while (waiting.length > 0 && (hasEnded() || (pauses === 0 && inFlight < allowed))) {
			inFlight++;
			waiting.shift()!();
		}
	};

	void ended.then(letThrough);
	return {
		enter: async (waitMs) => {
			await wait(waitMs);
			await new Promise<void>((enter) => {
				waiting.push(enter);
				letThrough();
			});
		},
		leave: () => {
			inFlight--;
			letThrough();
		},
		pause: (milliseconds) => {
			allowed = 1;
			pauses++;
			void wait(milliseconds).then(() => {
				pauses--;
				letThrough();
			});
		},
		speedUp: () => {
			allowed = Math.min(max, allowed + 1);
		},
	};
}
