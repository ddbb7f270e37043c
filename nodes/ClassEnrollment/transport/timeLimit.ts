// Node.js treats a longer time as no time at all.
const MAX_MS = 2 ** 31 - 1;

/**
 * Runs a task, and ends it when its time is over or the signal aborts. n8n's own timeout only limits silence.
 * @param milliseconds at most how long the task takes
 * @param toResult returns what comes of a task that was ended
 */
export async function limitTime<Result>(
	milliseconds: number,
	cancelSignal: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<Result>,
	toResult: (isCancelled: boolean) => Result,
): Promise<Result> {
	const timeout = AbortSignal.timeout(Math.min(milliseconds, MAX_MS));
	const signal = AbortSignal.any(cancelSignal ? [timeout, cancelSignal] : [timeout]);
	let end = () => {};
	// Some tasks do not end with their signal.
	const ended = new Promise<Result>((resolve) => {
		end = () => resolve(toResult(cancelSignal?.aborted === true));
	});
	signal.addEventListener('abort', end);
	if (signal.aborted) end();
	// A signal with a listener stays in memory until its time is over.
	const release = () => signal.removeEventListener('abort', end);
	return await Promise.race([ended, task(signal)]).finally(release);
}
