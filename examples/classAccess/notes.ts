// What is written into the tables when a round has come to its end.
import { lacksLink } from './buyers';
import type { Access, LockedBuyer, Round, Snapshot, Step } from './state';
import { isUnnumbered, type Sale, type Student } from './tables';
import type { Time } from './types';

/** In place of an address: it unlocks no row, but keeps the canvas going. */
const NOBODY = '-';

export const stepsToWrite = (finished: Sale[], snapshot: Snapshot, round: Round): Step[] => [
	...noteStudents(snapshot, round),
	...finished.map((sale) => finishStep(sale, snapshot.now)),
	...unlockBuyers(snapshot, round),
];

/**
 * Notes the students who were compared. Who lacks a link is looked at again in the next hour. After the lease, it is only certain
 * that something was asked: then that is unknown, so that it is asked again.
 */
function noteStudents({ now }: Snapshot, round: Round): Step[] {
	const note = (student: Student): Step => ({
		next: 'note',
		...student,
		problem: student.problem || null,
	});
	const checkAt = now;
	// Somebody else may have locked the buyers meanwhile, and asked for something else.
	if (round.buyers.some(({ leaseEnd }) => leaseEnd < now))
		return round.accesses
			.filter(({ outcome }) => outcome !== undefined)
			.map(({ student }) => note({ ...student, inClass: null, checkAt }));
	const lacks = (access: Access) => round.buyers.some((buyer) => lacksLink(access, buyer));
	return round.accesses.map((access) =>
		note(lacks(access) ? { ...access.student, checkAt } : access.student),
	);
}

/**
 * Unlocks the buyers, and notes what is known of their links. The canvas unlocks nobody whom another execution has locked. After
 * the first answer that was lost, the next purchase begins anew.
 */
function unlockBuyers(
	{ buyerRows, executionId }: Snapshot,
	{ emails, buyers, accesses }: Round,
): Step[] {
	const isSettled = (buyer: LockedBuyer) => !accesses.some((access) => lacksLink(access, buyer));
	const known = buyers.map((buyer) =>
		isSettled(buyer) ? { ...buyer, linkUnknownAt: null } : buyer,
	);
	const own = buyerRows.filter(({ lockedBy }) => lockedBy === executionId);
	const steps = emails.map((email): Step => {
		const row = [...known, ...own].find((buyer) => buyer.email === email);
		const { linkedAt = null, linkUnknownAt = null } = row ?? {};
		return { next: 'unlock', email, linkedAt, linkUnknownAt };
	});
	const nobody: Step = { next: 'unlock', email: NOBODY, linkedAt: null, linkUnknownAt: null };
	return steps.length > 0 ? steps : [nobody];
}

const finishStep = ({ id, paymentId, email, gifts, problem }: Sale, doneAt: Time): Step => ({
	next: 'finish',
	id,
	email,
	// Without blanks around it, so that n8n finds it.
	paymentId: isUnnumbered({ id, paymentId }) ? '' : paymentId,
	doneAt,
	problem: problem || null,
	classes: gifts.length === 0 ? '' : JSON.stringify(gifts),
});
