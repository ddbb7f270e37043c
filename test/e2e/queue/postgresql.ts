import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../../n8n/ports';
import { start, stop } from '../../n8n/processes';
import { waitUntilReady } from '../../n8n/waiting';
import { findProgram } from '../programs';

const run = promisify(execFile);
const HOST = '127.0.0.1';
const USER = 'postgres';

/** Starts a new PostgreSQL server in a folder. */
export async function startPostgresql(folder: string) {
	const port = await freePort('n8n');
	const data = join(folder, 'postgresql');
	const logFile = join(folder, 'postgresql.log');
	await mkdir(data);
	if (isRoot()) {
		// It refuses to run as root, and its own user needs access to the data.
		await chmod(folder, 0o711);
		await run('chown', [USER, data]);
	}
	const options = ['--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
	const [initdb, ...initdbArgs] = asPostgres('initdb', ['-D', data, ...options]);
	await run(initdb, initdbArgs, { cwd: data });

	const settings = {
		port,
		listen_addresses: HOST,
		unix_socket_directories: '',
		max_connections: 200,
		fsync: 'off',
	};
	const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const [command, ...args] = asPostgres('postgres', ['-D', data, ...flags]);
	const startServer = async () => {
		const started = start(command, args, { cwd: data, env: process.env, logFile });
		await waitUntilReady(started, logFile, async () => {
			await run(program('pg_isready'), ['-h', HOST, '-p', String(port)]);
		});
		return started;
	};
	let server = await startServer();
	return {
		/** The settings of n8n for this server. */
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: USER,
			DB_POSTGRESDB_USER: USER,
		},
		logFile,
		stop: async () => await stop(server),
		/** Starts it again with the same data. */
		async restart() {
			server = await startServer();
		},
	};
}

const isRoot = () => process.getuid?.() === 0;

function asPostgres(name: string, args: string[]): [string, ...string[]] {
	const command: [string, ...string[]] = [program(name), ...args];
	return isRoot()
		? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups', ...command]
		: command;
}

function program(name: string): string {
	const found = findProgram(name);
	if (!found) throw new Error(`${name} is missing: install PostgreSQL.`);
	return found;
}
