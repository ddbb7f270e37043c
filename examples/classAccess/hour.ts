// What is done every hour: whose access has ended, and what nobody has carried out.
import type { Snapshot } from './state';
import { DAY } from './types';

/** No more than this part of all students is removed at once, if they are that many. */
const [MANY, PART] = [20, 0.3];

/** Whoever is due. The first one has waited longest, so that those who fail never keep the others waiting. */
export const dueEmails = ({ dueStudents }: Snapshot): string[] =>
	[...dueStudents].sort((a, b) => (a.checkAt ?? 0) - (b.checkAt ?? 0)).map(({ email }) => email);

/** How many are due because their access has ended. */
const countEnded = ({ dueStudents, now }: Snapshot): number =>
	dueStudents.filter(({ end }) => end !== null && end <= now).length;

export const hasManyEnded = (snapshot: Snapshot): boolean => countEnded(snapshot) >= MANY;

/** Why nobody may be removed whose access has ended: so many that something may be wrong with the tables. */
export function brakeOf(snapshot: Snapshot): string | null {
	const { leftBehind, now, studentCount } = snapshot;
	const isAllowed = leftBehind.some(
		({ kind, receivedAt }) => kind === 'allow' && receivedAt > now - DAY,
	);
	const ended = countEnded(snapshot);
	if (isAllowed || ended <= PART * studentCount) return null;
	return `${ended} of ${studentCount} students would be removed at once, so none of them was. Is class_sales complete? If this is right, add a row of kind allow to class_sales: for a day, they may be removed.`;
}
