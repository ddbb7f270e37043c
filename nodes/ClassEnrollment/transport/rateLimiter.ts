/** How many requests may start in each interval: n8n's Batching. */
export interface Batching {
	size: number;
	intervalMs: number;
}

/** Allows a request to start now and returns 0, or returns after how many milliseconds to ask again. */
export type RateLimiter = () => number;

/** Creates a limiter that all requests share that are to keep within the limit together. */
export function createRateLimiter({ size, intervalMs }: Batching): RateLimiter {
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
