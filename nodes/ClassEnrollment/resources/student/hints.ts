import type { INodeExecutionData } from 'n8n-workflow';
import type { Hint } from '../../operation/operation';
import { findOtherDate } from './addMany/otherDate';
import { STUDENTS_PER_REQUEST } from './addMany/studentsFrom';

const MAX_WITHOUT_HINT = 10;

const addedOf = (output: INodeExecutionData[]) => output.filter(({ json }) => json.success);

/** Says for how many students access has already ended. */
const endedAccessHint: Hint = (output) => {
	const now = Date.now();
	const ended = addedOf(output).filter(
		({ json }) => Date.parse(String(json.expirationDate)) <= now,
	).length;
	if (ended === 0) return undefined;
	const students = ended === 1 ? '1 student' : `${ended} students`;
	return `Access has already ended for ${students}: the expiration date is in the past.`;
};

/** Points out that access never ends, although the first input item seems to say when. */
const endlessAccessHint: Hint = (output, [first]) => {
	const added = addedOf(output);
	if (added.length === 0 || added.some(({ json }) => json.expirationDate)) return undefined;
	const date = findOtherDate(first!.json, first!.parameters.now);
	return (
		date && `Access never ends. To use the date in the field '${date}', change Access Expiration.`
	);
};

/** The hints of operations that add students. */
export const ACCESS_HINTS = [endedAccessHint, endlessAccessHint];

/** Points out that many students of one class need not take a request each. */
export const batchHint: Hint = (output) => {
	const added = addedOf(output);
	const classIds = new Set(added.map(({ json }) => json.classId));
	if (added.length <= MAX_WITHOUT_HINT || classIds.size > 1) return undefined;
	return `Sent one request per student (${added.length}). 'Add Many to Class' sends up to ${STUDENTS_PER_REQUEST} per request and is much faster.`;
};
