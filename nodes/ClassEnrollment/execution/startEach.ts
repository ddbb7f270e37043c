import { delay } from '../transport/delay';
import type { Session } from '../connection/session';

/**
 * Runs a task for each entry, in their order, with the concurrency and the pauses of the settings. A worker takes its
 * next entry only when its last task has ended, so that a task that stops the session keeps every later one from
 * starting. Returns when all started tasks have ended.
 */
export async function startEach<Entry>(
	entries: Entry[],
	{ settings, endSignal }: Session,
	task: (entry: Entry) => Promise<void>,
): Promise<void> {
	if (entries.length === 0) return;
	const { maxConcurrentRequests, batch } = settings();
	let started = 0;
	let turn = Promise.resolve();

	// Only if there is a pause: without one, a worker need not wait for its turn.
	const pauseBetweenBatches = async (index: number) => {
		if (batch.intervalMs === 0) return;
		if (index > 0 && index % batch.size === 0) {
			turn = turn.then(async () => await delay(batch.intervalMs, endSignal).catch(() => {}));
		}
		await turn;
	};

	const work = async () => {
		while (started < entries.length && !endSignal.aborted) {
			const index = started++;
			await pauseBetweenBatches(index);
			if (!endSignal.aborted) await task(entries[index]!);
		}
	};
	const workers = Math.min(maxConcurrentRequests, entries.length);
	await Promise.all(Array.from({ length: workers }, work));
}
