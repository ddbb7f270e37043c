import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import which from 'which';

const POSTGRESQL_HOME = '/usr/lib/postgresql';

/** Finds a program; null if it is missing. Debian keeps those of PostgreSQL in a folder for each version, outside the path. */
export function findProgram(name: string): string | null {
	const versions = existsSync(POSTGRESQL_HOME) ? readdirSync(POSTGRESQL_HOME) : [];
	const folders = versions.map((version) => join(POSTGRESQL_HOME, version, 'bin'));
	const path = [...folders, process.env.PATH].join(delimiter);
	return which.sync(name, { path, nothrow: true });
}
