import { sleep } from 'n8n-workflow';

/** The end of a run, after which nothing more is sent. */
export type RunEnd = ReturnType<typeof createRunEnd>;

/**
 * @param signal aborts at the end
 * @param onFailedWrite called when a write has failed for good, before another request takes its place
 */
export function createRunEnd(signal: AbortSignal, onFailedWrite = () => {}) {
	// One listener for all that wait, since Node.js warns of many.
	const ended = new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve());
	});
	/** Waits this many milliseconds, but not beyond the end. */
	const wait = async (milliseconds: number) => {
		if (milliseconds > 0) await Promise.race([sleep(milliseconds), ended]);
	};
	return { hasEnded: () => signal.aborted, ended, wait, onFailedWrite };
}
