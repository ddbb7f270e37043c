import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';

import { findChromium } from './chromium';
import { findProgram } from './programs';

const isInstalled = (program: string) => findProgram(program) !== null;
const hasChromium = () => findChromium() !== undefined;

const COMPILER = ['python3', 'make', 'g++'];
const REQUIREMENTS: Array<[what: string, packages: string[], isThere: () => boolean]> = [
	['A C++ compiler, for the native modules of n8n', COMPILER, () => COMPILER.every(isInstalled)],
	['Chromium, for the tests of the editor', ['chromium', 'fonts-liberation'], hasChromium],
	['Redis, for the test of queue mode', ['redis-server'], () => isInstalled('redis-server')],
	['PostgreSQL, for queue mode and Engine 2.0', ['postgresql'], () => isInstalled('initdb')],
];

/** An n8n that is already running needs nothing of ours but the browser. */
const isNeeded = (packages: string[]) =>
	!process.env.CLASS_ENROLLMENT_N8N_URL || packages.includes('chromium');

/** Installs the programs that the tests need and that are missing. */
function main(): void {
	const missing = REQUIREMENTS.filter(([, packages, isThere]) => isNeeded(packages) && !isThere());
	if (missing.length === 0) return;
	const packages = missing.flatMap(([, names]) => names);
	console.log(`Missing: ${missing.map(([what]) => what).join('; ')}.`);
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
	for (const [what, , isThere] of missing)
		if (!isThere()) throw new Error(`Still missing: ${what}.`);
}

main();
