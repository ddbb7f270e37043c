import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { stopAll } from '../n8n/processes';
import { measureClassList } from './classList';
import { measureEnrollment, type EnrollmentResults } from './enrollment';
import type { Results } from './goals';
import { describeMachine } from './machine';
import { measureMemory } from './memory';
import { prepare, startBenchN8n, type Preparation } from './n8n';
import { readOptions, type Options } from './options';
import { profileEnrollment } from './profile';
import { writeReport } from './report';
import { startServer, type BenchServer } from './serverProcess';

const REPORT = resolve(__dirname, '../../docs/benchmark.md');

async function measure(
	preparation: Preparation,
	server: BenchServer,
	{ sizes, roundsFor, latencyMs, classes, memoryStudents }: Options,
): Promise<Results> {
	const n8n = await startBenchN8n(preparation, server);
	const enrollments: EnrollmentResults[] = [];
	for (const size of sizes) {
		const rounds = roundsFor(size);
		enrollments.push(await measureEnrollment(n8n, server, { size, rounds, latencyMs }));
	}
	const classList = await measureClassList(n8n, server, { classes, rounds: roundsFor(classes) });
	await n8n.stop();
	const memory = await measureMemory(preparation, server, {
		size: memoryStudents,
		rounds: roundsFor(memoryStudents),
	});
	return { enrollments, classList, memory };
}

async function main(): Promise<void> {
	const options = readOptions();
	const folder = await mkdtemp(join(tmpdir(), 'class-enrollment-bench-'));
	try {
		const preparation = await prepare(folder);
		const server = await startServer(join(folder, 'server.log'));
		if (options.profile) {
			console.log(await profileEnrollment(preparation, server, options.largest));
			return;
		}
		const machine = await describeMachine(preparation.install);
		const report = writeReport(
			machine,
			options.latencyMs,
			await measure(preparation, server, options),
		);
		console.log(report);
		if (options.quick) return;
		await mkdir(dirname(REPORT), { recursive: true });
		await writeFile(REPORT, report);
	} finally {
		await stopAll();
		await rm(folder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
