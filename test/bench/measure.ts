import sumBy from 'lodash/sumBy';

import {
	callWay,
	publishWay,
	startBenchN8n,
	takeExecution,
	type BenchN8n,
	type PublishedWay,
} from './n8n';
import { makeStudents, type BenchServer, type ServerRecord, type Student } from './server';
import { peakMemoryMb } from './system';
import type { Way } from './workflows';

/** What one run of one way took. */
export interface Measure {
	/** The time of the way's nodes, as n8n measured it. */
	nodesMs: number;
	/** From the call of the webhook to its response. */
	totalMs: number;
	record: ServerRecord;
}

/** All counted results of one way. */
export interface Series {
	way: Way;
	results: Measure[];
	/** The peak memory of n8n, in MB. */
	peakMb: number;
}

/** Measures each way in an n8n of its own, after a round that warms up, and checks that every round did its whole job. */
export async function measureWays(
	server: BenchServer,
	ways: Way[],
	size: number,
	rounds: number,
): Promise<Series[]> {
	const series: Series[] = [];
	const students = makeStudents(size);
	for (const way of ways) {
		console.error(`${size} students: ${way.title} …`);
		const n8n = await startBenchN8n();
		const published = await publishWay(n8n, way, server);
		const results: Measure[] = [];
		for (let round = 0; round <= rounds; round++) {
			server.reset();
			const measure = await measureOnce(n8n, published, server, students);
			const { students: added, refused } = measure.record;
			if (added.size !== size || refused > 0) {
				throw new Error(`${way.title} did not do its whole job: ${JSON.stringify(measure)}`);
			}
			if (round > 0) results.push(measure);
		}
		series.push({ way, results, peakMb: await peakMemoryMb(n8n.pid) });
		await n8n.stop();
	}
	return series;
}

async function measureOnce(
	n8n: BenchN8n,
	published: PublishedWay,
	server: BenchServer,
	students: Student[],
): Promise<Measure> {
	const started = performance.now();
	await callWay(n8n, published, students);
	const totalMs = performance.now() - started;
	const { runData } = await takeExecution(n8n, published);
	const runs = published.way.nodes.flatMap(({ name }) => runData[name] ?? []);
	return { nodesMs: sumBy(runs, 'executionTime'), totalMs, record: server.record() };
}
