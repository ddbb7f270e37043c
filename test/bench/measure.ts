import { callWay, takeExecution, type BenchN8n, type PublishedWay } from './n8n';
import { cpuTimeMs } from './procfs';
import type { BenchServer, ServerRecord, ServerSettings } from './serverProcess';
import type { Student } from './students';

/** What one run of one way took. */
export interface Measure {
	/** The nodes that make up the way, in sum, as n8n timed them. */
	nodesMs?: number;
	/** The nodes before them, which are the same in all ways. */
	inputMs?: number;
	/** From the call to the answer. */
	totalMs: number;
	/** What n8n used of the processor in that time. */
	cpuMs?: number;
	/** How many items came out of the last node. */
	items?: number;
	record: ServerRecord;
}

/** Runs a way once in n8n. */
export async function measureWay(
	n8n: BenchN8n,
	server: BenchServer,
	published: PublishedWay,
	students: Student[],
	settings: ServerSettings,
): Promise<Measure> {
	const { pid } = n8n.server;
	await server.reset(settings);
	const cpuBefore = await cpuTimeMs(pid);
	const started = performance.now();
	await callWay(n8n, published, students);
	const totalMs = performance.now() - started;
	const cpuAfter = await cpuTimeMs(pid);
	const record = await server.record();

	const { runData } = await takeExecution(n8n, published);
	const runs = Object.entries(runData).flatMap(([name, nodeRuns]) =>
		nodeRuns.map(({ executionTime }) => ({ name, executionTime })),
	);
	const own = new Set(published.way.nodes.map(({ name }) => name));
	const sum = (isOwn: boolean) =>
		runs
			.filter(({ name }) => own.has(name) === isOwn)
			.reduce((total, { executionTime }) => total + executionTime, 0);
	const last = runData[published.way.nodes.at(-1)?.name ?? '']?.at(-1);
	return {
		nodesMs: sum(true),
		inputMs: sum(false),
		totalMs,
		cpuMs: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
		items: last?.data?.main?.[0]?.length ?? 0,
		record,
	};
}
