export interface Limiter {
	/** Runs a task as soon as there is room; the more often it was tried before, the sooner. */
	run: <Result>(task: () => Promise<Result>, triedBefore?: number) => Promise<Result>;
	/** Lets fewer tasks run at the same time, as after a refusal for their number. */
	slowDown: () => void;
	/** Lets a few more tasks run, up to the most allowed, as after a success. */
	speedUp: () => void;
}

/** Keeps tasks in the order in which they come, at most `most` of them running at the same time. */
export function createLimiter(most: number): Limiter {
	const tried: Array<{ start: () => void; triedBefore: number }> = [];
	const waiting: Array<() => void> = [];
	let firstWaiting = 0;
	let allowed = most;
	let running = 0;

	function startNext(): void {
		while (running < Math.floor(allowed)) {
			const start = tried.shift()?.start ?? waiting[firstWaiting++];
			if (!start) {
				waiting.length = firstWaiting = 0;
				return;
			}
			running++;
			start();
		}
	}

	return {
		run: async (task, triedBefore = 0) => {
			await new Promise<void>((start) => {
				if (triedBefore === 0) waiting.push(start);
				else {
					tried.push({ start, triedBefore });
					tried.sort((a, b) => b.triedBefore - a.triedBefore);
				}
				startNext();
			});
			try {
				return await task();
			} finally {
				running--;
				startNext();
			}
		},
		slowDown: () => {
			allowed = Math.max(1, allowed / 2);
		},
		speedUp: () => {
			allowed = Math.min(most, allowed + 1 / allowed);
		},
	};
}
