import { delay } from './delay';

/** How many tasks may run at the same time, and n8n's Batching setting: a pause after so many starts. */
export interface Pace {
	maxConcurrentRequests: number;
	batch: { size: number; intervalMs: number };
}

/**
 * Runs a task for each entry, in their order. A worker takes its next entry only when its last task has ended, so
 * that a task that aborts `over` keeps every later one from starting. Returns when all started tasks have ended.
 * @param over aborts when nothing more is to start
 */
export async function startEach<Entry>(
	entries: Entry[],
	{ maxConcurrentRequests, batch }: Pace,
	over: AbortSignal,
	task: (entry: Entry) => Promise<void>,
): Promise<void> {
	let started = 0;
	let turn = Promise.resolve();

	// Only where there is a pause: without one, a worker need not wait for its turn.
	const pauseBetweenBatches = async (index: number) => {
		if (batch.intervalMs === 0) return;
		if (index > 0 && index % batch.size === 0) {
			turn = turn.then(async () => await delay(batch.intervalMs, over).catch(() => {}));
		}
		await turn;
	};

	const work = async () => {
		while (started < entries.length && !over.aborted) {
			const index = started++;
			await pauseBetweenBatches(index);
			if (!over.aborted) await task(entries[index]!);
		}
	};
	const workers = Math.min(maxConcurrentRequests, entries.length);
	await Promise.all(Array.from({ length: workers }, work));
}
