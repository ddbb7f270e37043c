import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';

import { findChromium } from './chromium';
import { findProgram } from './programs';

interface Requirement {
	what: string;
	packages: string[];
	isInstalled: () => boolean;
}

const isInstalled = (program: string) => findProgram(program) !== undefined;

const REQUIREMENTS: Requirement[] = [
	{
		what: 'A C++ compiler, for the native modules of n8n',
		packages: ['python3', 'make', 'g++'],
		isInstalled: () => ['python3', 'make', 'g++'].every(isInstalled),
	},
	{
		what: 'Chromium, for the tests of the editor',
		packages: ['chromium', 'fonts-liberation'],
		isInstalled: () => findChromium() !== undefined,
	},
	{
		what: 'Redis, for the test of queue mode',
		packages: ['redis-server'],
		isInstalled: () => isInstalled('redis-server'),
	},
	{
		what: 'PostgreSQL, for the tests of queue mode and Engine 2.0',
		packages: ['postgresql'],
		isInstalled: () => isInstalled('initdb'),
	},
];

/** Installs the programs that the tests need and that are missing. */
function main(): void {
	const missing = REQUIREMENTS.filter(({ isInstalled }) => !isInstalled());
	if (missing.length === 0) return;
	const packages = missing.flatMap((requirement) => requirement.packages);
	console.log(`Missing: ${missing.map(({ what }) => what).join('; ')}.`);
	if (!isInstalled('apt-get') || process.getuid?.() !== 0) {
		console.error(
			'They can be installed automatically only as root on Debian or Ubuntu. Install them yourself ' +
				`(sudo apt-get install ${packages.join(' ')}), or set the environment variable CHROMIUM to ` +
				'the path of a Chromium or Chrome, and run the command again.',
		);
		process.exit(1);
	}
	const options: ExecFileSyncOptions = {
		stdio: 'inherit',
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	};
	execFileSync('apt-get', ['update', '-q'], options);
	execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options);
	const stillMissing = missing.filter(({ isInstalled }) => !isInstalled());
	if (stillMissing.length > 0) {
		console.error(`Still missing: ${stillMissing.map(({ what }) => what).join('; ')}.`);
		process.exit(1);
	}
}

main();
