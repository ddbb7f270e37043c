import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { startN8n, type N8nServer } from '../../n8n/server';
import { PATIENCE_MS } from '../../n8n/waiting';
import { keepLogOnFailure, preparation, startAll, startWorld, temporaryFolder } from '../world';
import { startPostgresql } from './postgresql';
import { startRedis } from './redis';

/** Starts n8n in queue mode: a main process and two workers, on Redis and PostgreSQL. */
export async function startCluster() {
	return await startAll(async (cleanUps) => {
		const folder = await temporaryFolder(cleanUps);
		const env: Record<string, string> = {
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomUUID(),
			// Simultaneous calls have to wait for a connection to the database.
			DB_POSTGRESDB_POOL_SIZE: '10',
			DB_POSTGRESDB_CONNECTION_TIMEOUT: String(PATIENCE_MS),
			DB_PING_TIMEOUT_MS: String(PATIENCE_MS),
			// n8n notices a dead worker sooner than by default, but does not take a busy one for dead.
			QUEUE_WORKER_LOCK_DURATION: '30000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
			QUEUE_WORKER_STALLED_INTERVAL: '2000',
		};
		for (const startBackend of [startRedis, startPostgresql]) {
			const backend = await startBackend(folder);
			Object.assign(env, backend.env);
			cleanUps.push(backend.stop, keepLogOnFailure(backend));
		}
		const world = await startWorld({ env });
		cleanUps.push(world.stop);

		// Workers need the tables that the main process creates.
		const { userFolder } = world;
		const workers = await Promise.all(
			[1, 2].map(async () => {
				const options = { command: 'worker' as const, userFolder, env };
				const worker = await startN8n(preparation().n8n, options);
				cleanUps.push(worker.stop, keepLogOnFailure(worker));
				return worker;
			}),
		);
		return { ...world, workers };
	});
}

/** How many executions a worker has finished, according to its log. */
export async function countFinished({ logFile }: N8nServer): Promise<number> {
	const log = await readFile(logFile, 'utf8');
	return log.split('Worker finished execution').length - 1;
}
