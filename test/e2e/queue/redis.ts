import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../../n8n/ports';
import { start, stop } from '../../n8n/processes';
import { waitUntilReady } from '../../n8n/waiting';

const run = promisify(execFile);
const HOST = '127.0.0.1';

/** Starts a new Redis server that keeps everything in memory. */
export async function startRedis(folder: string) {
	const port = await freePort('n8n');
	const logFile = join(folder, 'redis.log');
	const args = ['--port', String(port), '--bind', HOST, '--save', '', '--appendonly', 'no'];
	const server = start('redis-server', args, { cwd: folder, env: process.env, logFile });
	await waitUntilReady(server, logFile, async () => {
		await run('redis-cli', ['-h', HOST, '-p', String(port), 'ping']);
	});
	return {
		/** The settings of n8n for this server. */
		env: { QUEUE_BULL_REDIS_HOST: HOST, QUEUE_BULL_REDIS_PORT: String(port) },
		logFile,
		stop: async () => await stop(server),
	};
}
