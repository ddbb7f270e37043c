// What is done every hour: whose access has ended, and what nobody has carried out.
import { lockNext, queueOf } from './plan';
import type { Snapshot, Plan, State } from './state';

const DAY = 86_400_000;
/** How many buyers are locked and looked up together. */
const PORTION = 50;
/** No more than this part of all students is removed at once, if they are that many. */
const [MANY, PART] = [20, 0.3];

/** Begins with whoever has waited longest, so that those who fail never keep the others waiting. */
export function beginHour(snapshot: Snapshot, state: State): Plan {
	const { dueStudents, leftBehind } = snapshot;
	const oldestFirst = [...dueStudents].sort((a, b) => (a.checkAt ?? 0) - (b.checkAt ?? 0));
	const { queue, salesWithoutAddress } = queueOf(leftBehind, []);
	const emails = [...new Set([...queue.flat(), ...oldestFirst.map(({ email }) => email)])];
	const portions: string[][] = [];
	for (let from = 0; from < emails.length; from += PORTION)
		portions.push(emails.slice(from, from + PORTION));
	const begun: State = {
		...state,
		salesWithoutAddress,
		queue: portions,
		hasQueuedLeftBehind: true,
	};
	if (countEnded(snapshot) < MANY) return lockNext(snapshot, begun);
	return { state: begun, steps: [{ next: 'count' }] };
}

/** How many are due because their access has ended. */
const countEnded = ({ dueStudents, now }: Snapshot): number =>
	dueStudents.filter(({ end }) => end !== null && end <= now).length;

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
