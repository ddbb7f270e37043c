import { sleep } from 'n8n-workflow';

export interface RequestQueue {
	/** Runs a task as soon as there is room for it. */
	run: <Result>(task: () => Promise<Result>) => Promise<Result>;
	/** Starts nothing for this many milliseconds. */
	pause: (milliseconds: number) => void;
	/** Lets more or fewer tasks run at the same time: a few more up to the maximum, half as many, or only one. */
	changeLoad: (load: 'more' | 'same' | 'half' | 'one') => void;
}

/**
 * Runs tasks in order of arrival, at most `max` at a time.
 * @param over aborts when nothing more is to wait: all waiting tasks start at once, so that each notices it
 */
export function createRequestQueue(max: number, over: AbortSignal): RequestQueue {
	const waiting: Array<() => void> = [];
	let allowed = max;
	let running = 0;
	let pausedUntil = 0;

	const isPaused = () => Date.now() < pausedUntil;

	function startNext(): void {
		while (over.aborted || (!isPaused() && running < Math.floor(allowed))) {
			const start = waiting.shift();
			if (!start) return;
			running++;
			start();
		}
	}

	async function startAfterPause(): Promise<void> {
		while (isPaused()) await sleep(pausedUntil - Date.now());
		startNext();
	}

	over.addEventListener('abort', startNext);
	return {
		run: async (task) => {
			await new Promise<void>((start) => {
				waiting.push(start);
				startNext();
			});
			try {
				return await task();
			} finally {
				running--;
				startNext();
			}
		},
		pause: (milliseconds) => {
			pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
			void startAfterPause();
		},
		changeLoad: (load) => {
			if (load === 'more') allowed = Math.min(max, allowed + 1 / allowed);
			if (load === 'one') allowed = 1;
			// Requests that are deferred together count as one.
			if (load === 'half' && !isPaused()) allowed = Math.max(1, allowed / 2);
		},
	};
}
