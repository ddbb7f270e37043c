import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mapValues from 'lodash/mapValues';
import { format, resolveConfig } from 'prettier';

import type { Workflow } from '../test/n8n/workflows';
import { classAccess } from './classAccess/workflow';
import { CODE_NODES, withCode } from './codeNodes/withCode';
import { recipeFor } from './shops/recipe';
import { SHOPS } from './shops/shops';

/** The examples that aren't edited as JSON: as a whole, or only their code. All other ones are. */
const WORKFLOWS: Record<string, Workflow> = {
	'class-access': classAccess(),
	...mapValues(SHOPS, recipeFor),
	...mapValues(CODE_NODES, (_, example) => withCode(example)),
};

async function writeAll(): Promise<void> {
	for (const [example, workflow] of Object.entries(WORKFLOWS)) {
		const file = join(__dirname, `${example}.json`);
		const options = await resolveConfig(file, { editorconfig: true });
		const text = JSON.stringify(workflow, null, '\t');
		writeFileSync(file, await format(text, { ...options, filepath: file }));
	}
}

void writeAll();
