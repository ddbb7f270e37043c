// What is written into the tables when a round has come to its end.
import type { Round, Snapshot, Step } from '../state';
import type { Student } from '../tables/rows';
import { isUnnumbered, type Sale } from '../tables/sales';
import type { Time } from '../types';
import { lacksLink } from './buyers';

/** In place of an address. */
const NOBODY = '-';

export const stepsToWrite = (finished: Sale[], snapshot: Snapshot, round: Round): Step[] => [
	...studentsToNote(snapshot, round).map((student): Step => ({ next: 'note', ...student })),
	...finished.map((sale) => finishStep(sale, snapshot.now)),
	...unlockBuyers(snapshot, round),
];

/** The students who were compared. Who lacks a link is looked at again in the next hour. */
function studentsToNote({ now }: Snapshot, { accesses, buyers }: Round): Student[] {
	// Somebody else may have locked the buyers meanwhile, and asked for something else. So what was asked is asked again.
	if (buyers.some(({ leaseEnd }) => leaseEnd < now))
		return accesses
			.filter(({ outcome }) => outcome !== undefined)
			.map(({ student }) => ({ ...student, inClass: null, checkAt: now }));
	return accesses.map((access) => {
		const lacks = buyers.some((buyer) => lacksLink(access, buyer));
		return lacks ? { ...access.student, checkAt: now } : access.student;
	});
}

/** Unlocks the buyers, and notes what is known of their links. The canvas unlocks nobody whom another execution has locked. */
function unlockBuyers({ buyerRows, executionId }: Snapshot, { emails, buyers }: Round): Step[] {
	const own = buyerRows.filter(({ lockedBy }) => lockedBy === executionId);
	// Where there is nobody, it keeps the canvas going.
	return (emails.length > 0 ? emails : [NOBODY]).map((email) => {
		const row = [...buyers, ...own].find((buyer) => buyer.email === email);
		const { linkedAt = null, linkUnknownAt = null } = row ?? {};
		return { next: 'unlock', email, linkedAt, linkUnknownAt };
	});
}

const finishStep = ({ id, paymentId, email, gifts, problem }: Sale, doneAt: Time): Step => ({
	next: 'finish',
	id,
	email,
	// Without blanks around it, so that n8n finds it.
	paymentId: isUnnumbered({ id, paymentId }) ? '' : paymentId,
	doneAt,
	problem,
	classes: gifts.length === 0 ? '' : JSON.stringify(gifts),
});
