import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mapValues from 'lodash/mapValues';
import { format, resolveConfig } from 'prettier';

import { bulkImport } from '../bulkImport/workflow';
import { classAccess } from '../classAccess/workflow';
import { recipeFor } from './recipe';
import { SHOPS } from './shops';

/** Writes the recipes of all shops, and the workflow that they share. */
async function writeAll(): Promise<void> {
	const workflows = {
		'class-access': classAccess(),
		'bulk-import': bulkImport(),
		...mapValues(SHOPS, recipeFor),
	};
	for (const [name, workflow] of Object.entries(workflows)) {
		const file = join(__dirname, `../${name}.json`);
		const options = await resolveConfig(file, { editorconfig: true });
		const text = JSON.stringify(workflow, null, '\t');
		writeFileSync(file, await format(text, { ...options, filepath: file }));
	}
}

void writeAll();
