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
export interface Series<Result> {
	way: Way;
	results: Result[];
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

/** Runs all ways in the same n8n, and checks that each of them did its whole job. */
export async function measureWays(
	n8n: BenchN8n,
	server: BenchServer,
	title: string,
	measurement: Measurement,
): Promise<Array<Series<Measure>>> {
	const { ways, students, rounds, settings, isComplete } = measurement;
	const published = new Map<Way, PublishedWay>();
	for (const way of ways) published.set(way, await publishWay(n8n, way, server));
	return await measureInRounds(title, ways, rounds, async (way) => {
		server.reset(settings);
		const started = performance.now();
		await callWay(n8n, published.get(way)!, students);
		const totalMs = performance.now() - started;

		const { runData } = await takeExecution(n8n, published.get(way)!);
		const runs = way.nodes.flatMap(({ name }) => runData[name] ?? []);
		const [items] = runs.at(-1)?.data?.main ?? [];
		const measure: Measure = {
			nodesMs: sumBy(runs, 'executionTime'),
			totalMs,
			items: items?.length ?? 0,
			record: server.record(),
		};
		if (!isComplete(measure)) {
			throw new Error(`${way.title} did not do its whole job: ${JSON.stringify(measure)}`);
		}
		return measure;
	});
}

/** Runs every way in an n8n of its own, and asks the system for its peak memory in MB. */
export async function measureMemory(
	server: BenchServer,
	title: string,
	{ ways, students, rounds }: Pick<Measurement, 'ways' | 'students' | 'rounds'>,
): Promise<Array<Series<number | undefined>>> {
	return await measureInRounds(title, ways, rounds, async (way) => {
		const n8n = await startBenchN8n();
		server.reset();
		await callWay(n8n, await publishWay(n8n, way, server), students);
		const peak = await peakMemoryMb(n8n.pid);
		await n8n.stop();
		return peak;
	});
}

/**
 * Measures all ways in turn, round by round, so that changes on the machine affect all of them.
 * Every round starts with another way. The first one is a warm-up, unless it is the only one.
 */
async function measureInRounds<Result>(
	title: string,
	ways: Way[],
	rounds: number,
	measure: (way: Way) => Promise<Result>,
): Promise<Array<Series<Result>>> {
	const series = ways.map((way): Series<Result> => ({ way, results: [] }));
	for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
		console.error(`${title}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`} …`);
		const start = round % series.length;
		for (const { way, results } of [...series.slice(start), ...series.slice(0, start)]) {
			const result = await measure(way);
			if (round > 0) results.push(result);
		}
	}
	return series;
}
