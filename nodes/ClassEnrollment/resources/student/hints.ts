import type { INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import { neverEnds } from '../../fields/accessExpiration';
import type { Hint } from '../../operation/operation';
import { findOtherDate } from './otherDate';
import { STUDENTS_PER_REQUEST } from './addMany/studentsFrom';

const MAX_WITHOUT_HINT = 10;
// The README promises this.
const MAX_ITEMS_SEARCHED = 100;

const addedOf = (items: INodeExecutionData[]) => items.filter(({ json }) => json.success === true);

/** Says for how many students access has already ended, or that it never ends although one of the first items says when. */
export const accessHint: Hint = (output, items) => {
	const added = addedOf(output);
	const dates = added.map(({ json }) => json.expirationDate as string | undefined);
	const ended = dates.filter((date) => date && Date.parse(date) <= Date.now()).length;
	if (ended > 0) {
		const students = ended === 1 ? '1 student' : `${ended} students`;
		return `Access has already ended for ${students}: the expiration date is in the past.`;
	}
	if (dates.length === 0 || dates.some(Boolean)) return undefined;
	// The parameters of the others may be what has failed.
	const indexes = new Set(added.map(({ pairedItem }) => (pairedItem as IPairedItemData).item));
	for (const { itemIndex, json, parameters } of items.slice(0, MAX_ITEMS_SEARCHED)) {
		const field = indexes.has(itemIndex) ? findOtherDate(json, parameters.now()) : undefined;
		if (field !== undefined && neverEnds(parameters)) {
			return `Access never ends. To use the date in '${field}', change Access Expiration.`;
		}
	}
	return undefined;
};

/** Points out that many students of one class need not take a request each. */
export const batchHint: Hint = (output) => {
	const added = addedOf(output);
	const classIds = new Set(added.map(({ json }) => json.classId));
	if (added.length <= MAX_WITHOUT_HINT || classIds.size > 1) return undefined;
	return `Sent one request per student (${added.length}). 'Add Many to Class' sends up to ${STUDENTS_PER_REQUEST} per request and is much faster.`;
};
