import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { jsonOf } from '../n8n/executions';
import { startN8n } from '../n8n/server';
import { itemsNodes } from '../n8n/workflows';
import { byId, ONE_BY_ONE, PYTHON, rows } from '../workflow/operations';
import { startPostgresql } from './queue/postgresql';
import { startRedis } from './queue/redis';
import { retry } from './retry';
import { NODE, runChain, student } from './workflows';
import {
	keepLogOnFailure,
	preparation,
	startAll,
	startWorld,
	temporaryFolder,
	useWorld,
} from './world';

/** Starts n8n in queue mode: a main process, and a worker that runs all executions. */
const cluster = useWorld(
	async () =>
		await startAll(async (cleanUps) => {
			const folder = await temporaryFolder(cleanUps);
			const env: Record<string, string> = {
				EXECUTIONS_MODE: 'queue',
				OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
				N8N_ENCRYPTION_KEY: randomUUID(),
			};
			for (const startBackend of [startRedis, startPostgresql]) {
				const backend = await startBackend(folder);
				Object.assign(env, backend.env);
				cleanUps.push(backend.stop, keepLogOnFailure(backend));
			}
			const world = await startWorld({ env });
			cleanUps.push(world.stop);
			const options = { command: 'worker' as const, userFolder: world.userFolder, env };
			const worker = await startN8n(preparation().n8n, options);
			cleanUps.push(worker.stop, keepLogOnFailure(worker));
			return { ...world, worker };
		}),
);

test('in queue mode, a worker does what is left after a failure', async () => {
	cluster.service.classes.addClass(PYTHON);
	cluster.service.temper = { failWith: { status: 400, times: 1, only: isLastBatch } };
	const parameters = { classId: byId(PYTHON.id), ...ONE_BY_ONE, options: { batchSize: 2 } };
	const addMany = student('addManyToClass', parameters);
	const failed = await runChain(cluster, [...itemsNodes(rows(6)), addMany]);
	expect(failed.status).toBe('error');
	const retried = await retry(cluster.session, failed, false);
	expect(jsonOf(retried, NODE)).toMatchObject(rows(6));
	expect(cluster.service.requests.map(({ status }) => status)).toEqual([200, 200, 400, 200]);
	const log = await readFile(cluster.worker.logFile, 'utf8');
	expect(log.split('Worker finished execution')).toHaveLength(3);
});

const isLastBatch = ({ body }: { body: unknown }) =>
	JSON.stringify(body).includes(rows(6)[5]!.email);
