import type { RequestSettings } from './requestOptions';
import { wait } from './wait';

/**
 * Starts a task for every entry, with the pauses of n8n's Batching setting, and waits until all have ended.
 * @throws CancelledError where `signal` aborts during a pause
 */
export async function startEach<Entry>(
	entries: Entry[],
	{ size, intervalMs }: RequestSettings['batch'],
	signal: AbortSignal | undefined,
	task: (entry: Entry) => Promise<void>,
): Promise<void> {
	const started: Array<Promise<void>> = [];
	for (const entry of entries) {
		if (intervalMs > 0 && started.length > 0 && started.length % size === 0) {
			await wait(intervalMs, signal);
		}
		started.push(task(entry));
	}
	await Promise.all(started);
}
