// Every hour: whether so many accesses have ended that something may be wrong with the tables.
import type { Snapshot } from './state';
import { DAY } from './types';

/** No more than this part of all students is removed at once, if they are that many. */
const MANY = 20;
export const PART = 0.3;

/** Why nobody may be removed whose access has ended, or null. */
export function brakeOf({ openSales, dueStudents, studentCount, now }: Snapshot): string | null {
	const isAllowed = openSales.some(
		({ kind, receivedAt }) => kind === 'allow' && receivedAt > now - DAY,
	);
	const ended = dueStudents.filter(({ end }) => end !== null && end <= now).length;
	if (isAllowed || ended < MANY || ended <= PART * studentCount) return null;
	return `${ended} of ${studentCount} students would be removed at once, so none of them was. Is class_sales complete? If this is right, add a row of kind allow to class_sales: for a day, they may be removed.`;
}
