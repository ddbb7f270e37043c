import range from 'lodash/range';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { preparation, prepareWorlds, removeWorlds } from '../e2e/world';
import { stopAll } from '../n8n/processes';
import { measureApproach } from './measure';
import { describeMachine, approachesTable, whole, writeReport } from './report';
import { makeStudent, startServer } from './server';
import { enrollmentApproaches } from './workflows';

const SIZES = [1_000, 5_000];
const ROUNDS = 3;
const REPORT = resolve(__dirname, 'benchmark.md');

/** Measures the nodes in a real n8n and writes benchmark.md. */
async function main(): Promise<void> {
	await prepareWorlds();
	try {
		const server = await startServer();
		const machine = describeMachine(preparation().n8n);
		const sections: string[] = [];
		for (const size of SIZES) {
			const students = range(size).map(makeStudent);
			const series = [];
			for (const approach of enrollmentApproaches(server.baseUrl)) {
				series.push(await measureApproach(approach, server, students, ROUNDS));
			}
			sections.push(`## ${whole(size)} students into one class`, approachesTable(series));
		}
		const report = writeReport(machine, sections);
		console.log(report);
		await writeFile(REPORT, report);
	} finally {
		await stopAll();
		await removeWorlds();
	}
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
