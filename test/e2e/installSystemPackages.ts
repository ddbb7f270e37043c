import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { findChromium } from './chromium';

interface Requirement {
	what: string;
	packages: string[];
	isInstalled: () => boolean;
}

const POSTGRESQL_HOME = '/usr/lib/postgresql';

const REQUIREMENTS: Requirement[] = [
	{
		what: 'A C++ compiler, for the native modules of n8n',
		packages: ['python3', 'make', 'g++'],
		isInstalled: () => ['python3', 'make', 'g++'].every(isOnPath),
	},
	{
		what: 'Chromium, for the tests of the editor',
		packages: ['chromium', 'fonts-liberation'],
		isInstalled: () => findChromium() !== undefined,
	},
	{
		what: 'Redis, for the test of queue mode',
		packages: ['redis-server'],
		isInstalled: () => isOnPath('redis-server'),
	},
	{
		what: 'PostgreSQL, for the test of queue mode',
		packages: ['postgresql'],
		isInstalled: () => isOnPath('initdb') || hasPostgresqlServer(),
	},
];

function isOnPath(program: string): boolean {
	return (process.env.PATH ?? '')
		.split(delimiter)
		.some((folder) => isExecutable(join(folder, program)));
}

/** Debian keeps the server's programs in a folder for each version, outside the path. */
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

/** Installs the programs that the tests need and that are missing. */
function main(): void {
	const missing = REQUIREMENTS.filter(({ isInstalled }) => !isInstalled());
	if (missing.length === 0) return;
	const packages = missing.flatMap((requirement) => requirement.packages);
	console.log(`Missing: ${missing.map(({ what }) => what).join('; ')}.`);
	if (!isOnPath('apt-get') || process.getuid?.() !== 0) {
		console.error(
			'They can be installed automatically only as root on Debian or Ubuntu. Install them yourself ' +
				`(sudo apt-get install ${packages.join(' ')}), or set the environment variable CHROMIUM to ` +
				'the path of a Chromium or Chrome, and run the command again.',
		);
		process.exit(1);
	}
	install(packages);
	const stillMissing = missing.filter(({ isInstalled }) => !isInstalled());
	if (stillMissing.length > 0) {
		console.error(`Still missing: ${stillMissing.map(({ what }) => what).join('; ')}.`);
		process.exit(1);
	}
}

main();
