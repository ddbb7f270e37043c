import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RunOptions } from './engine';
import { CONTINUE, errorsOf, NO_RETRIES, OPERATIONS, textOf, useService } from './fixture';

const ROOT = resolve(__dirname, '../..');
const WRONG = { requestOptions: { giveUpAfter: -1 } };

let folder: string;
let packageFolder: string;
let workflowCopy: string;

/**
 * Copies the built package, and n8n-workflow for it alone, as an installation can leave them. Everything else that
 * they need comes from this repository.
 */
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'class-enrollment-copy-'));
	packageFolder = join(folder, 'package');
	await mkdir(packageFolder);
	await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	workflowCopy = join(packageFolder, 'node_modules/n8n-workflow');
	const original = join(ROOT, 'node_modules/n8n-workflow');
	for (const part of ['package.json', 'dist/cjs']) {
		await cp(join(original, part), join(workflowCopy, part), { recursive: true });
	}
	for (const part of ['package.json', 'dist']) {
		await cp(join(ROOT, part), join(packageFolder, part), { recursive: true });
	}
	// By its path, because jest may give n8n-workflow of another engine to everything that asks for it by name.
	for (const file of await readdir(join(packageFolder, 'dist'), { recursive: true })) {
		if (!file.endsWith('.js')) continue;
		const path = join(packageFolder, 'dist', file);
		const code = await readFile(path, 'utf8');
		await writeFile(path, code.replaceAll('require("n8n-workflow")', `require("${workflowCopy}")`));
	}
	const node = join(packageFolder, 'dist/nodes/ClassEnrollment/ClassEnrollment.node.js');
	expect(await readFile(node, 'utf8')).toContain(`require("${workflowCopy}")`);
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const fixture = useService();

test.each(OPERATIONS)('$name works, and explains its errors', async (operation) => {
	const run = async (parameters = {}, options: Partial<RunOptions> = {}) =>
		await fixture.run(operation, parameters, { packageFolder, ...options });
	const { error, items } = await run();
	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThan(0);

	fixture.service.temper = { failWith: { status: 401 } };
	expect(textOf(await run())).toMatch(/token not accepted \(status 401\).* Check 'Access Token'/);
	expect(errorsOf(await run({}, CONTINUE))).toEqual([expect.stringContaining('(status 401)')]);
	expect(textOf(await run(WRONG))).toMatch(
		/'Give Up After \(Seconds\)' must be a whole number.* \[item 0\]/,
	);

	await fixture.service.close();
	const down = await run(NO_RETRIES);
	expect(textOf(down)).toMatch(/No response from .*: connection refused /);
	expect(down.error?.context).toMatchObject({ itemIndex: 0 });
});
