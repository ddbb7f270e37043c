import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../classAccess/compile';
import type { Workflow } from '../../test/n8n/workflows';

/** The code of each Code node, by its name. */
const CODE: Record<string, string> = {
	'Read File': 'bulkImport/readFile.n8n',
	'Say What Happened': 'bulkImport/report.n8n',
};

/** Bulk import as its file has it, with the code of its Code nodes compiled anew. */
export function bulkImport(): Workflow {
	const file = join(__dirname, '../bulk-import.json');
	const workflow = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
	for (const { name, parameters } of workflow.nodes) {
		const entry = CODE[name];
		if (entry !== undefined) (parameters as { jsCode: string }).jsCode = compile(entry);
	}
	return workflow;
}
