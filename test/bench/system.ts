import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { N8nInstall } from '../n8n/install';

const run = promisify(execFile);
const BYTES_PER_GB = 1024 ** 3;

/** Describes the machine and the versions that the figures depend on. */
export async function describeMachine({ node, folder }: N8nInstall): Promise<string> {
	const n8nPackage = join(folder, 'node_modules/n8n/package.json');
	const { version } = JSON.parse(await readFile(n8nPackage, 'utf8')) as { version: string };
	const { stdout } = await run(node, ['--version']);
	return [
		`n8n ${version} on Node.js ${stdout.trim()}`,
		`${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
		`${Math.round(totalmem() / BYTES_PER_GB)} GB`,
		`${process.platform} ${process.arch}`,
		`load ${(loadavg()[0] ?? 0).toFixed(1)} at the start`,
	].join(', ');
}

/** The peak memory of a process in MB; NaN if the system has no /proc. */
export async function peakMemoryMb(pid: number): Promise<number> {
	const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	return Number(/^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1]) / 1024;
}
