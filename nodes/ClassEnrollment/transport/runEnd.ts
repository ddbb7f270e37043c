import { sleep } from 'n8n-workflow';

/** The end of a run, after which nothing more is sent. */
export interface RunEnd {
	hasEnded: () => boolean;
	/** Resolves at the end. */
	ended: Promise<void>;
	/** Waits this many milliseconds, but not beyond the end. */
	wait: (milliseconds: number) => Promise<void>;
	/** Called when a write has failed for good, before another request takes its place. */
	onFailedWrite: () => void;
}

/** @param signal aborts at the end */
export function createRunEnd(signal: AbortSignal, onFailedWrite = () => {}): RunEnd {
	// One listener for all that wait, since Node.js warns of many.
	const ended = new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve());
	});
	const wait = async (milliseconds: number) => {
		if (milliseconds > 0) await Promise.race([sleep(milliseconds), ended]);
	};
	return { hasEnded: () => signal.aborted, ended, wait, onFailedWrite };
}
