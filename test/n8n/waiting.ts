import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasEnded, stop } from './processes';
import { tail } from './steps';

/** How long anything may take. A slow machine is no failure, but what takes longer than this hangs. */
export const PATIENCE_MS = 300_000;
const POLL_MS = 100;

/** Repeats a check until it passes, and returns its value. Throws its last error if it never does. */
export async function eventually<T>(check: () => Promise<T> | T): Promise<T> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await sleep(POLL_MS);
		}
	}
}

/** Asks until there is an answer. Unlike `eventually`, it does not ask again after an error. */
export async function answerOf<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`${what} takes longer than ${PATIENCE_MS} ms.`);
		await sleep(POLL_MS);
	}
}

/** Waits until a check of a started server succeeds. */
export async function waitUntilReady(
	server: ChildProcess,
	logFile: string,
	check: () => Promise<unknown>,
): Promise<void> {
	try {
		await eventually(async () => hasEnded(server) || (await check()));
		if (hasEnded(server)) throw new Error('it ended');
	} catch (error) {
		await stop(server);
		throw new Error(
			`${server.spawnargs.join(' ')} did not start: ${String(error)}. Its log ends with:\n` +
				(await tail(logFile)),
		);
	}
}
