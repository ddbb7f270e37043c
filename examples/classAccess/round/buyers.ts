// Whom an execution has locked, and who lacks a magic link.
import type { Access, LockedBuyer, Snapshot } from '../state';
import type { Time } from '../types';

/** What is bought within this time has one link. */
const ONE_PURCHASE = 10 * 60_000;

/** Those of the buyers whom this execution has locked. PostgreSQL may hold two rows of a buyer: both must be locked. */
export function lockedBuyers(snapshot: Snapshot, emails: string[]): LockedBuyer[] {
	return emails.flatMap((email) => {
		const rows = snapshot.buyerRows.filter((row) => row.email === email);
		if (rows.length === 0 || rows.some(({ lockedBy }) => lockedBy !== snapshot.executionId))
			return [];
		const before = snapshot.buyerRowsBefore.filter((row) => row.email === email);
		return {
			email,
			leaseEnd: Math.min(...rows.map(({ lockedUntil }) => lockedUntil ?? 0)),
			// A row whose holder lives can't be locked.
			isAbandoned: before.some(({ lockedBy }) => lockedBy !== ''),
			linkedAt: latest(rows.map(({ linkedAt }) => linkedAt)),
			linkUnknownAt: latest(rows.map(({ linkUnknownAt }) => linkUnknownAt)),
		};
	});
}

const latest = (times: Array<Time | null>): Time | null =>
	Math.max(...times.map((time) => time ?? 0)) || null;

/** Whether a buyer gets a magic link: the student came into the class, and what gives the access was recorded, after the last link. */
export function lacksLink(
	{ student, end, givenAt }: Access,
	{ email, linkedAt }: Pick<LockedBuyer, 'email' | 'linkedAt'>,
): boolean {
	const last = linkedAt ?? 0;
	const hasAccess = student.email === email && end !== null;
	return hasAccess && (student.since ?? 0) > last + ONE_PURCHASE && givenAt > last;
}
