import { readFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';

import type { N8nInstall } from '../n8n/install';

const run = promisify(execFile);
const BYTES_PER_GB = 1024 ** 3;

/** What the figures depend on. */
export interface Machine {
	processor: string;
	memoryGb: number;
	system: string;
	/** The Node.js that ran n8n. */
	node: string;
	n8n: string;
	date: string;
	/** How many processes wanted the processor over the last minute, at the start. */
	load: number;
}

export async function describeMachine({ node, folder }: N8nInstall): Promise<Machine> {
	const n8nPackage = join(folder, 'node_modules/n8n/package.json');
	const { version } = JSON.parse(await readFile(n8nPackage, 'utf8')) as { version: string };
	const { stdout } = await run(node, ['--version']);
	return {
		processor: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
		memoryGb: Math.round(totalmem() / BYTES_PER_GB),
		system: `${process.platform} ${process.arch}`,
		node: stdout.trim(),
		n8n: version,
		date: new Date().toISOString().slice(0, 10),
		load: loadavg()[0] ?? 0,
	};
}
