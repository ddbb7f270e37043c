import sumBy from 'lodash/sumBy';

import {
	callWay,
	publishWay,
	startBenchN8n,
	takeExecution,
	type BenchN8n,
	type PublishedWay,
} from './n8n';
import type { BenchServer, ServerRecord, ServerSettings, Student } from './server';
import { peakMemoryMb } from './system';
import type { Way } from './workflows';

/** What one run of one way took. */
export interface Measure {
	/** The time of the way's nodes, as n8n measured it. */
	nodesMs: number;
	/** From the call of the webhook to its response. */
	totalMs: number;
	/** How many items came out of the last node. */
	items: number;
	record: ServerRecord;
}

/** All counted results of one way. */
export interface Series {
	way: Way;
	results: Measure[];
	/** The peak memory of n8n, in MB. */
	peakMb: number;
}

/** What to measure. */
export interface Measurement {
	ways: Way[];
	students: Student[];
	rounds: number;
	settings?: ServerSettings;
	/** Whether a run did its whole job. */
	isComplete: (measure: Measure) => boolean;
}

/** Measures each way in an n8n of its own, after a round that warms up, and checks that every round did its whole job. */
export async function measureWays(
	server: BenchServer,
	title: string,
	{ ways, students, rounds, settings, isComplete }: Measurement,
): Promise<Series[]> {
	const series: Series[] = [];
	for (const way of ways) {
		console.error(`${title}: ${way.title} …`);
		const n8n = await startBenchN8n();
		const published = await publishWay(n8n, way, server);
		const results: Measure[] = [];
		for (let round = 0; round <= rounds; round++) {
			server.reset(settings);
			const measure = await measureOnce(n8n, published, server, students);
			if (!isComplete(measure)) {
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
	const [items] = runs.at(-1)?.data?.main ?? [];
	return {
		nodesMs: sumBy(runs, 'executionTime'),
		totalMs,
		items: items?.length ?? 0,
		record: server.record(),
	};
}
