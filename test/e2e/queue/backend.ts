import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasEnded, stop } from '../../n8n/processes';
import { tail } from '../../n8n/steps';

/** A server that n8n needs in queue mode. */
export interface Backend {
	/** The settings of n8n for this server. */
	env: Record<string, string>;
	logFile: string;
	stop: () => Promise<void>;
}

const TIMEOUT_MS = 30_000;
const POLL_MS = 100;
const LOG_TAIL_LINES = 20;

/** Waits until a check of a started server succeeds. */
export async function waitUntilReady(
	server: ChildProcess,
	logFile: string,
	check: () => Promise<void>,
): Promise<void> {
	const deadline = Date.now() + TIMEOUT_MS;
	for (;;) {
		const problem = await check().then(
			() => undefined,
			(error: unknown) => error,
		);
		if (problem === undefined) return;
		if (hasEnded(server) || Date.now() > deadline) {
			await stop(server);
			throw new Error(
				`${server.spawnfile} did not start: ${String(problem)}. Its log ends with:\n` +
					(await tail(logFile, LOG_TAIL_LINES)),
			);
		}
		await sleep(POLL_MS);
	}
}
