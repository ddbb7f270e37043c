import { createLimiter } from './limiter';
import type { RequestSettings } from './requestOptions';
import { wait } from './wait';

/**
 * Does a task for every entry in their order, with the pauses of n8n's Batching setting. A task begins only when
 * requests have room, so that after a failure the rest need not begin at all. Ends when all that began have ended.
 * @param over aborts when nothing more is to begin
 */
export async function startEach<Entry>(
	entries: Entry[],
	{ maxConcurrentRequests, batch }: Pick<RequestSettings, 'maxConcurrentRequests' | 'batch'>,
	over: AbortSignal,
	task: (entry: Entry) => Promise<void>,
): Promise<void> {
	const { run } = createLimiter(maxConcurrentRequests);
	const started: Array<Promise<void>> = [];
	for (const entry of entries) {
		const isNewBatch = started.length > 0 && started.length % batch.size === 0;
		if (batch.intervalMs > 0 && isNewBatch) await wait(batch.intervalMs, over).catch(() => {});
		if (over.aborted) break;
		started.push(
			run(async () => {
				if (!over.aborted) await task(entry);
			}),
		);
	}
	await Promise.all(started);
}
