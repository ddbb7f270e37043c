import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The folder of the built package. */
export const BUILD = resolve(__dirname, '../../..');
/** What the node says about itself in a later build. */
export const LATER_DESCRIPTION = 'From a later build';

const NODE_FILE = 'dist/nodes/ClassEnrollment/ClassEnrollment.node.js';

/** Copies the built package, raises its version and makes the copy recognizable. */
export async function createLaterBuild(folder: string): Promise<string> {
	const build = await mkdtemp(join(folder, 'build-'));
	for (const name of ['package.json', 'dist']) {
		await cp(join(BUILD, name), join(build, name), { recursive: true });
	}
	await edit(join(build, 'package.json'), /"version": "(.*)\.\d+"/, '"version": "$1.99"');
	await edit(join(build, NODE_FILE), /\bdescription: '.*'/, `description: '${LATER_DESCRIPTION}'`);
	return build;
}

async function edit(file: string, pattern: RegExp, replacement: string): Promise<void> {
	const text = await readFile(file, 'utf8');
	if (!pattern.test(text)) throw new Error(`${file} does not contain ${String(pattern)}.`);
	await writeFile(file, text.replace(pattern, replacement));
}
