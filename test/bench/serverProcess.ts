import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../n8n/ports';
import { hasEnded, start, stop } from '../n8n/processes';
import { tail } from '../n8n/steps';

export interface ServerSettings {
	/** How long every answer takes. */
	latencyMs: number;
	/** How many classes there are. */
	classes: number;
}

/** What the server saw since the last reset. */
export interface ServerRecord {
	requests: number;
	/** How many connections carried them. */
	connections: number;
	/** The most requests that had come and were not answered yet. */
	peakInFlight: number;
	/** How many students, by e-mail address, were added. */
	students: number;
	/** Requests without the token or with a field missing. */
	refused: number;
}

export interface BenchServer {
	baseUrl: string;
	accessToken: string;
	reset: (settings: ServerSettings) => Promise<void>;
	record: () => Promise<ServerRecord>;
	stop: () => Promise<void>;
}

const ACCESS_TOKEN = 'benchmark-access-token';
const START_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

/** Starts the server in a process of its own and waits until it answers. */
export async function startServer(logFile: string): Promise<BenchServer> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const child = start(
		process.execPath,
		['--import', 'tsx', resolve(__dirname, 'server.ts'), String(port), ACCESS_TOKEN],
		{ cwd: resolve(__dirname, '../..'), env: process.env, logFile },
	);

	const record = async () => (await (await fetch(`${url}/bench/record`)).json()) as ServerRecord;
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (!(await record().catch(() => undefined))) {
		if (hasEnded(child) || Date.now() > deadline) {
			await stop(child);
			throw new Error(`The server did not start. Its log ends with:\n${await tail(logFile, 15)}`);
		}
		await sleep(POLL_MS);
	}
	return {
		baseUrl: `${url}/v1`,
		accessToken: ACCESS_TOKEN,
		reset: async (settings) => {
			await fetch(`${url}/bench/reset`, { method: 'POST', body: JSON.stringify(settings) });
		},
		record,
		stop: async () => await stop(child),
	};
}
