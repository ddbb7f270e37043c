// What is done every hour: whose access has ended, and what nobody has carried out.
import { lockNext, ofOthers } from './plan';
import type { Given, Plan, State } from './state';

const DAY = 86_400_000;
/** How many buyers are locked and looked up together. */
const PORTION = 50;
/** No more than this part of all students is removed at once, if they are that many. */
const [MANY, PART] = [20, 0.3];

/** Begins with whoever has waited longest, so that those who fail never keep the others waiting. */
export function beginHour(given: Given, state: State): Plan {
	const { due, left } = given;
	const oldestFirst = [...due].sort((a, b) => (a.checkAt ?? 0) - (b.checkAt ?? 0));
	const { queue, nameless } = ofOthers(left, []);
	const emails = [...new Set([...queue.flat(), ...oldestFirst.map(({ email }) => email)])];
	const portions: string[][] = [];
	for (let from = 0; from < emails.length; from += PORTION)
		portions.push(emails.slice(from, from + PORTION));
	const begun = { ...state, nameless, queue: portions, hasTakenOthers: true };
	if (overOf(given) < MANY) return lockNext(given, begun);
	return { state: begun, steps: [{ next: 'count' }] };
}

/** How many are due because their access has ended. */
const overOf = ({ due, now }: Given): number =>
	due.filter(({ end }) => end !== null && end <= now).length;

/** Why nobody may be removed whose access has ended: so many that something may be wrong with the tables. */
export function brakeOf(given: Given): string | null {
	const { left, now, inClass } = given;
	const isAllowed = left.some(({ kind, receivedAt }) => kind === 'allow' && receivedAt > now - DAY);
	const over = overOf(given);
	if (isAllowed || over <= PART * inClass) return null;
	return `${over} of ${inClass} students would be removed at once, so none of them was. Is class_sales complete? If this is right, add a row of kind allow to class_sales: for a day, they may be removed.`;
}
