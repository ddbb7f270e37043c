import type { INodeExecutionData } from 'n8n-workflow';
import type { Execute } from '../../execution/operation';
import { STUDENTS_PER_REQUEST } from './addMany/batching';

/** Makes a hint from an output, if there is something to say. */
export type Hint = (output: INodeExecutionData[]) => string | undefined;

const MAX_WITHOUT_HINT = 10;

/** Adds hints to an operation, which n8n shows next to the output. */
export function withHints(execute: Execute, ...hints: Hint[]): Execute {
	return async (run) => {
		const output = await execute(run);
		const added = output.filter(({ json }) => json.success);
		for (const message of hints.map((hint) => hint(added))) {
			if (message !== undefined) run.showHint(message);
		}
		return output;
	};
}

/** Says for how many students access has already ended. */
export const endedAccessHint: Hint = (added) => {
	const now = Date.now();
	const ended = added.filter(({ json }) => Date.parse(String(json.expirationDate)) <= now).length;
	if (ended === 0) return undefined;
	const students = ended === 1 ? '1 student' : `${ended} students`;
	return `Access has already ended for ${students}: the expiration date is in the past.`;
};

/** Points out that many students of one class need not take a request each. */
export const batchHint: Hint = (added) => {
	const classIds = new Set(added.map(({ json }) => json.classId));
	if (added.length <= MAX_WITHOUT_HINT || classIds.size > 1) return undefined;
	return `Sent one request per student (${added.length}). 'Add Many to Class' sends up to ${STUDENTS_PER_REQUEST} per request and is much faster.`;
};
