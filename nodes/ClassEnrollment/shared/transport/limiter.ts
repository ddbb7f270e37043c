export interface Limiter {
	/** Runs a task as soon as there is room; one in a hurry goes before those that wait. */
	run: <Result>(task: () => Promise<Result>, inAHurry?: boolean) => Promise<Result>;
	/** Lets fewer run at the same time, as after a refusal for their number. */
	slowDown: () => void;
	/** Lets a little more run, up to the most that are allowed, as after a success. */
	speedUp: () => void;
}

/** Keeps tasks in the order they come, and at most `most` of them running at the same time. */
export function createLimiter(most: number): Limiter {
	const hurried: Array<() => void> = [];
	const waiting: Array<() => void> = [];
	let firstWaiting = 0;
	let allowed = most;
	let running = 0;

	function startNext(): void {
		while (running < Math.floor(allowed)) {
			const start = hurried.shift() ?? waiting[firstWaiting++];
			if (!start) {
				waiting.length = firstWaiting = 0;
				return;
			}
			running++;
			start();
		}
	}

	return {
		run: async (task, inAHurry = false) => {
			await new Promise<void>((resolve) => {
				(inAHurry ? hurried : waiting).push(resolve);
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
