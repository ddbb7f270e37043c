import sumBy from 'lodash/sumBy';

import { callWay, publishWay, takeExecution, type BenchN8n, type PublishedWay } from './n8n';
import type { BenchServer, ServerRecord, ServerSettings, Student } from './server';
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

/**
 * Measures all ways in the same n8n in turn, round by round, so that changes on the machine affect all of them, and checks
 * that each did its whole job. Every round starts with another way. The first one is a warm-up, unless it is the only one.
 */
export async function measureWays(
	n8n: BenchN8n,
	server: BenchServer,
	title: string,
	{ ways, students, rounds, settings, isComplete }: Measurement,
): Promise<Series[]> {
	const series = ways.map((way): Series => ({ way, results: [] }));
	const published = new Map<Way, PublishedWay>();
	for (const way of ways) published.set(way, await publishWay(n8n, way, server));
	for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
		console.error(`${title}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`} …`);
		const start = round % series.length;
		for (const { way, results } of [...series.slice(start), ...series.slice(0, start)]) {
			server.reset(settings);
			const measure = await measureOnce(n8n, published.get(way)!, server, students);
			if (!isComplete(measure)) {
				throw new Error(`${way.title} did not do its whole job: ${JSON.stringify(measure)}`);
			}
			if (round > 0) results.push(measure);
		}
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
