import type { INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import type { Hint } from '../../operation/operation';
import { isBlank } from '../../values/text';
import { STUDENTS_PER_REQUEST } from './addMany/studentsFrom';

const MAX_WITHOUT_HINT = 10;

type Item = INodeExecutionData;

const addedOf = (output: Item[]) => output.filter(({ json }) => json.success === true);

/** Counts students. Two items may be about one. */
function countStudents(items: Item[]): number {
	return new Set(items.map(({ json }) => String(json.email).toLowerCase())).size;
}

const inWords = (count: number) => (count === 1 ? '1 student' : `${count} students`);

/** Says for how many students access has already ended. */
export const endedHint: Hint = (output) => {
	const isOver = ({ json: { expirationDate } }: Item) =>
		typeof expirationDate === 'string' && Date.parse(expirationDate) <= Date.now();
	const count = countStudents(addedOf(output).filter(isOver));
	if (count === 0) return undefined;
	return `Access has already ended for ${inWords(count)}: the expiration date is in the past.`;
};

/** Says for how many students access never ends, although the input has a date, under the name under which the node outputs it. */
export const neverEndsHint: Hint = (output, input) => {
	const hasDate = ({ pairedItem }: Item) =>
		!isBlank(input[(pairedItem as IPairedItemData).item]!.json.expirationDate);
	const endless = addedOf(output).filter(({ json }) => json.expirationDate === undefined);
	const count = countStudents(endless.filter(hasDate));
	if (count === 0) return undefined;
	return `Access never ends for ${inWords(count)}, although the input has an 'expirationDate'. To use it, change 'Access Expiration'.`;
};

/** Points out that many students of one class need not take a request each. */
export const batchHint: Hint = (output) => {
	const added = addedOf(output);
	const classIds = new Set(added.map(({ json }) => json.classId));
	const count = countStudents(added);
	if (count <= MAX_WITHOUT_HINT || classIds.size > 1) return undefined;
	return `Sent one request per student (${count}). 'Add Many to Class' sends up to ${STUDENTS_PER_REQUEST} per request and is much faster.`;
};
