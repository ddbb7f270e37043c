import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 15_000;
const POLL_MS = 100;

/** Repeats a check until it passes; what it throws at last is the failure. */
export async function eventually(
	check: () => Promise<void> | void,
	patienceMs = PATIENCE_MS,
): Promise<void> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await sleep(POLL_MS);
		}
	}
}
