/** Allows a request to start now and returns 0, or returns after how many milliseconds to ask again. */
export type RateLimiter = () => number;

/** Creates the limit of n8n's Batching: so many requests may start in each interval. */
export function createRateLimiter(batchSize: number, batchIntervalMs: number): RateLimiter {
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
