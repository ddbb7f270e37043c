import range from 'lodash/range';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { preparation, prepareWorlds, removeWorlds } from '../e2e/world';
import { stopAll } from '../n8n/processes';
import { measureWay } from './measure';
import { describeMachine, waysTable, whole, writeReport } from './report';
import { makeStudent, startServer } from './server';
import { enrollmentWays } from './workflows';

const FULL = { sizes: [1_000, 5_000], rounds: 3 };
/** To check that the benchmark works: small sizes and one round. It writes no file. */
const QUICK = { sizes: [200], rounds: 1 };
const REPORT = resolve(__dirname, 'benchmark.md');

/** Measures the nodes in a real n8n and writes benchmark.md. */
async function main(): Promise<void> {
	const { quick } = parseArgs({ options: { quick: { type: 'boolean' } } }).values;
	await prepareWorlds();
	try {
		const server = await startServer();
		const machine = describeMachine(preparation().n8n);
		const { sizes, rounds } = quick ? QUICK : FULL;
		const sections: string[] = [];
		for (const size of sizes) {
			const students = range(size).map(makeStudent);
			const series = [];
			for (const way of enrollmentWays(server.baseUrl)) {
				series.push(await measureWay(way, server, students, rounds));
			}
			sections.push(`## ${whole(size)} students into one class`, waysTable(series));
		}
		const report = writeReport(machine, sections);
		console.log(report);
		if (!quick) await writeFile(REPORT, report);
	} finally {
		await stopAll();
		await removeWorlds();
	}
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
