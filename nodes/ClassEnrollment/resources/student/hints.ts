import { keyBy, memoize } from 'lodash';
import type { INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import type { Hint, InputItem } from '../../operation/operation';
import { entriesOf } from './addMany/studentLists';
import { STUDENTS_PER_REQUEST } from './addMany/studentsFrom';

const MAX_WITHOUT_HINT = 10;

const lowerCase = (email: unknown) => String(email).trim().toLowerCase();

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

/** Returns the addresses of the students whom an item says were removed. */
function removedIn(item: InputItem): Set<string> {
	const removed = entriesOf(item).filter(({ deleted }) => deleted === true);
	return new Set(removed.map(({ email }) => lowerCase(email)));
}

/** Says for how many students who had been removed access never ends now. */
export const returnHint: Hint = (output, items) => {
	const itemOf = keyBy(items, 'itemIndex');
	// A list of many students is read once.
	const removedOnce = memoize(removedIn);
	const returned = addedOf(output).filter(({ json, pairedItem }) => {
		const item = itemOf[(pairedItem as IPairedItemData).item]!;
		const isNever = item.get('accessExpiration') === 'none' && !json.expirationDate;
		return isNever && removedOnce(item).has(lowerCase(json.email));
	});
	const count = countStudents(returned);
	if (count === 0) return undefined;
	const students = count === 1 ? '1 student who was' : `${count} students who were`;
	return `Access never ends for ${students} removed before: 'Access Expiration' is 'Never'.`;
};

/** Points out that many students of one class need not take a request each. */
export const batchHint: Hint = (output) => {
	const added = addedOf(output);
	const classIds = new Set(added.map(({ json }) => json.classId));
	const count = countStudents(added);
	if (count <= MAX_WITHOUT_HINT || classIds.size > 1) return undefined;
	return `Sent one request per student (${count}). 'Add Many to Class' sends up to ${STUDENTS_PER_REQUEST} per request and is much faster.`;
};
