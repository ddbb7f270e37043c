import { parseArgs } from 'node:util';

import { freePort, isFree } from '../test/n8n/ports';

const USAGE = `Usage: npm run demo [-- [--once] [--port <number>]]

--once   end after the table instead of leaving n8n's editor open
--port   the port of n8n's editor; without it 5678, or a free one where that is taken`;

const DEFAULT_PORT = 5678;

export interface Options {
	once: boolean;
	port?: number;
}

export function readOptions(): Options {
	try {
		const { values } = parseArgs({
			options: { once: { type: 'boolean', default: false }, port: { type: 'string' } },
		});
		const { once, port } = values;
		if (port !== undefined && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65536)) {
			throw new Error(`--port takes a number from 1 to 65535, not "${port}"`);
		}
		return { once, port: port === undefined ? undefined : Number(port) };
	} catch (error) {
		throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}

export async function choosePort(wanted?: number): Promise<number> {
	if (await isFree(wanted ?? DEFAULT_PORT)) return wanted ?? DEFAULT_PORT;
	if (wanted === undefined) return await freePort();
	throw new Error(
		`Port ${wanted} is taken. Choose another one with --port, or leave it out to get a free one.`,
	);
}
