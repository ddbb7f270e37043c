/** Claims the start of a request; returns 0, or how long it takes until one may be claimed, in milliseconds. */
export type Pace = () => number;

/** Creates the pace of n8n's Batching: so many requests may start in each interval. */
export function createPace(batchSize: number, batchIntervalMs: number): Pace {
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
