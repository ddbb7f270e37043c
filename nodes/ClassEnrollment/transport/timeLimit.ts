/** Node.js treats a longer time as no time at all. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs a task, and ends it when its time is over, or when it is cancelled. */
export type TimeLimit = ReturnType<typeof createTimeLimit>;

/**
 * Limits the time of tasks, since n8n's own timeout only limits silence. They share one timer and one listener: with those
 * of its own, a request would take half as long again.
 * @param milliseconds at most how long a task takes
 * @param cancelSignal ends all tasks when it aborts
 */
export function createTimeLimit(milliseconds: number, cancelSignal: AbortSignal) {
	/** When each task ends, on the clock that never jumps, by the function that ends it; the first one first. */
	const running = new Map<(isCancelled: boolean) => void, number>();
	let hasAlarm = false;

	const setAlarm = () => {
		const [endsAt] = running.values();
		if (hasAlarm || endsAt === undefined) return;
		hasAlarm = true;
		const ms = Math.min(Math.max(0, Math.ceil(endsAt - performance.now())), LONGEST_TIMER_MS);
		// Unlike a sleep, it does not keep n8n from ending.
		AbortSignal.timeout(ms).addEventListener('abort', () => {
			hasAlarm = false;
			for (const [end, at] of running) if (at <= performance.now()) end(false);
			setAlarm();
		});
	};
	cancelSignal.addEventListener('abort', () => {
		for (const end of running.keys()) end(true);
	});

	/**
	 * @param task is told to end by its signal, which some tasks do not heed
	 * @param toResult returns what comes of a task that was ended
	 */
	return async <Result>(
		task: (signal: AbortSignal) => Promise<Result>,
		toResult: (isCancelled: boolean) => Result,
	): Promise<Result> => {
		const controller = new AbortController();
		return await new Promise<Result>((resolve, reject) => {
			const end = (isCancelled: boolean) => {
				running.delete(end);
				resolve(toResult(isCancelled));
				controller.abort();
			};
			running.set(end, performance.now() + milliseconds);
			setAlarm();
			const release = () => running.delete(end);
			task(controller.signal).finally(release).then(resolve, reject);
		});
	};
}
