import { execFile } from 'node:child_process';
import { cp, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '..');
const GULP = join(ROOT, 'node_modules/gulp/bin/gulp.js');
const SOURCES = ['nodes', 'credentials', 'icons'].map((folder) => join(ROOT, folder));
const LOOK_MS = 500;

const run = promisify(execFile);

/** Tells n8n to load a package again when its files change. */
export const RELOAD = { NODE_ENV: 'development', N8N_DEV_RELOAD: 'true' };

/** Builds the package whenever its source changes, and copies it into the folder in which n8n has installed it. */
export async function watchSource(installed: string): Promise<never> {
	// Not with fs.watch, which loses files that an editor replaces.
	for (let built = await lastChange(); ; await sleep(LOOK_MS)) {
		const changed = await lastChange();
		if (changed === built) continue;
		built = changed;
		await buildInto(installed);
	}
}

/** Changes with each change of a source file. */
async function lastChange(): Promise<string> {
	const files = await Promise.all(
		SOURCES.map(async (folder) => {
			const names = await readdir(folder, { recursive: true });
			return names.map((name) => join(folder, name));
		}),
	);
	// An editor may have just replaced one of them.
	const stats = await Promise.all(
		files.flat().map(async (file) => await stat(file).catch(() => undefined)),
	);
	const times = stats.map((found) => found?.mtimeMs ?? 0);
	return `${times.length} ${Math.max(...times)}`;
}

async function buildInto(installed: string): Promise<void> {
	try {
		await run(process.execPath, [GULP, '--silent'], { cwd: ROOT });
		await cp(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true });
		console.log(`${new Date().toLocaleTimeString()} Built; n8n loads it again.`);
	} catch (error) {
		const { stdout, message } = error as { stdout?: string; message: string };
		console.error(stdout?.trim() || message);
	}
}
