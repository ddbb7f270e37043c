import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import type { Workflow } from '../../test/n8n/workflows';
import { compile } from '../classAccess/compile';

const FOLDER = join(__dirname, '..');

/** The Code nodes of the examples that are edited as JSON otherwise, and the modules that they run. */
export const CODE_NODES: Record<string, Record<string, string>> = {
	'end-of-access': { 'Whose Day Has Come': 'endOfAccess/n8n' },
	'by-hand': {
		'What to Ask': 'byHand/askNode',
		'What Is Asked': 'byHand/readNode',
		'What Happened': 'byHand/sayNode',
	},
	'by-hand-with-class-access': {
		'What to Ask': 'byHand/bookAskNode',
		'What to Record': 'byHand/bookReadNode',
		'What Happened': 'byHand/bookSayNode',
	},
};

/** An example with the code of its Code nodes made anew. */
export function withCode(example: string): Workflow {
	const workflow = JSON.parse(readFileSync(join(FOLDER, `${example}.json`), 'utf8')) as Workflow;
	for (const [name, module] of Object.entries(CODE_NODES[example]!)) {
		const node = workflow.nodes.find((each) => each.name === name)!;
		node.parameters = { ...node.parameters, jsCode: compile(module) };
	}
	return workflow;
}

async function writeAll(): Promise<void> {
	for (const example of Object.keys(CODE_NODES)) {
		const file = join(FOLDER, `${example}.json`);
		const options = await resolveConfig(file, { editorconfig: true });
		const text = JSON.stringify(withCode(example), null, '\t');
		writeFileSync(file, await format(text, { ...options, filepath: file }));
	}
}

if (require.main === module) void writeAll();
