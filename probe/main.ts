import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describePlan, runProbe } from './probe';
import { readSettings } from './settings';

const REPORT = 'probe-report.md';
const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const TIME_TO_READ_MS = 10_000;

async function main(): Promise<number> {
	const stop = new AbortController();
	for (const signal of SIGNALS) {
		process.on(signal, () => {
			if (!stop.signal.aborted) console.log('Stopping …');
			stop.abort();
		});
	}
	const settings = readSettings(process.env);
	console.log(`${describePlan(settings)}\n\nIt begins in ten seconds. Press Ctrl-C to stop it.`);
	await sleep(TIME_TO_READ_MS, undefined, { signal: stop.signal }).catch(() => {});
	if (stop.signal.aborted) return 130;
	const { report, isComplete } = await runProbe(settings, stop.signal, console.log);
	await writeFile(REPORT, report);
	console.log(`\n${report}\nThis is in ${REPORT}. It contains no token and no addresses.`);
	return isComplete ? 0 : 1;
}

main().then(
	(exitCode) => process.exit(exitCode),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);
