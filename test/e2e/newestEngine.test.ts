import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { preparation } from './world';

const ROOT = join(__dirname, '../..');
const TIMEOUT_MS = 2_400_000;

it(
	'passes the workflow tests, as a step and by its routing, which Engine 2.0 and Agents run',
	() => expect(failures()).toEqual([]),
	TIMEOUT_MS,
);

/** Runs the workflow tests; returns the messages of those that failed, and of the files that could not run. */
function failures(): string[] {
	const { n8n, folder } = preparation();
	const results = join(folder, 'newestEngine.json');
	const jest = ['node_modules/jest/bin/jest.js', 'test/workflow', '--silent', '--json'];
	const { stderr } = spawnSync(n8n.node, [...jest, `--outputFile=${results}`], {
		cwd: ROOT,
		env: { ...process.env, N8N_MODULES: join(n8n.folder, 'node_modules') },
		encoding: 'utf8',
		stdio: ['ignore', 'ignore', 'pipe'],
		maxBuffer: 100 * 1024 * 1024,
	});
	if (!existsSync(results)) return [stderr];
	const { testResults, numPassedTests } = JSON.parse(readFileSync(results, 'utf8')) as {
		testResults: Array<{ status: string; message: string }>;
		numPassedTests: number;
	};
	if (numPassedTests === 0) return ['No test was run.'];
	return testResults.filter(({ status }) => status === 'failed').map(({ message }) => message);
}
