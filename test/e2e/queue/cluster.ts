import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { startN8n, type N8nServer } from '../../n8n/server';
import { keepLogOnFailure, preparation, startAll, startWorld, temporaryFolder } from '../world';
import { startPostgresql } from './postgresql';
import { startRedis } from './redis';

/**
 * Starts n8n in queue mode: a main process and workers, on Redis and PostgreSQL. `settings` are additional settings of
 * n8n.
 */
export async function startCluster(workerCount: number, settings: Record<string, string>) {
	return await startAll(async (cleanUps) => {
		const folder = await temporaryFolder(cleanUps);
		const env: Record<string, string> = {
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomUUID(),
			...settings,
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
			Array.from({ length: workerCount }, async () => {
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
