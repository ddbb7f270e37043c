import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';

import { start, type StartOptions } from './processes';

export interface Step extends StartOptions {
	/** What the step does, for the user. */
	title: string;
	command: string;
	args: string[];
	/** What the user can do when the step fails. */
	advice: string;
}

/** Runs a long command, says now and then that it goes on, and explains a failure. */
export async function runStep({ title, command, args, advice, ...options }: Step): Promise<void> {
	const started = Date.now();
	const say = (what: string) =>
		console.log(`${title} … ${what}${Math.round((Date.now() - started) / 1000)} s`);
	const { logFile } = options;
	await rm(logFile, { force: true });
	console.log(`${title} …`);
	const ticker = setInterval(say, 20_000, '');
	try {
		const ending = await once(start(command, args, options), 'exit');
		const [code, signal] = ending as [number | null, string | null];
		if (code !== 0) throw new Error(`it exited with ${signal ?? `code ${code}`}`);
		say('done after ');
	} catch (error) {
		say('failed after ');
		const log = `The log, ${logFile}, ends with:\n${await tail(logFile)}`;
		throw new Error(`${title} failed: ${(error as Error).message}.\n${advice}\n${log}`);
	} finally {
		clearInterval(ticker);
	}
}

/** The last lines of a file. */
export async function tail(file: string): Promise<string> {
	const text = await readFile(file, 'utf8').catch(() => '');
	return text.trimEnd().split('\n').slice(-30).join('\n');
}
