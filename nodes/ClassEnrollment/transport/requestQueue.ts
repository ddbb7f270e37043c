import { sleep } from 'n8n-workflow';

/** How many tasks may run at the same time: a few more up to the maximum, as many, half as many, or only one. */
export type Load = 'more' | 'same' | 'half' | 'one';

export interface RequestQueue {
	/** Runs a task as soon as there is room for it. */
	run: <Result>(task: () => Promise<Result>) => Promise<Result>;
	/** Starts nothing for this many milliseconds; returns when that is over. */
	pause: (milliseconds: number) => Promise<void>;
	changeLoad: (load: Load) => void;
}

/**
 * Runs tasks in order of arrival, at most `max` at a time.
 * @param endSignal aborts when nothing more is to wait: all waiting tasks start at once, so that each notices it
 */
export function createRequestQueue(max: number, endSignal: AbortSignal): RequestQueue {
	const waiting: Array<() => void> = [];
	let allowed = max;
	let running = 0;
	let pausedUntil = 0;

	const isPaused = () => Date.now() < pausedUntil;
	const startNext = () => {
		while (endSignal.aborted || (!isPaused() && running < Math.floor(allowed))) {
			const start = waiting.shift();
			if (!start) return;
			running++;
			start();
		}
	};

	endSignal.addEventListener('abort', startNext);
	return {
		run: async (task) => {
			await new Promise<void>((start) => {
				waiting.push(start);
				startNext();
			});
			return await task().finally(() => {
				running--;
				startNext();
			});
		},
		pause: async (milliseconds) => {
			pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
			while (isPaused()) await sleep(pausedUntil - Date.now());
			startNext();
		},
		changeLoad: (load) => {
			// Requests that are deferred together count as one.
			if (load !== 'half' || !isPaused()) allowed = changed(allowed, load, max);
		},
	};
}

function changed(allowed: number, load: Load, max: number): number {
	if (load === 'more') return Math.min(max, allowed + 1 / allowed);
	if (load === 'half') return Math.max(1, allowed / 2);
	return load === 'one' ? 1 : allowed;
}
