import { sleep } from 'n8n-workflow';
import type { Breaker } from './breaker';
import type { Pace } from './pace';

/** The line in which the requests of a run wait until they start. */
export type Line = ReturnType<typeof createLine>;

/**
 * Creates a line of which so many may be in flight. The first one goes next; but while requests fail, the last one, since
 * what is wrong with those at the head may not be wrong with all.
 * @param signal aborts at the end of the run: then all that wait start at once, so that each notices
 */
export function createLine(max: number, pace: Pace, breaker: Breaker, signal: AbortSignal) {
	/** Those that were never sent. */
	const fresh: Array<() => void> = [];
	/** Behind them, those to be sent again. */
	const again: Array<() => void> = [];
	let inFlight = 0;
	/** How many may be in flight. */
	let limit = max;
	let hasAlarm = false;
	// One listener for all that wait, since Node.js warns of many.
	const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));

	const wait = async (milliseconds: number) => {
		if (milliseconds <= 0 || signal.aborted) return;
		await Promise.race([sleep(milliseconds), ended]);
	};
	// One failure may be chance. After more, the last one shows whether what is wrong is wrong with all.
	const takeNext = (line: Array<() => void>) =>
		breaker.failures() < 2 ? line.shift()! : line.pop()!;
	const startNext = () => {
		while (fresh.length + again.length > 0 && (signal.aborted || inFlight < limit)) {
			const waitMs = signal.aborted ? 0 : breaker.pace() || pace();
			if (waitMs > 0) return setAlarm(waitMs);
			inFlight++;
			takeNext(fresh.length > 0 ? fresh : again)();
		}
	};
	const setAlarm = (milliseconds: number) => {
		if (hasAlarm) return;
		hasAlarm = true;
		void wait(milliseconds).then(() => {
			hasAlarm = false;
			startNext();
		});
	};
	void ended.then(startNext);

	return {
		/** Waits this many milliseconds, and then until it may start. */
		take: async (waitMs: number, isAgain: boolean) => {
			await wait(waitMs);
			await new Promise<void>((start) => {
				(isAgain ? again : fresh).push(start);
				startNext();
			});
		},
		/** Frees the place. */
		leave: () => {
			inFlight--;
			startNext();
		},
		/** Lets one request at a time be in flight. */
		slowDown: () => {
			limit = 1;
		},
		/** Lets one more be in flight, up to the maximum. */
		speedUp: () => {
			limit = Math.min(max, limit + 1);
		},
	};
}
