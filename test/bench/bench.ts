import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { preparation, prepareWorlds, removeWorlds } from '../e2e/world';
import { stopAll } from '../n8n/processes';
import { measureWays, type Measurement } from './measure';
import { waysTable, whole, writeReport, type Section } from './report';
import { makeStudents, startServer, type BenchServer } from './server';
import { describeMachine } from './system';
import { enrollmentWays, getMany, httpPages } from './workflows';

const FULL = { sizes: [1_000, 5_000], classes: 10_000, rounds: 3 };
/** To check that the benchmark works: small sizes and one round. It writes no file. */
const QUICK = { sizes: [200], classes: 1_000, rounds: 1 };
const REPORT = resolve(__dirname, 'benchmark.md');
const CLASS_LIST_LATENCY_MS = 100;

async function measureAll(
	server: BenchServer,
	{ sizes, classes, rounds }: typeof FULL,
): Promise<Section[]> {
	const sections: Section[] = [];
	const compare = async (title: string, measurement: Measurement) => {
		sections.push({ title, table: waysTable(await measureWays(server, title, measurement)) });
	};

	for (const size of sizes) {
		await compare(`${whole(size)} students into one class`, {
			ways: enrollmentWays(server.baseUrl),
			students: makeStudents(size),
			rounds,
			isComplete: ({ record }) => record.students.size === size && record.refused === 0,
		});
	}

	await compare(`${whole(classes)} classes, responses after ${CLASS_LIST_LATENCY_MS} ms`, {
		ways: [getMany, httpPages(server.baseUrl)],
		students: makeStudents(1),
		rounds,
		settings: { latencyMs: CLASS_LIST_LATENCY_MS, classes },
		isComplete: ({ items, record }) => items === classes && record.refused === 0,
	});

	return sections;
}

/** Measures the nodes in a real n8n and writes benchmark.md. */
async function main(): Promise<void> {
	const { quick } = parseArgs({ options: { quick: { type: 'boolean' } } }).values;
	await prepareWorlds();
	try {
		const server = await startServer();
		const machine = await describeMachine(preparation().n8n);
		const sections = await measureAll(server, quick ? QUICK : FULL);
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
