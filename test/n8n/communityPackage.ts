import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../..');
const QUIET = ['--ignore-scripts', '--loglevel=error'];

/**
 * Packs the built package, as for publishing, and installs it as a community package in a user folder of n8n: for
 * production, without n8n's own packages.
 * @returns the folder in which it is then
 */
export async function installPackage(userFolder: string): Promise<string> {
	const folder = join(userFolder, '.n8n/nodes');
	await mkdir(folder, { recursive: true });
	const pack = ['pack', '--json', '--pack-destination', folder, ...QUIET];
	const { stdout } = await run('npm', pack, { cwd: ROOT });
	const [{ name, filename }] = JSON.parse(stdout) as [{ name: string; filename: string }];
	const only = ['--omit=dev', '--omit=peer', '--no-audit', '--no-fund', '--prefix', folder];
	await run('npm', ['install', join(folder, filename), ...only, ...QUIET]);
	return join(folder, 'node_modules', name);
}
