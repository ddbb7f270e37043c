import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from '../../test/n8n/workflows';
import { compile } from './compile';

const FOLDER = join(__dirname, '..');

/** The examples that are edited as JSON, apart from the code of their Code nodes, and the modules that these run. */
export const CODE_NODES: Record<string, Record<string, string>> = {
	'bulk-import': {
		'Read File': 'bulkImport/readFile.n8n',
		'Say What Happened': 'bulkImport/report.n8n',
	},
	'end-of-access': { 'Whose Day Has Come': 'endOfAccess/night.n8n' },
	'ends-soon': { 'Everybody Emailed?': 'endsSoon/unsent.n8n' },
	'by-hand': {
		'What to Ask': 'byHand/ask.n8n',
		'What Is Asked': 'byHand/read.n8n',
		'What Happened': 'byHand/say.n8n',
	},
	'by-hand-with-class-access': {
		'What to Ask': 'byHand/bookAsk.n8n',
		'What to Record': 'byHand/bookRead.n8n',
		'What Happened': 'byHand/bookSay.n8n',
	},
};

/**
 * An example with the code of its Code nodes compiled anew.
 * @param example one of `CODE_NODES`
 */
export function withCode(example: string): Workflow {
	const workflow = JSON.parse(readFileSync(join(FOLDER, `${example}.json`), 'utf8')) as Workflow;
	for (const [name, module] of Object.entries(CODE_NODES[example]!)) {
		const node = workflow.nodes.find((each) => each.name === name)!;
		node.parameters = { ...node.parameters, jsCode: compile(module) };
	}
	return workflow;
}
