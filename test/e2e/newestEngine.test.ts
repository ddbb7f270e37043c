import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { preparation } from './world';

const ROOT = join(__dirname, '../..');
const TIMEOUT_MS = 1_200_000;

/** Tests of what only a step of the first engine has. */
const NOT_IN_ROUTING = [
	// Hints.
	'a hint says',
	'bring the hint',
	'reports too many classes and fails',
	// n8n's routing reads the credential and the proxy itself, and waits between batches.
	'is read only once',
	'is read for each item where it has one',
	'n8n cannot read',
	'a proxy takes the user',
	'"proxy":',
	'nobody waits for the pauses',
	'honors timeout and batch interval',
	// It does not know the errors of a second copy of n8n-workflow.
	'status \\d+ is explained, for its item',
];
/** Tests of what is no operation. */
const FILES_NOT_IN_ROUTING = ['trigger', 'lists', 'hints'];

it(
	'passes the workflow tests in its first engine',
	() => expect(failuresIn('newestEngine', {})).toEqual([]),
	TIMEOUT_MS,
);

it(
	'passes the workflow tests in its routing, which Engine 2.0 and Agents run',
	() => {
		const failures = failuresIn('newestRouting', { N8N_WAY: 'routing' }, [
			`--testNamePattern=^(?!.*(${NOT_IN_ROUTING.join('|')}))`,
			...FILES_NOT_IN_ROUTING.map((name) => `--testPathIgnorePatterns=workflow/${name}`),
		]);
		expect(failures).toEqual([]);
	},
	TIMEOUT_MS,
);

/** Runs the workflow tests; returns the messages of those that failed, and of the files that could not run. */
function failuresIn(name: string, env: Record<string, string>, args: string[] = []): string[] {
	const { n8n, folder } = preparation();
	const results = join(folder, `${name}.json`);
	const { stderr } = spawnSync(
		n8n.node,
		[
			'node_modules/jest/bin/jest.js',
			'test/workflow',
			'--silent',
			'--json',
			`--outputFile=${results}`,
			...args,
		],
		{
			cwd: ROOT,
			env: { ...process.env, ...env, N8N_MODULES: join(n8n.folder, 'node_modules') },
			encoding: 'utf8',
			stdio: ['ignore', 'ignore', 'pipe'],
			maxBuffer: 100 * 1024 * 1024,
		},
	);
	if (!existsSync(results)) return [stderr];
	const { testResults, numPassedTests } = JSON.parse(readFileSync(results, 'utf8')) as {
		testResults: Array<{ status: string; message: string }>;
		numPassedTests: number;
	};
	if (numPassedTests === 0) return ['No test was run.'];
	return testResults.filter(({ status }) => status === 'failed').map(({ message }) => message);
}
