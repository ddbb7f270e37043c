// Every hour: whether so many accesses have ended that something may be wrong with the tables.
import type { Snapshot } from './state';
import { DAY } from './types';

/** No more than this part of all students is removed at once, if they are that many. */
const [MANY, PART] = [20, 0.3];

const countEnded = ({ dueStudents, now }: Snapshot): number =>
	dueStudents.filter(({ end }) => end !== null && end <= now).length;

export const hasManyEnded = (snapshot: Snapshot): boolean => countEnded(snapshot) >= MANY;

/** Why nobody may be removed whose access has ended, or null. */
export function brakeOf(snapshot: Snapshot): string | null {
	const { leftBehind, now, studentCount } = snapshot;
	const isAllowed = leftBehind.some(
		({ kind, receivedAt }) => kind === 'allow' && receivedAt > now - DAY,
	);
	const ended = countEnded(snapshot);
	if (isAllowed || ended <= PART * studentCount) return null;
	return `${ended} of ${studentCount} students would be removed at once, so none of them was. Is class_sales complete? If this is right, add a row of kind allow to class_sales: for a day, they may be removed.`;
}
