import map from 'lodash/map';

import type { Measure, Series } from './measure';
import { STUDENTS_PER_REQUEST } from './workflows';

/** A part of the report. */
export interface Section {
	title: string;
	table: string;
}

/** Writes the report in Markdown. */
export function writeReport(machine: string, sections: Section[]): string {
	const date = new Date().toISOString().slice(0, 10);
	return `${[
		'# Benchmark',
		`Written by \`npm run bench\` on ${date}: ${machine}. The server runs on the same machine and responds immediately unless noted, so the figures show what n8n and the nodes take. They are medians, with the minimum and the maximum in brackets.`,
		...sections.flatMap(({ title, table }) => [`## ${title}`, table]),
		'## How it is measured',
		METHOD,
	].join('\n\n')}\n`;
}

const METHOD = [
	'- Every workflow is published and called through its webhook, as in production. The nodes before the measured ones, Webhook and Split Out, are the same in all workflows. Executions are saved, as is the default in n8n.',
	'- **Nodes** is the time that n8n measured for the nodes of a row, including nodes that prepare batches. **Of HTTP Request** compares it with the last row. **Total** is the time from the call of the webhook to its response, which includes other work of n8n, such as saving the execution.',
	'- **Requests** and **In flight** (the most requests waiting for a response at the same time) are what the server saw.',
	`- Every student has a name, an email address and an expiration date. A batch has ${STUDENTS_PER_REQUEST} students. HTTP Request sends the fields as body parameters and uses the generic bearer credential, which is faster than a predefined one. "Batches by one expression" is the fastest way found with n8n's own nodes.`,
	'- The rounds are interleaved, each starts with another row, and a warm-up round comes first. For memory, every run has its own n8n, and the figure is the high-water mark of the process (VmHWM).',
].join('\n');

/** One row for each way; the last one is what the others are compared with. */
export function waysTable(series: Array<Series<Measure>>): string {
	const base = series.length > 1 ? series.at(-1) : undefined;
	return table(
		['', 'Nodes', 'Of HTTP Request', 'Total', 'Requests', 'In flight'],
		series.map((each) => {
			const { way, results } = each;
			return [
				way.title,
				spread(nodesMs(each), duration),
				ratio(nodesMs(each), nodesMs(base)),
				spread(map(results, 'totalMs'), duration),
				spread(results.map(({ record }) => record.requests)),
				spread(results.map(({ record }) => record.peakInFlight)),
			];
		}),
	);
}

/** One row for each way; the first one is what the others are compared with. */
export function memoryTable(series: Array<Series<number | undefined>>): string {
	const base = series[0]?.results;
	return table(
		['', 'Peak', 'Ratio'],
		series.map(({ way, results }) => [
			way.title,
			spread(results, (megabytes) => `${whole(megabytes)} MB`),
			ratio(results, base),
		]),
	);
}

/** A whole number with separators. */
export const whole = (value: number) => Math.round(value).toLocaleString('en');

const NO_FIGURE = '—';

type Values = Array<number | undefined>;

const nodesMs = (series?: Series<Measure>): Values =>
	series?.results.map((result) => result.nodesMs) ?? [];

/** The median of some values in relation to the median of others. */
function ratio(values: Values, base: Values = []): string {
	const [value, of] = [median(values), median(base)];
	if (value === undefined || !of) return NO_FIGURE;
	return (value / of).toPrecision(value < of ? 2 : 3);
}

/** The median of the known values, with the minimum and the maximum in brackets. */
function spread(values: Values, format = whole): string {
	const middle = median(values);
	if (middle === undefined) return NO_FIGURE;
	const known = values.filter((value) => value !== undefined);
	const [least, most] = [Math.min(...known), Math.max(...known)].map(format);
	return least === most ? format(middle) : `${format(middle)} (${least}–${most})`;
}

/** The median of the known values; undefined if there are none. */
function median(values: Values): number | undefined {
	const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	if (sorted.length % 2 === 1 || sorted.length === 0) return sorted[middle];
	return (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Milliseconds up to a second, and seconds above. */
function duration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

/** A Markdown table without the columns that have no figures. */
function table(header: string[], rows: string[][]): string {
	const rule = header.map((_, column) => (column === 0 ? '---' : '--:'));
	const isShown = (_: string, column: number) => rows.some((row) => row[column] !== NO_FIGURE);
	return [header, rule, ...rows]
		.map((cells) => `| ${cells.filter(isShown).join(' | ')} |`)
		.join('\n');
}
