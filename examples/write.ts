import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { GENERATED } from './generated';

async function writeAll(): Promise<void> {
	for (const [example, workflow] of Object.entries(GENERATED)) {
		const file = join(__dirname, `${example}.json`);
		const options = await resolveConfig(file, { editorconfig: true });
		const text = JSON.stringify(workflow, null, '\t');
		writeFileSync(file, await format(text, { ...options, filepath: file }));
	}
}

void writeAll();
