import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const POSTGRESQL_HOME = '/usr/lib/postgresql';

/** Finds a program. Debian keeps those of PostgreSQL in a folder for each version, outside the path. */
export function findProgram(name: string): string | undefined {
	const onPath = (process.env.PATH ?? '').split(delimiter);
	const versions = existsSync(POSTGRESQL_HOME) ? readdirSync(POSTGRESQL_HOME) : [];
	return [...versions.map((version) => join(POSTGRESQL_HOME, version, 'bin')), ...onPath]
		.map((folder) => join(folder, name))
		.find(isExecutable);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
