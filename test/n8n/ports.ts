import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
// Below the ports that systems give out by themselves. Others than n8n's for the stand-in: n8n takes a port only when it
// has started, and who waits for it would ask the stand-in meanwhile.
const FIRST = { n8n: 10_000, standIn: 20_000 };
const COUNT = 150;
/** More than there are workers: each takes only every 64th port, so that it never gets one that another has freed. */
const WORKERS = 64;
const { STRYKER_MUTATOR_WORKER, JEST_WORKER_ID, N8N_MODULES } = process.env;
// A test that runs others has a worker of the same number as theirs.
const worker =
	(Number(STRYKER_MUTATOR_WORKER ?? JEST_WORKER_ID ?? 0) + (N8N_MODULES ? 32 : 0)) % WORKERS;
// Several test runs on one machine begin at different ports.
let turn = randomInt(COUNT);

/** Finds a free port, and not soon the same one again. */
export async function freePort(of: keyof typeof FIRST): Promise<number> {
	const port = FIRST[of] + (turn++ % COUNT) * WORKERS + worker;
	return (await isFree(port)) ? port : await freePort(of);
}

/** Whether a port is free. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	try {
		await once(server.listen(port, HOST), 'listening');
	} catch {
		return false;
	}
	server.close();
	await once(server, 'close');
	return true;
}
