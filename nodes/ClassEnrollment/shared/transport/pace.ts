import { createLimiter } from './limiter';
import type { RequestSettings } from './requestOptions';
import { wait } from './wait';

export type Pace = Pick<RequestSettings, 'maxConcurrentRequests' | 'batch'>;

/**
 * Does a task for every entry, in their order, not more at a time than requests may be in flight and with the
 * pauses of n8n's Batching setting. Ends when all have ended.
 * @throws CancelledError where `signal` aborts during a pause
 */
export async function startEach<Entry>(
	entries: Entry[],
	{ maxConcurrentRequests, batch }: Pace,
	signal: AbortSignal | undefined,
	task: (entry: Entry) => Promise<void>,
): Promise<void> {
	const limit = createLimiter(maxConcurrentRequests);
	const started: Array<Promise<void>> = [];
	for (const entry of entries) {
		if (batch.intervalMs > 0 && started.length > 0 && started.length % batch.size === 0) {
			await wait(batch.intervalMs, signal);
		}
		started.push(limit(async () => await task(entry)));
	}
	await Promise.all(started);
}
