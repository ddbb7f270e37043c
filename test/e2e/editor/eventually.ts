import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 15_000;
const POLL_MS = 100;

/** Repeats a check until it passes, and returns its value. Throws its last error if it does not pass in time. */
export async function eventually<T>(
	check: () => Promise<T> | T,
	timeoutMs = TIMEOUT_MS,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await sleep(POLL_MS);
		}
	}
}
