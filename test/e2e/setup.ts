import { constants } from 'node:os';
import { rmSync } from 'node:fs';

import checkBuild from '../checkBuild';
import { enterRunningN8n, prepareWorlds } from './world';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs once before all test files. What it prepares is removed when the process ends, however it ends. */
export default async function setUp(): Promise<void> {
	checkBuild();
	if (await enterRunningN8n()) return;
	// Jest later replaces process.exit with a function that reports an error.
	const exit = process.exit.bind(process);
	SIGNALS.forEach((signal) => process.once(signal, () => exit(128 + constants.signals[signal])));
	const folder = await prepareWorlds();
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
