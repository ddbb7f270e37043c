import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { preparation } from './world';

const ROOT = join(__dirname, '../..');

test('the workflow tests also pass in the engine of this n8n', () => {
	const { node, folder } = preparation().n8n;
	const { status, stdout, stderr } = spawnSync(
		node,
		['node_modules/jest/bin/jest.js', 'test/workflow', '--silent'],
		{
			cwd: ROOT,
			env: { ...process.env, N8N_MODULES: join(folder, 'node_modules') },
			encoding: 'utf8',
		},
	);
	expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({
		status: 0,
		output: '',
	});
}, 1_200_000);
