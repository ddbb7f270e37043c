import type { INodeExecutionData } from 'n8n-workflow';
import type { Hint } from '../../operation/operation';
import { STUDENTS_PER_REQUEST } from './addMany/studentsFrom';

const MAX_WITHOUT_HINT = 10;

const addedOf = (items: INodeExecutionData[]) => items.filter(({ json }) => json.success === true);

/** Counts students. Two items may be about one. */
function countStudents(items: INodeExecutionData[]): number {
	return new Set(items.map(({ json }) => String(json.email).toLowerCase())).size;
}

/** Says for how many students access has already ended. */
export const accessHint: Hint = (output) => {
	const isOver = ({ json: { expirationDate } }: INodeExecutionData) =>
		typeof expirationDate === 'string' && Date.parse(expirationDate) <= Date.now();
	const ended = countStudents(addedOf(output).filter(isOver));
	if (ended === 0) return undefined;
	const students = ended === 1 ? '1 student' : `${ended} students`;
	return `Access has already ended for ${students}: the expiration date is in the past.`;
};

/** Points out that many students of one class need not take a request each. */
export const batchHint: Hint = (output) => {
	const added = addedOf(output);
	const classIds = new Set(added.map(({ json }) => json.classId));
	const count = countStudents(added);
	if (count <= MAX_WITHOUT_HINT || classIds.size > 1) return undefined;
	return `Sent one request per student (${count}). 'Add Many to Class' sends up to ${STUDENTS_PER_REQUEST} per request and is much faster.`;
};
