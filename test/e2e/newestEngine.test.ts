import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { preparation } from './world';

const ROOT = join(__dirname, '../..');

test('the workflow tests also pass in the engine of this n8n', () => {
	const { n8n, folder } = preparation();
	const results = join(folder, 'newestEngine.json');
	const { status, stderr } = spawnSync(
		n8n.node,
		[
			'node_modules/jest/bin/jest.js',
			'test/workflow',
			'--silent',
			'--json',
			`--outputFile=${results}`,
		],
		{
			cwd: ROOT,
			env: { ...process.env, N8N_MODULES: join(n8n.folder, 'node_modules') },
			encoding: 'utf8',
			stdio: ['ignore', 'ignore', 'pipe'],
			maxBuffer: 100 * 1024 * 1024,
		},
	);
	expect(existsSync(results) ? failuresIn(results) : stderr).toEqual([]);
	expect(status).toBe(0);
}, 1_200_000);

/** The messages of the failed tests, and of the files that could not run. */
function failuresIn(file: string): string[] {
	const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
		testResults: Array<{ status: string; message: string }>;
	};
	return testResults.filter(({ status }) => status !== 'passed').map(({ message }) => message);
}
