import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { whole, table } from './markdown';
import { callWay, publishWay, startBenchN8n, type Preparation } from './n8n';
import { readProfile, type CpuProfile } from './cpuProfile';
import type { BenchServer } from './serverProcess';
import { makeStudents } from './students';
import { addMany, addToClass, httpEach } from './ways';
import type { Way } from './workflows';

const WARM_UP_STUDENTS = 1_000;
const TOP = 25;

/** Profiles n8n while it enrolls students in each way, and tells as Markdown where the time goes. */
export async function profileEnrollment(
	preparation: Preparation,
	server: BenchServer,
	size: number,
): Promise<string> {
	const parts: string[] = [];
	for (const way of [addMany, addToClass, httpEach(server.baseUrl)]) {
		console.error(`Profiling "${way.title}" …`);
		parts.push(await profileWay(preparation, server, way, size));
	}
	return parts.join('\n\n');
}

async function profileWay(
	preparation: Preparation,
	server: BenchServer,
	way: Way,
	size: number,
): Promise<string> {
	const folder = join(preparation.folder, `profile-${way.key}`);
	await mkdir(folder);
	const n8n = await startBenchN8n(preparation, server, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
	const published = await publishWay(n8n, way);
	await server.reset({ latencyMs: 0, classes: 0 });
	await callWay(n8n, published, makeStudents(WARM_UP_STUDENTS));

	const from = monotonicMicroseconds();
	await callWay(n8n, published, makeStudents(size));
	const to = monotonicMicroseconds();
	// Node.js writes the profile when it ends.
	await n8n.stop();

	const { groups, functions } = readProfile(await mainProfile(folder, n8n.server.pid), from, to);
	const total = (to - from) / 1000;
	const row = (name: string, ms: number) => [
		name,
		whole(ms),
		`${((100 * ms) / total).toFixed(1)} %`,
	];
	return [
		`## ${way.title}, ${whole(size)} students: ${whole(total)} ms under the profiler`,
		table(
			['Where', 'ms', 'Share'],
			groups.map(({ name, ms }) => row(name, ms)),
		),
		table(
			['Function, self time', 'ms', 'Share'],
			functions.slice(0, TOP).map(({ name, ms }) => row(name, ms)),
		),
	].join('\n\n');
}

/** The clock of the profiles, which is the same for all processes. */
function monotonicMicroseconds(): number {
	return Number(process.hrtime.bigint() / 1000n);
}

/** The profile of the main thread, whose id is 0; others of n8n's threads write their own. */
async function mainProfile(folder: string, pid: number): Promise<CpuProfile> {
	const file = (await readdir(folder)).find((name) => name.includes(`.${pid}.0.`));
	if (!file) throw new Error('n8n wrote no profile.');
	return JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
}
