import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { bookOf, type Book } from './book';
import { lacksLink, lockedBuyers } from './buyers';
import { differences } from './differences';
import { brakeOf, dueEmails, hasManyEnded } from './hour';
import { nextRequests, withAnswers } from './requests';
import { finishedSales, resultOf, salesWithAddressOfPayment } from './sales';
import type { Done, LockedBuyer, Lookup, Plan, Round, Snapshot, State, Step } from './state';
import type { Buyer, Sale, Student } from './tables';
import type { Time } from './types';

const MINUTE = 60_000;
/** Who hasn't got through by then leaves the rest to the next hour. */
const LONGEST = 45 * MINUTE;
/** How many buyers are locked and looked up together. */
const PORTION = 50;
/** How often an execution waits for a buyer who is locked. */
const WAITS = 2;
/** In place of an address: it unlocks no row, but keeps the canvas going. */
const NOBODY = '-';
const TOO_LONG = 'It took too long, so the rest is left to the next hour.';
const NO_ROUND: Round = { lookups: [], waits: 0, buyers: [], accesses: [] };

/**
 * What to do next, so that the learning platform agrees with what is paid. The sale was recorded before. Then, for each buyer:
 * lock them; compare what is paid with what the platform was told, and ask; write down what came of it; unlock them, and look
 * once more. One execution at a time works for a buyer, so two that come together need nothing else. A lease that wasn't given
 * back says that its holder has died on the way: then all is asked again.
 */
export function plan(snapshot: Snapshot): Plan {
	const { state } = snapshot;
	const planned = state?.doing ? AFTER[state.doing](snapshot, state) : begin(snapshot);
	return { ...planned, state: { ...planned.state, doing: planned.steps[0]!.next } };
}

/** What follows when the canvas has carried out a step. */
const AFTER: Record<Step['next'], (snapshot: Snapshot, state: State) => Plan> = {
	due: beginHour,
	count: (snapshot, state) => lockNext(snapshot, { ...state, brake: brakeOf(snapshot) }),
	look: compare,
	lock: compare,
	wait: compare,
	add: readAnswers,
	remove: readAnswers,
	link: readAnswers,
	note: lookOnceMore,
	finish: lookOnceMore,
	unlock: lookOnceMore,
	done,
};

function begin(snapshot: Snapshot): Plan {
	const { sale, listedClasses, now } = snapshot;
	const state: State = {
		startedAt: now,
		queue: [],
		buyersOfSale: [],
		visited: [],
		hasQueuedLeftBehind: false,
		brake: null,
		wouldRemove: [],
		failures: [],
		result: null,
		round: NO_ROUND,
	};
	const fail = (failure: string) => done(snapshot, { ...state, failures: [failure] });
	if (!sale) {
		if (listedClasses?.length === 0)
			return fail('The learning platform lists no classes. Check the credential.');
		return { state, steps: [{ next: 'due' }] };
	}
	if (!Number.isInteger(sale.id))
		return fail('The id is missing. Insert the sale into class_sales first.');
	return lockNext(snapshot, { ...state, buyersOfSale: [sale.email], queue: queueOf([sale]) });
}

/** First the rows that say no address, then the buyers, each once. */
function queueOf(
	sales: Array<Pick<Sale, 'id' | 'paymentId' | 'email'>>,
	otherEmails: string[] = [],
): Lookup[][] {
	const lookups = sales
		.filter(({ email }) => !isAddress(email))
		.map(({ id, paymentId }): Lookup => ({ email: '', paymentId, saleId: id }));
	const emails = [...sales.map(({ email }) => email).filter(isAddress), ...otherEmails];
	const buyers = [...new Set(emails)].map((email): Lookup => ({ email }));
	return [lookups, ...portionsOf(buyers)].filter(({ length }) => length > 0);
}

const portionsOf = (buyers: Lookup[]): Lookup[][] =>
	buyers.flatMap((_, index) =>
		index % PORTION === 0 ? [buyers.slice(index, index + PORTION)] : [],
	);

/** Begins with what nobody has carried out. */
function beginHour(snapshot: Snapshot, state: State): Plan {
	const queue = queueOf(snapshot.leftBehind, dueEmails(snapshot));
	const begun: State = { ...state, queue, hasQueuedLeftBehind: true };
	if (hasManyEnded(snapshot)) return { state: begun, steps: [{ next: 'count' }] };
	return lockNext(snapshot, begun);
}

/** Goes on with the next buyers, or, if there are none or no time is left, ends. */
function lockNext(snapshot: Snapshot, state: State): Plan {
	const [lookups, ...queue] = state.queue;
	if (!lookups || snapshot.now > state.startedAt + LONGEST) return done(snapshot, state);
	const steps = lookups.map((lookup): Step => ({
		next: lookup.email ? 'lock' : 'look',
		...lookup,
	}));
	return { state: { ...state, queue, round: { ...NO_ROUND, lookups } }, steps };
}

/** What the tables say of the buyers who are locked now, and so what to ask. */
function compare(snapshot: Snapshot, state: State): Plan {
	const { lookups: all } = state.round;
	const buyers = lockedBuyers(snapshot, emailsOf(all));
	const emails = emailsOf(buyers);
	const lookups = all.filter(({ email }) => email === '' || emails.includes(email));
	if (lookups.length === 0) return leaveToOther(snapshot, state);
	const book = bookOf(snapshot, lookups);
	const mayRemove = !snapshot.isByHand && state.brake === null;
	const accesses = differences(snapshot, book, buyers, mayRemove);
	const compared: State = {
		...state,
		buyersOfSale: buyersOfCall(book, snapshot) ?? state.buyersOfSale,
		visited: [...state.visited, ...emails],
		round: { ...state.round, lookups, buyers, accesses },
	};
	return ask(snapshot, compared);
}

const emailsOf = (lookups: Array<{ email: string }>): string[] => lookups.map(({ email }) => email);

/** Whose the sale of the call is: all addresses of its payment. */
const buyersOfCall = ({ payments }: Book, { sale }: Snapshot): string[] | undefined =>
	payments.find(({ sales }) => sales.some(({ id }) => id === sale?.id))?.emails;

/** Waits for a buyer of its own sale. Otherwise, whoever has locked them also does what is recorded by now. */
function leaveToOther(snapshot: Snapshot, state: State): Plan {
	const { lookups, waits } = state.round;
	// PostgreSQL may hold two rows of a buyer. The one that is locked is given back: somebody else may have the other one.
	const isOwn = ({ lockedBy }: Buyer) => lockedBy === snapshot.executionId;
	const steps = unlock(snapshot.lockedBuyers.filter(isOwn));
	const isOfSale = lookups.some(({ email }) => state.buyersOfSale.includes(email));
	if (isOfSale && waits < WAITS)
		return { state: { ...state, round: { ...NO_ROUND, lookups, waits: waits + 1 } }, steps };
	const reason = 'Another execution works for this buyer, and does it.';
	const result: Done | null = isOfSale ? { result: 'recorded', reason } : null;
	return { state: { ...state, result: resultAfter(state, result), round: NO_ROUND }, steps };
}

/** Asks for additions first, then for removals, then for links. When all are answered, or no time is left, writes. */
function ask(snapshot: Snapshot, state: State): Plan {
	const { now } = snapshot;
	const requests = nextRequests(state.round, now);
	if (requests.length === 0) return write(snapshot, state);
	if (state.round.buyers.some(({ leaseEnd }) => leaseEnd - now < MINUTE))
		return write(snapshot, { ...state, failures: [...state.failures, TOO_LONG] }, true);
	return { state, steps: requests };
}

function readAnswers(snapshot: Snapshot, state: State): Plan {
	return ask(snapshot, { ...state, round: withAnswers(state.round, snapshot) });
}

/**
 * Writes down what came of this round, and unlocks its buyers.
 * @param isCutShort the lease is nearly over, so not everything was asked, and no sale is finished
 */
function write(snapshot: Snapshot, state: State, isCutShort = false): Plan {
	const { round, visited, queue } = state;
	const book = bookOf(snapshot, round.lookups);
	const finished = isCutShort ? [] : finishedSales(book, visited);
	const written: State = {
		...state,
		queue: [...buyersToCome(book, state), ...queue],
		round: NO_ROUND,
		wouldRemove: [...state.wouldRemove, ...withheld(round)],
		failures: [
			...state.failures,
			...failuresOf(snapshot, state),
			...problemsOfCall(finished, snapshot),
		],
		result: resultAfter(state, resultOf(book, round, snapshot)),
	};
	const steps: Step[] = [
		...studentsToNote(snapshot, round).map((student): Step => ({
			next: 'note',
			...student,
			problem: student.problem || null,
		})),
		...finished.map((sale) => finish(sale, snapshot.now)),
		...salesWithAddressOfPayment(book, finished).map((sale) => finish(sale, null)),
		...unlock(buyersToUnlock(snapshot, round)),
	];
	return { state: written, steps };
}

/** Somebody else may have locked the buyers meanwhile, and asked for something else. */
const isLeaseOver = ({ now }: Snapshot, { buyers }: Round): boolean =>
	buyers.some(({ leaseEnd }) => leaseEnd < now);

/**
 * The rows of students that have changed. Who lacks a link is looked at again in the next hour. After the lease, it is only
 * certain that something was asked: then that is unknown, so that it is asked again.
 */
function studentsToNote(snapshot: Snapshot, round: Round): Student[] {
	const checkAt = snapshot.now;
	if (isLeaseOver(snapshot, round))
		return round.accesses
			.filter(({ outcome }) => outcome !== undefined)
			.map(({ student }) => ({ ...student, inClass: null, end: null, checkAt }));
	return round.accesses.flatMap((access) => {
		const { student, isChanged } = access;
		if (round.buyers.some((buyer) => lacksLink(access, buyer))) return [{ ...student, checkAt }];
		return isChanged ? [student] : [];
	});
}

/** Who must be removed, if a person allows it. */
const withheld = ({ accesses }: Round) =>
	accesses
		.filter(({ request }) => request === 'withheld')
		.map(({ student: { email, name, classId } }) => ({ email, name, classId }));

/** What has failed: every hour for everybody. Otherwise for the buyers of the sale, and what isn't asked again. */
function failuresOf({ sale }: Snapshot, { buyersOfSale, round }: State): string[] {
	const isReported = (email: string) => !sale || buyersOfSale.includes(email);
	const asked = round.accesses.map(({ student: { email }, outcome }) => ({ email, outcome }));
	const failed = [...asked, ...round.buyers].flatMap(({ email, outcome }) =>
		outcome?.failure && (isReported(email) || !outcome.isRetried) ? [outcome.failure] : [],
	);
	const unreadable = round.accesses
		.filter(({ student, outcome }) => student.isUnreadable && !outcome && isReported(student.email))
		.map(({ student }) => student.problem);
	return [...unreadable, ...failed];
}

/** What is wrong with the sales that were finished: every hour with all of them, otherwise with those of the call's payment. */
const problemsOfCall = (finished: Sale[], { sale: call }: Snapshot): string[] =>
	finished
		.filter(({ id, paymentId }) => !call || id === call.id || paymentId === call.paymentId)
		.flatMap(({ problem }) => problem ?? []);

/** A payment that moves is added in one round, and removed in another. */
const resultAfter = ({ result }: State, next: Done | null): Done | null =>
	result?.result === 'added' ? result : (next ?? result);

const finish = ({ id, email, gifts, problem }: Sale, doneAt: Time | null): Step => ({
	next: 'finish',
	id,
	email,
	doneAt,
	problem: problem ?? null,
	classes: gifts.length === 0 ? '' : JSON.stringify(gifts),
});

/** The other addresses of the payments that were seen, each alone, if one of their sales is open. */
function buyersToCome({ payments }: Book, { visited, queue }: State): Lookup[][] {
	const emails = payments
		.filter(({ sales }) => sales.some(({ isDone }) => !isDone))
		.flatMap((payment) => payment.emails)
		.filter((email) => !visited.includes(email) && !emailsOf(queue.flat()).includes(email));
	return [...new Set(emails)].map((email) => [{ email }]);
}

/**
 * Which buyers are unlocked, and what is noted of their links. After the lease, only those who were asked a link for: the canvas
 * unlocks nobody whom another execution has locked meanwhile.
 */
function buyersToUnlock(snapshot: Snapshot, round: Round): LockedBuyer[] {
	const wasAsked = ({ outcome }: LockedBuyer) => outcome && outcome.kind !== 'notProcessed';
	const buyers = isLeaseOver(snapshot, round) ? round.buyers.filter(wasAsked) : round.buyers;
	return buyers.map((buyer) => {
		// Of the next purchase, the first answer that is lost isn't the second one.
		const isLinkOpen = round.accesses.some((access) => lacksLink(access, buyer));
		return isLinkOpen ? buyer : { ...buyer, linkUnknownAt: null };
	});
}

function unlock(buyers: Array<Pick<Buyer, 'email' | 'linkedAt' | 'linkUnknownAt'>>): Step[] {
	if (buyers.length === 0)
		return [{ next: 'unlock', email: NOBODY, linkedAt: null, linkUnknownAt: null }];
	return buyers.map(({ email, linkedAt, linkUnknownAt }) => ({
		next: 'unlock',
		email,
		linkedAt,
		linkUnknownAt,
	}));
}

/** Goes on when buyers are unlocked: with those for whom more is recorded, and last with what others have not come to do. */
function lookOnceMore(snapshot: Snapshot, state: State): Plan {
	const { round, visited, hasQueuedLeftBehind } = state;
	if (round.waits > 0)
		return { state, steps: emailsOf(round.lookups).map((email) => ({ next: 'wait', email })) };
	const queue = [...buyersWithMore(snapshot, state), ...state.queue];
	if (queue.length > 0 || hasQueuedLeftBehind) return lockNext(snapshot, { ...state, queue });
	const leftBehind = snapshot.leftBehind.filter(({ email }) => !visited.includes(email));
	return lockNext(snapshot, { ...state, queue: queueOf(leftBehind), hasQueuedLeftBehind: true });
}

/** Buyers of this execution for whom others have recorded something meanwhile, and left it to this one. */
function buyersWithMore({ sales, openSales }: Snapshot, { visited }: State): Lookup[][] {
	const known = new Set(sales.map(({ id }) => id));
	return queueOf(
		openSales.filter(
			({ id, isDone, email }) => !isDone && !known.has(id) && visited.includes(email),
		),
	);
}

function done(snapshot: Snapshot, state: State): Plan {
	const { failures, brake, wouldRemove, queue } = state;
	const reasons = [...failures, ...(queue.length > 0 && failures.length === 0 ? [TOO_LONG] : [])];
	if (brake && wouldRemove.length > 0) reasons.push(brake);
	if (reasons.length > 0)
		return {
			state,
			steps: [{ next: 'done', result: 'failed', reason: [...new Set(reasons)].join(' ') }],
		};
	if (!snapshot.sale)
		return {
			state,
			steps: [{ next: 'done', result: 'done', ...(snapshot.isByHand && { wouldRemove }) }],
		};
	return { state, steps: [{ next: 'done', ...(state.result ?? NOT_FOUND) }] };
}

const NOT_FOUND: Done = {
	result: 'failed',
	reason: 'class_sales has no row with this id. Insert the sale first.',
};
