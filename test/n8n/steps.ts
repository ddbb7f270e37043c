import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { clearLine, cursorTo } from 'node:readline';

import { start, type StartOptions } from './processes';

export interface Step extends StartOptions {
	/** What the step does, for the user. */
	title: string;
	command: string;
	args: string[];
	/** What the user can do when the step fails. */
	advice: string;
}

/** Runs a long command, shows its progress, and explains a failure. */
export async function runStep(step: Step): Promise<void> {
	await rm(step.logFile, { force: true });
	const progress = showProgress(step.title);
	try {
		const child = start(step.command, step.args, step);
		const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
		if (code !== 0) throw new Error(`it exited with ${signal ?? `code ${code}`}`);
		progress.end('done');
	} catch (error) {
		progress.end('failed');
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(
			`${step.title} failed: ${reason}.\n${step.advice}\n` +
				`The log, ${step.logFile}, ends with:\n${await tail(step.logFile)}`,
		);
	}
}

/** The last lines of a file. */
export async function tail(file: string): Promise<string> {
	const text = await readFile(file, 'utf8').catch(() => '');
	return text.trimEnd().split('\n').slice(-30).join('\n');
}

/** Counts the seconds on one line of a terminal; prints a line now and then elsewhere. */
function showProgress(title: string) {
	const { stdout } = process;
	const started = Date.now();
	const show = (state: string, end: string) => {
		if (stdout.isTTY) {
			cursorTo(stdout, 0);
			clearLine(stdout, 0);
		}
		stdout.write(`${title} … ${state}${end}`);
	};
	const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
	const lineEnd = stdout.isTTY ? '' : '\n';
	show('', lineEnd);
	const ticker = setInterval(() => show(seconds(), lineEnd), stdout.isTTY ? 1_000 : 20_000);
	return {
		end(state: string) {
			clearInterval(ticker);
			show(`${state} after ${seconds()}`, '\n');
		},
	};
}
