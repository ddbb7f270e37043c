import type { ClassListResults } from './classList';
import type { EnrollmentResults } from './enrollment';
import { checkGoals, type Results } from './goals';
import type { Machine } from './machine';
import { duration, spread, table, whole } from './markdown';
import type { Measure } from './measure';
import type { MemoryResults } from './memory';
import { median, type Series } from './rounds';
import { STUDENTS_PER_REQUEST } from './ways';

/** Writes the results as a page in Markdown. */
export function writeReport(machine: Machine, latencyMs: number, results: Results): string {
	return `${[
		'# Benchmark',
		introduction(machine, latencyMs),
		'## Goals',
		goals(results),
		...results.enrollments.flatMap(enrollment),
		...classList(results.classList),
		...memory(results.memory),
		'## How it is measured',
		method(latencyMs),
	].join('\n\n')}\n`;
}

function introduction(
	{ processor, memoryGb, system, node, n8n, date, load }: Machine,
	latencyMs: number,
) {
	return `Made by \`npm run bench\` on ${date}: n8n ${n8n} on Node.js ${node}, ${processor}, ${memoryGb} GB, ${system}, load ${load.toFixed(1)} at the start. The server runs on the same machine and answers ${latencyMs === 0 ? 'at once' : `after ${latencyMs} ms`}, so that the figures show what n8n and the nodes take. All figures are medians, with the least and the most in brackets.`;
}

function goals(results: Results): string {
	return table(
		['What', 'Goal', 'Measured', 'Met'],
		checkGoals(results).map(({ what, goal, measured, isMet }) => [
			what,
			goal,
			measured,
			isMet === undefined ? '—' : isMet ? 'yes' : 'no',
		]),
	);
}

function enrollment({ size, senders }: EnrollmentResults): string[] {
	const series = Object.values(senders);
	const inputs = series.flatMap(({ results }) => results.map(({ inputMs }) => inputMs));
	return [
		`## ${whole(size)} students into one class`,
		`${measures(series, senders.httpEach)}\n\nThe nodes before them, in all ways the same, took ${spread(inputs, duration)}.`,
	];
}

function classList({ classes, latencyMs, readers }: ClassListResults): string[] {
	return [
		`## ${whole(classes)} classes, answers after ${latencyMs} ms`,
		measures(Object.values(readers), readers.httpPages),
	];
}

/** The bare client has no nodes: what it took stands for them. */
function measures(series: Array<Series<Measure>>, base: Series<Measure>): string {
	const times = ({ results }: Series<Measure>) =>
		results.map(({ nodesMs, totalMs }) => nodesMs ?? totalMs);
	const baseMs = median(times(base)) ?? NaN;
	return table(
		[
			'',
			'Nodes',
			'Of HTTP Request',
			'Call to answer',
			"n8n's CPU",
			'Requests',
			'Connections',
			'In flight',
		],
		series.map((each) => {
			const { title, results } = each;
			const column = (read: (measure: Measure) => number | undefined, format = whole) =>
				spread(results.map(read), format);
			return [
				title,
				spread(times(each), duration),
				((median(times(each)) ?? NaN) / baseMs).toPrecision(2),
				column(({ totalMs }) => totalMs, duration),
				column(({ cpuMs }) => cpuMs, duration),
				column(({ record }) => record.requests),
				column(({ record }) => record.connections),
				column(({ record }) => record.peakInFlight),
			];
		}),
	);
}

function memory({ size, holders }: MemoryResults): string[] {
	const megabytes = (value: number) => `${whole(value)} MB`;
	const peaks = ({ results }: MemoryResults['holders']['addMany']) =>
		results.map(({ endMb }) => endMb);
	const base = median(peaks(holders.nothing));
	return [
		`## Peak memory of n8n, ${whole(size)} students`,
		table(
			['', 'After the start', 'At the end', 'Of nothing in its place'],
			Object.values(holders).map((holder) => {
				const started = holder.results.map(({ startedMb }) => startedMb);
				const peak = median(peaks(holder));
				return [
					holder.title,
					spread(started, megabytes),
					spread(peaks(holder), megabytes),
					peak === undefined || base === undefined ? '—' : (peak / base).toFixed(2),
				];
			}),
		),
	];
}

function method(latencyMs: number): string {
	return [
		'- Every workflow is published and called through its webhook, as in production. Webhook and Split Out before the nodes in question are the same in all of them. Executions are saved, as n8n does unless told otherwise.',
		'- **Nodes**: the time that n8n noted for the nodes that make up a way, in sum. With the batches by hand, the nodes that make them count. **Of HTTP Request**: in proportion to one request per student, or to its pagination. **Call to answer**: from the call of the webhook to its answer, with what n8n does besides, such as saving the execution.',
		'- **Requests**, **Connections** and **In flight** (the most that had come and were not answered yet) are what the server saw.',
		`- Every student has a name, an e-mail address and an expiration date. Batches hold ${STUDENTS_PER_REQUEST} students. HTTP Request has the fields as body parameters and the generic bearer credential, with which it is faster than with a predefined one. The batches by one expression are the fastest that were found with n8n's own nodes.`,
		`- The bare client is a program without n8n that has 10 requests in flight over connections that it keeps: how fast it can be at all${latencyMs === 0 ? '' : ' with this server'}.`,
		'- The rounds are interleaved, each begins with another way, and a warm-up round is not counted. For the memory, every run has an n8n of its own; the figure is the high-water mark of the process (VmHWM).',
	].join('\n');
}
