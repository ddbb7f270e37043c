// What the learning platform is asked, what its answers mean, and what is noted of them.
import type { Answer } from '../../codeNodes/answer';
import { keyOf } from '../book/desired';
import type { Access, LockedBuyer, Round, Snapshot } from '../state';
import type { Student } from '../tables/rows';
import { LEASE, type Time } from '../types';
import { lacksLink } from './buyers';

/** What the learning platform is asked. A link is for no class, and only additions have an end. */
export interface Request {
	next: 'add' | 'remove' | 'link';
	email: string;
	name?: string;
	classId?: string;
	end?: Time | null;
	/** Of a removal: whether the student is in the class. Null: an answer was lost, or an execution has died. */
	inClass?: boolean | null;
}

export interface Outcome {
	/** `rejected`: it isn't asked again. The last two are, in the next hour. */
	kind: 'done' | 'rejected' | 'notProcessed' | 'unknown';
	/** What is said of a failure, or of a removal that is done perhaps. */
	failure?: string;
}

/** Whether it isn't asked again. */
export const isFinal = (outcome?: Outcome): boolean =>
	outcome?.kind === 'done' || outcome?.kind === 'rejected';

/** What is asked next, all of one kind: additions first, then removals, then magic links. */
export function nextRequests({ accesses, buyers }: Round, now: Time): Request[] {
	const requests = (next: 'add' | 'remove'): Request[] =>
		accesses
			.filter(({ request, outcome }) => request === next && !outcome)
			.map(({ student, end }) => {
				const { email, name, classId } = student;
				// Without an end, a removal may have worked.
				const isOut = student.end === null || student.end <= now;
				return { next, email, name, classId, end, inClass: isOut ? false : student.inClass };
			});
	const links = buyers
		.filter((buyer) => !buyer.outcome && accesses.some((access) => lacksLink(access, buyer)))
		.map(({ email }): Request => ({ next: 'link', email }));
	return [requests('add'), requests('remove'), links].find(({ length }) => length > 0) ?? [];
}

/** A round with what was answered. */
export function withAnswers(round: Round, { answers, listedClasses, now }: Snapshot): Round {
	const outcomes = new Map(
		nextRequests(round, now).map((request, index) => [
			keyOf(request),
			outcomeOf(request, answers[index], listedClasses),
		]),
	);
	const accesses = round.accesses.map((access) => {
		const outcome = outcomes.get(keyOf(access.student));
		if (!outcome) return access;
		return { ...access, outcome, student: studentAfter(access, outcome, now) };
	});
	const buyers = round.buyers.map((buyer) => {
		const outcome = outcomes.get(keyOf(buyer));
		return outcome ? buyerAfter(buyer, outcome, accesses, now) : buyer;
	});
	return { ...round, accesses, buyers };
}

const ASK_AGAIN = 'To ask again, empty doneAt of their row in class_sales.';
const SEND_AGAIN = 'It is not sent again. To send one, use the operation Send Magic Link.';

/** What an answer means. A removal is done, too, if it is rejected because the student isn't in the class. */
function outcomeOf(request: Request, answer: Answer = {}, listedClasses?: string[]): Outcome {
	const { success, deleted, error = 'There is no answer.', outcome, status = 0 } = answer;
	// n8n goes on with the input of a node that breaks. Only a success is one.
	if (success === true || deleted === true) return { kind: 'done' };
	const failure = `Couldn't ${whatIs(request)}: ${error.replace(/\.?$/, '.')}`;
	if (outcome === 'notProcessed') return { kind: 'notProcessed', failure };
	if (outcome !== 'rejected') return { kind: 'unknown', failure };
	// If no classes were listed, the Base URL may be wrong.
	if (status === 404 && !listedClasses) return { kind: 'notProcessed', failure };
	const { next, inClass } = request;
	const mayBeOut = next === 'remove' && inClass !== true && [400, 404, 422].includes(status);
	const advice = next === 'link' ? SEND_AGAIN : ASK_AGAIN;
	if (!mayBeOut) return { kind: 'rejected', failure: `${failure} ${advice}` };
	if (inClass === false) return { kind: 'done' };
	const notice = 'They may not be in the class. Look in the learning platform.';
	return { kind: 'done', failure: `${failure} ${notice}` };
}

function whatIs(request: Request): string {
	const { next, email, classId } = request;
	return {
		add: `add ${whoIs(request)} to class ${classId}`,
		remove: `remove ${whoIs(request)} from class ${classId}`,
		link: `send a magic link to ${email}`,
	}[next];
}

/** The name, if it is known, and the address. */
export const whoIs = ({ name, email }: Pick<Request, 'name' | 'email'>): string =>
	[name, email].filter(Boolean).join(' ');

function studentAfter({ student: before, end }: Access, outcome: Outcome, now: Time): Student {
	const { kind, failure: problem = '' } = outcome;
	// Who comes back after the end gets a magic link, also if nobody could remove them, or no answer came.
	const hasEnded = end === null || (before.end !== null && before.end <= now);
	const student = { ...before, since: hasEnded ? null : before.since, problem };
	switch (kind) {
		case 'done':
			return toldStudent(student, end, now);
		case 'rejected': {
			// It is said once, and looked at again at the earlier end, as they may be in the class.
			const ends = [student.end, end].filter((time) => time !== null).filter((time) => time > now);
			return { ...student, checkAt: ends.length === 0 ? null : Math.min(...ends) };
		}
		case 'unknown':
			return { ...student, inClass: null, end, checkAt: now, unsureUntil: now + LEASE };
		case 'notProcessed':
			return { ...student, checkAt: now };
	}
}

/** A student who was added until an end, or removed. */
function toldStudent(student: Student, end: Time | null, now: Time): Student {
	const { unsureUntil } = student;
	const since = end === null ? null : (student.since ?? now);
	// What was asked before may still arrive after it. So it is asked again.
	if (unsureUntil !== null && unsureUntil > now)
		return { ...student, since, inClass: null, checkAt: unsureUntil };
	return { ...student, since, inClass: end !== null, end, checkAt: end, unsureUntil: null };
}

/** After a second lost answer, no link is sent for a purchase: a platform that sends without an answer would send one every hour. */
function buyerAfter(
	buyer: LockedBuyer,
	outcome: Outcome,
	accesses: Access[],
	now: Time,
): LockedBuyer {
	if (isFinal(outcome)) return { ...buyer, outcome, linkedAt: now };
	if (outcome.kind === 'notProcessed') return { ...buyer, outcome };
	// The second one, if the link whose answer was lost last would have been enough.
	const { email, linkUnknownAt } = buyer;
	const isSecond = !accesses.some((access) =>
		lacksLink(access, { email, linkedAt: linkUnknownAt }),
	);
	if (!isSecond) return { ...buyer, outcome, linkUnknownAt: now };
	const failure = `${outcome.failure} It may have arrived, and is not sent again.`;
	return { ...buyer, outcome: { kind: 'rejected', failure }, linkedAt: now };
}
