import { parseArgs } from 'node:util';

import { freePort, isFree } from '../test/n8n/ports';

const USAGE = `Usage: npm run demo [-- [--once] [--watch] [--port <number>]]

--once   stop after the report instead of leaving n8n's editor open
--watch  build the node again whenever its source changes, and reload it in n8n
--port   the port of n8n's editor; the default is 5678, or a free one if that is taken`;

const DEFAULT_PORT = 5678;

/** The command line. */
export interface Options {
	once: boolean;
	watch: boolean;
	port?: number;
}

/** Reads the command line. */
export function readOptions(): Options {
	try {
		const { values } = parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				watch: { type: 'boolean', default: false },
				port: { type: 'string' },
			},
		});
		const { port, ...flags } = values;
		if (port !== undefined && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65536)) {
			throw new Error(`--port needs a number from 1 to 65535, not "${port}"`);
		}
		return { ...flags, port: port === undefined ? undefined : Number(port) };
	} catch (error) {
		throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}

/** Chooses the port of n8n's editor. */
export async function choosePort(wanted?: number): Promise<number> {
	if (await isFree(wanted ?? DEFAULT_PORT)) return wanted ?? DEFAULT_PORT;
	if (wanted === undefined) return await freePort('n8n');
	throw new Error(
		`Port ${wanted} is taken. Choose another one with --port, or omit it to get a free one.`,
	);
}
