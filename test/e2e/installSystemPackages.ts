import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { findChromium } from './chromium';

interface Requirement {
	what: string;
	packages: string[];
	isThere: () => boolean;
}

const POSTGRESQL_HOME = '/usr/lib/postgresql';

const REQUIREMENTS: Requirement[] = [
	{
		what: 'A C++ compiler, for the native parts of n8n',
		packages: ['python3', 'make', 'g++'],
		isThere: () => ['python3', 'make', 'g++'].every(isOnPath),
	},
	{
		what: 'Chromium, for the tests of the editor',
		packages: ['chromium', 'fonts-liberation'],
		isThere: () => findChromium() !== undefined,
	},
	{
		what: 'Redis, for the test of the queue mode',
		packages: ['redis-server'],
		isThere: () => isOnPath('redis-server'),
	},
	{
		what: 'PostgreSQL, for the test of the queue mode',
		packages: ['postgresql'],
		isThere: () => isOnPath('initdb') || hasPostgresqlServer(),
	},
];

function isOnPath(program: string): boolean {
	return (process.env.PATH ?? '')
		.split(delimiter)
		.some((folder) => isExecutable(join(folder, program)));
}

/** Debian keeps the server's programs in a folder of each version, off the path. */
function hasPostgresqlServer(): boolean {
	if (!existsSync(POSTGRESQL_HOME)) return false;
	return readdirSync(POSTGRESQL_HOME).some((version) =>
		isExecutable(join(POSTGRESQL_HOME, version, 'bin/initdb')),
	);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function install(packages: string[]): void {
	const options = {
		stdio: 'inherit' as const,
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	};
	execFileSync('apt-get', ['update', '-q'], options);
	execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options);
}

/** Installs what is missing of the programs that the tests run, where that is possible. */
function main(): void {
	const missing = REQUIREMENTS.filter(({ isThere }) => !isThere());
	if (missing.length === 0) return;
	const packages = missing.flatMap((requirement) => requirement.packages);
	console.log(`Missing: ${missing.map(({ what }) => what).join('; ')}.`);
	if (!isOnPath('apt-get') || process.getuid?.() !== 0) {
		console.error(
			'Only root on Debian or Ubuntu can have them installed from here. Install them yourself ' +
				`(there: sudo apt-get install ${packages.join(' ')}), or name a Chromium or Chrome that you ` +
				'have in the environment variable CHROMIUM, and run the command again.',
		);
		process.exit(1);
	}
	install(packages);
	const stillMissing = missing.filter(({ isThere }) => !isThere());
	if (stillMissing.length > 0) {
		console.error(`Still missing: ${stillMissing.map(({ what }) => what).join('; ')}.`);
		process.exit(1);
	}
}

main();
