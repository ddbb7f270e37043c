// Who gets a magic link, and what is noted of it.
import type { Answer } from './answers';
import type { Book } from './book';
import { keyOf } from './desired';
import { wanted } from './differences';
import type { Snapshot, Step } from './state';
import type { Buyer, Student } from './tables';
import type { Time } from './types';

/** What is bought within this time has one link. */
const ONE_PURCHASE = 10 * 60_000;

export interface LinkOutcome {
	email: string;
	/** `settled`: it was sent, or isn't sent again. `unknown`: the answer was lost. */
	kind: 'settled' | 'notSent' | 'unknown';
	/** What is said of a failure. */
	failure?: string;
}

/** When the last link was sent to an address. PostgreSQL may hold two rows of it. */
const lastLinkAt = (buyers: Buyer[], email: string): Time | null =>
	Math.max(0, ...buyers.map((row) => (row.email === email ? (row.linkedAt ?? 0) : 0))) || null;

/** Since when nobody knows whether a link was sent to an address, or null. */
const unknownSince = (buyers: Buyer[], email: string): Time | null =>
	buyers.find((row) => row.email === email && row.linkUnknownAt !== null)?.linkUnknownAt ?? null;

/**
 * Who gets a magic link: a buyer with access to a class, if both are later than the last link: when the student came into the
 * class (more than ten minutes, as what is bought together has one link), and when what gives the access was recorded.
 */
export function buyersWithoutLink(book: Book, after: Student[], buyers: Buyer[]): string[] {
	return book.emails.filter((email) => {
		const last = lastLinkAt(buyers, email) ?? 0;
		return after.some((student) => {
			const isOpen = student.email === email && wanted(book.accesses, student, book.now) !== null;
			const givenAt = book.accesses.get(keyOf(student))?.givenAt ?? 0;
			return isOpen && (student.since ?? 0) > last + ONE_PURCHASE && givenAt > last;
		});
	});
}

/**
 * What an answer means. After a second answer that is lost, no link is sent any more: a platform that sends it and fails to say
 * so would otherwise send one every hour.
 */
export function outcomeOfLink(
	email: string,
	{ success, outcome, status, error }: Answer = {},
	{ lockedBuyers, listedClasses }: Snapshot,
): LinkOutcome {
	if (success === true) return { email, kind: 'settled' };
	const failure = `Couldn't send a magic link to ${email}: ${error ?? 'There is no answer.'}`;
	if (outcome === 'notProcessed') return { email, kind: 'notSent', failure };
	if (outcome === 'rejected') {
		const isAnswer = status !== 404 || listedClasses !== undefined;
		return { email, kind: isAnswer ? 'settled' : 'notSent', failure };
	}
	if (unknownSince(lockedBuyers, email) === null) return { email, kind: 'unknown', failure };
	const advice = 'It may have arrived, and is not sent again.';
	return { email, kind: 'settled', failure: `${failure} ${advice}` };
}

/** Unlocks a buyer, and notes what came of the link, if one was asked for. */
export function unlockStep(
	email: string,
	{ now, lockedBuyers }: Snapshot,
	links: LinkOutcome[],
): Step {
	const kind = links.find((link) => link.email === email)?.kind;
	if (kind === 'settled') return { next: 'unlock', email, linkedAt: now, linkUnknownAt: null };
	const linkUnknownAt = kind === 'unknown' ? now : unknownSince(lockedBuyers, email);
	return { next: 'unlock', email, linkedAt: lastLinkAt(lockedBuyers, email), linkUnknownAt };
}
