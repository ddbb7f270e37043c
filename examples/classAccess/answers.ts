// What came of a request, and what is noted of it.
import type { AccessChange } from './differences';
import type { Student } from './tables';
import type { Time } from './types';

/** A request whose answer was lost may still arrive for so long. As long as a lease. */
export const LEASE = 10 * 60_000;

/** How the node Class Enrollment has answered. */
export interface Answer {
	success?: boolean;
	/** What a removal says in its place. */
	deleted?: boolean;
	error?: string;
	outcome?: string;
	status?: number;
}

export interface RequestOutcome {
	request: AccessChange;
	kind: 'done' | 'rejected' | 'notProcessed' | 'unknown';
	/** What is said of a failure. */
	failure?: string;
}

/**
 * What an answer means. A removal of somebody who isn't there is done, too: that the platform rejects. A 404 is no answer while
 * the classes weren't listed, since the Base URL may be wrong.
 * @param listedClasses the learning platform's classes, where they were listed: then the Base URL is right, and 404 is an answer
 */
export function outcomeOfAnswer(
	request: AccessChange,
	answer: Answer = {},
	listedClasses?: string[],
): RequestOutcome {
	const { success, deleted, error, outcome, status } = answer;
	// n8n goes on with the input of a node that breaks. Only a success is one.
	if (success === true || deleted === true) return { request, kind: 'done' };
	const { email, name, classId, end, isSurelyIn } = request;
	const verb = end === null ? ['remove', 'from'] : ['add', 'to'];
	const who = [name, email].filter(Boolean).join(' ');
	const failure = `Couldn't ${verb[0]} ${who} ${verb[1]} class ${classId}: ${error ?? 'There is no answer.'}`;
	if (outcome === 'notProcessed') return { request, kind: outcome, failure };
	if (outcome !== 'rejected') return { request, kind: 'unknown', failure };
	if (status === 404 && !listedClasses) return { request, kind: 'notProcessed', failure };
	const isGone = status === 404 && !listedClasses!.includes(classId);
	const hasLeft = !isSurelyIn && [400, 404, 422].includes(status ?? 0);
	if (end === null && (hasLeft || isGone)) return { request, kind: 'done' };
	return { request, kind: 'rejected', failure };
}

/** A student's row after a request. */
export function studentAfterRequest(
	student: Student,
	{ request, kind, failure }: RequestOutcome,
	now: Time,
): Student {
	const { end, name } = request;
	const isUnsure = student.unsureUntil !== null && student.unsureUntil > now;
	if (kind === 'done') {
		const since = end === null ? null : (student.since ?? now);
		const state = isUnsure
			? { inClass: null, end: null, checkAt: student.unsureUntil }
			: { inClass: end !== null, end, checkAt: end, unsureUntil: null };
		return { ...student, name, since, ...state, problem: '' };
	}
	const problem = failure ?? '';
	if (kind === 'unknown')
		return {
			...student,
			name,
			problem,
			inClass: null,
			end: null,
			checkAt: now,
			unsureUntil: now + LEASE,
		};
	// What is rejected for good is said once, and looked at again at its end.
	if (kind === 'rejected')
		return {
			...student,
			name,
			problem,
			checkAt: student.end !== null && student.end > now ? student.end : null,
		};
	return { ...student, name, problem, checkAt: now };
}
