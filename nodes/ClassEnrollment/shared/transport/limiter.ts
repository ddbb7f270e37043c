export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Runs tasks in the order they come, at most `most` of them at the same time. */
export function createLimiter(most: number): Limiter {
	const waiting: Array<() => void> = [];
	let free = most;

	return async (task) => {
		if (free > 0) free--;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await task();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free++;
		}
	};
}
