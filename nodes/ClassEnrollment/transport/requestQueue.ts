import { sleep } from 'n8n-workflow';

export interface RequestQueue {
	/** Runs a task as soon as there is room for it. */
	run: <Result>(task: () => Promise<Result>, isRetry: boolean) => Promise<Result>;
	/** Whether other tasks are running or waiting besides one that is running. */
	hasOthers: () => boolean;
	/** Starts nothing for so many milliseconds. */
	pause: (milliseconds: number) => void;
	/** Lets fewer tasks run at the same time: half as many, or only one, and then new ones before retries. */
	slowDown: (to: 'half' | 'one') => void;
	/** Lets a few more tasks run, up to the most allowed, and retries before new ones. */
	speedUp: () => void;
}

/**
 * Keeps tasks in the order in which they come, at most `most` of them running at the same time.
 * @param over aborts when nothing more is to wait: all waiting tasks start at once, to find out for themselves
 */
export function createRequestQueue(most: number, over: AbortSignal): RequestQueue {
	const retries: Array<() => void> = [];
	const waiting: Array<() => void> = [];
	let allowed = most;
	let running = 0;
	let pausedUntil = 0;
	let newFirst = false;

	function takeNext(): (() => void) | undefined {
		return newFirst ? (waiting.shift() ?? retries.shift()) : (retries.shift() ?? waiting.shift());
	}

	function startNext(): void {
		const isPaused = Date.now() < pausedUntil;
		while (over.aborted || (!isPaused && running < Math.floor(allowed))) {
			const start = takeNext();
			if (!start) return;
			running++;
			start();
		}
	}

	async function startAfterPause(): Promise<void> {
		while (Date.now() < pausedUntil) await sleep(pausedUntil - Date.now());
		startNext();
	}

	over.addEventListener('abort', startNext);
	return {
		run: async (task, isRetry) => {
			await new Promise<void>((start) => {
				(isRetry ? retries : waiting).push(start);
				startNext();
			});
			try {
				return await task();
			} finally {
				running--;
				startNext();
			}
		},
		hasOthers: () => running > 1 || retries.length + waiting.length > 0,
		pause: (milliseconds) => {
			pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
			void startAfterPause();
		},
		slowDown: (to) => {
			// Requests that are deferred together count as one.
			if (to === 'half' && Date.now() < pausedUntil) return;
			allowed = to === 'one' ? 1 : Math.max(1, allowed / 2);
			newFirst ||= to === 'one';
		},
		speedUp: () => {
			allowed = Math.min(most, allowed + 1 / allowed);
			newFirst = false;
		},
	};
}
