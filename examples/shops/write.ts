import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { recipeFor } from './recipe';
import { SHOPS } from './shops';

/** Writes the recipes of all shops. */
async function writeAll(): Promise<void> {
	for (const [name, shop] of Object.entries(SHOPS)) {
		const file = join(__dirname, `../${name}.json`);
		const options = await resolveConfig(file, { editorconfig: true });
		const text = JSON.stringify(recipeFor(shop), null, '\t');
		writeFileSync(file, await format(text, { ...options, filepath: file }));
	}
}

void writeAll();
