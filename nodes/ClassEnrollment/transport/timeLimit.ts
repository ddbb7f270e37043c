// Node.js treats a longer time as no time at all.
const MAX_MS = 2 ** 31 - 1;

/**
 * Returns a function that runs a task, and ends it when its time is over or the signal aborts. n8n's own timeout only
 * limits silence.
 * @param milliseconds at most how long a task takes
 */
export function createTimeLimit(
	milliseconds: number,
	cancelSignal?: AbortSignal,
): <Result>(
	task: (signal: AbortSignal) => Promise<Result>,
	toResult: (isCancelled: boolean) => Result,
) => Promise<Result> {
	// One listener for all tasks, since Node.js warns of many.
	const running = new Set<() => void>();
	cancelSignal?.addEventListener('abort', () => running.forEach((end) => end()));
	return async (task, toResult) => {
		const controller = new AbortController();
		const timeout = AbortSignal.timeout(Math.min(milliseconds, MAX_MS));
		let end!: () => void;
		// Some requests do not end with their signal.
		const ended = new Promise<ReturnType<typeof toResult>>((resolve) => {
			end = () => {
				resolve(toResult(cancelSignal?.aborted === true));
				controller.abort();
			};
		});
		running.add(end);
		timeout.addEventListener('abort', end);
		if (cancelSignal?.aborted) end();
		return await Promise.race([task(controller.signal), ended]).finally(() => {
			running.delete(end);
			timeout.removeEventListener('abort', end);
		});
	};
}
