/** Returns how long until a request may start, in milliseconds; with 0, it takes its turn. */
export type Pace = () => number;

/** So many requests may start in each interval, as n8n's Batching asks. */
export function createPace(size: number, intervalMs: number): Pace {
	let left = 0;
	let nextAt = 0;
	return () => {
		const now = Date.now();
		if (now >= nextAt) {
			left = size;
			nextAt = now + intervalMs;
		}
		if (left === 0) return nextAt - now;
		left--;
		return 0;
	};
}
