import map from 'lodash/map';
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

import type { N8nInstall } from '../n8n/install';
import type { Series } from './measure';
import { STUDENTS_PER_REQUEST } from './workflows';

/** Writes the report in Markdown. */
export function writeReport(machine: string, sections: string[]): string {
	const date = new Date().toISOString().slice(0, 10);
	return `${[
		'# Benchmark',
		`Written by \`npm run bench\` on ${date}: ${machine}. The server runs on the same machine and responds immediately, so the figures show what n8n and the nodes take. With a load above 0, other programs took their part of the time, so compare the rows rather than the times. The figures are medians, with the minimum and the maximum in brackets.`,
		...sections,
		'## How it is measured',
		METHOD,
	].join('\n\n')}\n`;
}

const METHOD = [
	'- Every workflow is published and called through its webhook, as in production. The nodes before the measured ones, Webhook and Split Out, are the same in all workflows. Executions are saved, as is the default in n8n.',
	'- **Nodes** is the time that n8n measured for the nodes of a row, including nodes that prepare batches. **Of HTTP Request** compares it with the last row. **Total** is the time from the call of the webhook to its response, which includes other work of n8n, such as saving the execution.',
	'- **Requests** are what the server saw.',
	`- Every student has a name, an email address and an expiration date. A batch has ${STUDENTS_PER_REQUEST} students. HTTP Request sends the fields as body parameters and uses the generic bearer credential, which is faster than a predefined one. "Batches by one expression" is the fastest way found with n8n's own nodes.`,
	'- Every row has an n8n of its own, in which a warm-up round comes first. **Memory** is the high-water mark of its process (VmHWM).',
].join('\n');

/** One row for each approach; the last one is what the others are compared with. */
export function approachesTable(series: Series[]): string {
	const base = median(map(series.at(-1)!.results, 'nodesMs'));
	const header = ['', 'Nodes', 'Of HTTP Request', 'Total', 'Requests', 'Memory'];
	const rule = header.map((_, column) => (column === 0 ? '---' : '--:'));
	const rows = series.map(({ title, results, peakMb }) => {
		const nodesMs = map(results, 'nodesMs');
		const ratio = median(nodesMs) / base;
		return [
			title,
			spread(nodesMs, duration),
			ratio.toPrecision(ratio < 1 ? 2 : 3),
			spread(map(results, 'totalMs'), duration),
			spread(map(results, 'requests')),
			`${whole(peakMb)} MB`,
		];
	});
	return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Describes the machine and the versions that the figures depend on. */
export function describeMachine({ node, folder }: N8nInstall): string {
	const script = `require('${join(folder, 'node_modules/n8n/package.json')}').version`;
	const versionsOf = (...args: string[]) => execFileSync(node, args, { encoding: 'utf8' }).trim();
	return [
		`n8n ${versionsOf('-p', script)} on Node.js ${versionsOf('--version')}`,
		`${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
		`${Math.round(totalmem() / 1024 ** 3)} GB`,
		`${process.platform} ${process.arch}`,
		`load ${(loadavg()[0] ?? 0).toFixed(1)} at the start`,
	].join(', ');
}

/** A whole number with separators. */
export const whole = (value: number) => Math.round(value).toLocaleString('en');

/** The median, with the minimum and the maximum in brackets. */
function spread(values: number[], format = whole): string {
	const middle = format(median(values));
	const [least, most] = [Math.min(...values), Math.max(...values)].map(format);
	return least === most ? middle : `${middle} (${least}–${most})`;
}

/** The median of an odd number of values. */
const median = (values: number[]) =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Milliseconds up to a second, and seconds above. */
function duration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}
