// Every hour: whether so many accesses have ended that something may be wrong with the tables.
import type { Snapshot } from './state';
import { emailsOf } from './tables/rows';
import { DAY } from './types';

/** No more than this part of all accesses ends at once, if they are of that many students: a bundle may have many classes. */
const MANY = 20;
export const PART = 0.3;

/** Why nobody may be removed whose access has ended, or null. */
export function brakeOf({ openSales, dueStudents, accessCount, now }: Snapshot): string | null {
	const isAllowed = openSales.some(
		({ kind, receivedAt }) => kind === 'allow' && receivedAt > now - DAY,
	);
	const ended = dueStudents.filter(({ end }) => end !== null && end <= now);
	const students = new Set(emailsOf(ended)).size;
	if (isAllowed || students < MANY || ended.length <= PART * accessCount) return null;
	return `${students} students, with ${ended.length} of ${accessCount} accesses, would be removed at once, so none of them was. To see who, select Execute workflow. Is class_sales complete? If this is right, add a row of kind allow to class_sales: for a day, they may be removed.`;
}
