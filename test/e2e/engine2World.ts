import { randomUUID } from 'node:crypto';

import { freePort } from '../n8n/ports';
import { startPostgresql } from './queue/postgresql';
import { keepLogOnFailure, startAll, startWorld, temporaryFolder, type World } from './world';

/** Starts an n8n that has both engines. Engine 2.0 keeps its executions in PostgreSQL. */
export async function startEngine2World(): Promise<World> {
	return await startAll(async (cleanUps) => {
		const database = await startPostgresql(await temporaryFolder(cleanUps));
		cleanUps.push(database.stop, keepLogOnFailure(database));
		const { DB_POSTGRESDB_HOST: host, DB_POSTGRESDB_PORT: port } = database.env;
		const { DB_POSTGRESDB_USER: user, DB_POSTGRESDB_DATABASE: name } = database.env;
		const world = await startWorld({
			env: {
				// As in the workflow tests, whose table of operations these tests use.
				GENERIC_TIMEZONE: 'America/Sao_Paulo',
				N8N_ENABLED_MODULES: 'engine-v2',
				N8N_ENGINE_DATABASE_URL: `postgres://${user}@${host}:${port}/${name}`,
				N8N_ENGINE_AUTH_SECRET: randomUUID(),
				N8N_ENGINE_HOST: '127.0.0.1',
				N8N_ENGINE_PORT: String(await freePort()),
				N8N_ENGINE_CONTROL_PLANE_PORT: String(await freePort()),
			},
		});
		cleanUps.push(world.stop);
		return world;
	});
}
