import { sleep } from 'n8n-workflow';

// Node.js treats a longer time as no time at all.
const MAX_MS = 2 ** 31 - 1;
// One timer serves all requests that begin within this part of the time limit: one for each would take longer than
// everything else about a request.
const SHARE_OF_TIMER = 0.01;

type End = (isCancelled: boolean) => void;

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
	const limit = Math.min(milliseconds, MAX_MS);
	const running = new Set<End>();
	let latest: Set<End> | undefined;

	const startTimer = () => {
		const ends = new Set<End>();
		void sleep(limit * SHARE_OF_TIMER).then(() => (latest = undefined));
		void sleep(limit).then(() => ends.forEach((end) => end(false)));
		return ends;
	};

	cancelSignal?.addEventListener('abort', () => running.forEach((end) => end(true)));
	return async (task, toResult) => {
		const timer = (latest ??= startTimer());
		const controller = new AbortController();
		let end!: End;
		// Some requests do not end with their signal.
		const ended = new Promise<ReturnType<typeof toResult>>((resolve) => {
			end = (isCancelled) => {
				resolve(toResult(isCancelled));
				controller.abort();
			};
		});
		timer.add(end);
		running.add(end);
		if (cancelSignal?.aborted) end(true);
		return await Promise.race([task(controller.signal), ended]).finally(() => {
			timer.delete(end);
			running.delete(end);
		});
	};
}
