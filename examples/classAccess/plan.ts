import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { outcomeOfAnswer } from './answers';
import { bookOf, type Book } from './book';
import { keyOf } from './desired';
import { differences, type AccessChange } from './differences';
import { beginHour, brakeOf } from './hour';
import { buyersWithoutLink, outcomeOfLink, unlockStep } from './links';
import { resultOf } from './result';
import {
	NO_ROUND,
	type Done,
	type Plan,
	type Round,
	type Snapshot,
	type State,
	type Step,
} from './state';
import type { Buyer, Sale, Student } from './tables';
import type { Time } from './types';
import {
	changedStudents,
	finishedSales,
	salesWithAddressOfPayment,
	studentsAfter,
} from './written';

const MINUTE = 60_000;
/** Who hasn't got through by then leaves the rest to the next hour. */
const LONGEST = 45 * MINUTE;
/** How often an execution waits for a buyer who is locked, and how often it works for one for whom more is recorded. */
const [WAITS, ROUNDS] = [2, 9];
/** In place of an address: it unlocks no row, but keeps the canvas going. */
const NOBODY = '-';
const TOO_LONG = 'It took too long, so the rest is left to the next hour.';

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
	link: readLinks,
	note: lookOnceMore,
	finish: lookOnceMore,
	unlock: lookOnceMore,
	done: lookOnceMore,
};

function begin(snapshot: Snapshot): Plan {
	const { sale, listedClasses } = snapshot;
	const state: State = {
		startedAt: snapshot.now,
		queue: [],
		salesWithoutAddress: [],
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
	const { email, paymentId } = sale;
	if (!isAddress(email))
		return lockNext(snapshot, { ...state, salesWithoutAddress: [{ paymentId, saleId: sale.id }] });
	return lockNext(snapshot, { ...state, buyersOfSale: [email], queue: [[email]] });
}

/** Goes on with the next buyers, or, if there are none or no time is left, ends. */
export function lockNext(snapshot: Snapshot, state: State): Plan {
	if (state.salesWithoutAddress.length > 0) {
		const steps = state.salesWithoutAddress.map((sale): Step => ({
			next: 'look',
			email: '',
			...sale,
		}));
		return { state: { ...state, salesWithoutAddress: [], round: NO_ROUND }, steps };
	}
	const [emails, ...queue] = state.queue;
	if (emails === undefined || snapshot.now > state.startedAt + LONGEST)
		return done(snapshot, state);
	const steps = emails.map((email): Step => ({ next: 'lock', email }));
	return { state: { ...state, queue, round: { ...NO_ROUND, emails } }, steps };
}

/** What the tables say of the buyers who are locked now, and so what to ask. */
function compare(snapshot: Snapshot, state: State): Plan {
	const { lockedBuyers, buyersBefore, executionId } = snapshot;
	const rowsOf = (email: string) => lockedBuyers.filter((row) => row.email === email);
	const isOwn = ({ lockedBy }: Buyer) => lockedBy === executionId;
	// PostgreSQL may hold two rows of a buyer. Only who holds all of them works.
	const isLocked = (email: string) => rowsOf(email).length > 0 && rowsOf(email).every(isOwn);
	const emails = state.round.emails.filter(isLocked);
	if (emails.length === 0 && state.round.emails.length > 0) return lockedByOther(snapshot, state);
	const wasLocked = ({ email, lockedBy }: Buyer) => emails.includes(email) && lockedBy !== '';
	const abandoned = buyersBefore.filter(wasLocked).map(({ email }) => email);
	const leaseEnd = Math.min(
		...lockedBuyers.filter(isOwn).map(({ lockedUntil }) => lockedUntil ?? 0),
	);
	const round: Round = { ...NO_ROUND, emails, abandoned, leaseEnd };
	const book = bookOf(snapshot, { round });
	const { changes, withheld } = withheldOrNot(book, snapshot, state);
	const unreadable = snapshot.students
		.filter(({ email }) => emails.includes(email) && isReported(snapshot, state, email))
		.flatMap((student) => (student.isUnreadable ? [student.problem] : []));
	const compared: State = {
		...state,
		wouldRemove: [...state.wouldRemove, ...withheld],
		failures: [...state.failures, ...unreadable],
		round: { ...round, changes },
	};
	return ask(book, snapshot, compared);
}

/** Waits for a buyer of its own sale. Otherwise, whoever has locked them also does what is recorded by now. */
function lockedByOther(snapshot: Snapshot, state: State): Plan {
	const { emails, waits } = state.round;
	const isOfSale = emails.some((email) => state.buyersOfSale.includes(email));
	// What is locked in part must be given back at once: somebody else may have the other part.
	const isPart = snapshot.lockedBuyers.some(({ lockedBy }) => lockedBy === snapshot.executionId);
	if (isOfSale && waits < WAITS) {
		const round: Round = { ...state.round, waits: waits + 1, isToWait: true };
		const waiting: State = { ...state, round };
		return isPart ? unlock(waiting, emails, snapshot) : wait(waiting);
	}
	const reason = 'Another execution works for this buyer, and does it.';
	const result: Done | null = isOfSale ? { result: 'recorded', reason } : null;
	const givenUp: State = { ...state, result: resultAfter(state, result), round: NO_ROUND };
	return isPart ? unlock(givenUp, emails, snapshot) : lockNext(snapshot, givenUp);
}

const wait = (state: State): Plan => ({
	state,
	steps: state.round.emails.map((email) => ({ next: 'wait', email })),
});

const unlock = (state: State, emails: string[], snapshot: Snapshot): Plan => ({
	state,
	steps: emails.map((email) => unlockStep(email, snapshot, [])),
});

/** Asks for additions first, then for removals, then for links. */
function ask(book: Book, snapshot: Snapshot, state: State): Plan {
	const { emails, leaseEnd, outcomes } = state.round;
	if (emails.length > 0 && leaseEnd - snapshot.now < MINUTE)
		return write(book, snapshot, { ...state, failures: [...state.failures, TOO_LONG] }, true);
	const changes = nextChanges(state.round);
	if (changes.length > 0) {
		const next = changes[0]!.end === null ? 'remove' : 'add';
		return { state, steps: changes.map((change): Step => ({ next, ...change })) };
	}
	const after = studentsAfter(book, outcomes);
	const askedLinks = buyersWithoutLink(book, after, snapshot.lockedBuyers);
	if (askedLinks.length === 0) return write(book, snapshot, state);
	const steps = askedLinks.map((email): Step => ({ next: 'link', email }));
	return { state: { ...state, round: { ...state.round, askedLinks } }, steps };
}

/** Which changes are asked for next: the additions, or, if all of them have an outcome, the removals. */
function nextChanges({ changes, outcomes }: Round): AccessChange[] {
	const answered = new Set(outcomes.map(({ request }) => keyOf(request)));
	const left = changes.filter((change) => !answered.has(keyOf(change)));
	const additions = left.filter(({ end }) => end !== null);
	return additions.length > 0 ? additions : left;
}

function readAnswers(snapshot: Snapshot, state: State): Plan {
	const { round, failures } = state;
	const outcomes = nextChanges(round).map((change, index) =>
		outcomeOfAnswer(change, snapshot.answers[index], snapshot.listedClasses),
	);
	const newFailures = outcomes.flatMap(({ request, failure }) =>
		failure && isReported(snapshot, state, request.email) ? [failure] : [],
	);
	const answered: State = {
		...state,
		round: { ...round, outcomes: [...round.outcomes, ...outcomes] },
		failures: [...failures, ...newFailures],
	};
	return ask(bookOf(snapshot, answered), snapshot, answered);
}

function readLinks(snapshot: Snapshot, state: State): Plan {
	const { round, failures } = state;
	const links = round.askedLinks.map((email, index) =>
		outcomeOfLink(email, snapshot.answers[index], snapshot),
	);
	// What is not asked again is said by whoever asked.
	const newFailures = links.flatMap(({ email, kind, failure }) =>
		failure && (kind === 'settled' || isReported(snapshot, state, email)) ? [failure] : [],
	);
	const answered: State = {
		...state,
		round: { ...round, links },
		failures: [...failures, ...newFailures],
	};
	return write(bookOf(snapshot, answered), snapshot, answered);
}

/** Whether a failure is said here: every hour of everybody, otherwise only of the buyers of the sale. */
const isReported = ({ sale }: Snapshot, { buyersOfSale }: State, email: string) =>
	!sale || buyersOfSale.includes(email);

/**
 * Writes down what came of this round, and unlocks its buyers.
 * @param isCutShort the lease is nearly over, so not everything was asked, and no sale is finished
 */
function write(book: Book, snapshot: Snapshot, state: State, isCutShort = false): Plan {
	const { now } = snapshot;
	const { emails, outcomes } = state.round;
	const visited = [...state.visited, ...emails];
	const finished = isCutShort ? [] : finishedSales(book, visited);
	const written: State = {
		...state,
		visited,
		buyersOfSale: buyersOfCall(book, snapshot, state),
		queue: [...buyersToCome(book, { ...state, visited }), ...state.queue],
		round: NO_ROUND,
		failures: [...state.failures, ...problemsOfCall(finished, snapshot)],
		result: resultAfter(state, resultOf(book, outcomes, snapshot.sale?.id)),
	};
	const steps: Step[] = [
		...studentsToNote(book, snapshot, state).map((student): Step => ({
			next: 'note',
			...student,
			problem: student.problem || null,
		})),
		...finished.map((sale) => finish(sale, now)),
		...salesWithAddressOfPayment(book, finished).map((sale) => finish(sale, null)),
		...unlocked(snapshot, state),
	];
	return { state: written, steps };
}

/** Whether the lease has run out, so that somebody else may have locked the buyers and asked meanwhile. */
const isLeaseOver = ({ now }: Snapshot, { round }: State): boolean =>
	round.emails.length > 0 && round.leaseEnd < now;

/**
 * Which students' rows are noted: those that have changed. Who still lacks a link is looked at again. After the lease, it is
 * only certain that something was asked: those rows become unknown, so that it is asked again.
 */
function studentsToNote(book: Book, snapshot: Snapshot, state: State): Student[] {
	const { now, lockedBuyers } = snapshot;
	const { outcomes, links } = state.round;
	const after = studentsAfter(book, outcomes);
	const students = changedStudents(book, after);
	if (isLeaseOver(snapshot, state)) {
		const asked = new Set(outcomes.map(({ request }) => keyOf(request)));
		return students
			.filter((student) => asked.has(keyOf(student)))
			.map((student) => ({ ...student, inClass: null, end: null, checkAt: now }));
	}
	const isSettled = (email: string) =>
		links.some((link) => link.email === email && link.kind === 'settled');
	const lacksLink = buyersWithoutLink(book, after, lockedBuyers).filter(
		(email) => !isSettled(email),
	);
	return students.map((student) =>
		lacksLink.includes(student.email) ? { ...student, checkAt: now } : student,
	);
}

/** Which buyers come next: the other addresses of the payments that were seen, each alone, if one of their sales is open. */
function buyersToCome(book: Book, { visited, queue }: Pick<State, 'visited' | 'queue'>) {
	const emails = book.payments
		.filter(({ sales }) => sales.some(({ isDone }) => !isDone))
		.flatMap((payment) => payment.emails)
		.filter((email) => !visited.includes(email) && !queue.flat().includes(email));
	return [...new Set(emails)].map((email) => [email]);
}

/**
 * Which buyers are unlocked: those of this round. After the lease, only those who were asked a link for, so that it is noted: the
 * canvas unlocks nobody whom another execution has locked meanwhile, and what was asked is noted as unknown.
 */
function unlocked(snapshot: Snapshot, state: State): Step[] {
	const { emails, links } = state.round;
	const asked = links.filter(({ kind }) => kind !== 'notSent').map(({ email }) => email);
	const buyers = isLeaseOver(snapshot, state) ? asked : emails;
	return (buyers.length > 0 ? buyers : [NOBODY]).map((email) => unlockStep(email, snapshot, links));
}

/** Whose the sale of the call is: all addresses of its payment, as soon as that was looked up. */
function buyersOfCall(book: Book, { sale }: Snapshot, { buyersOfSale }: State): string[] {
	const payment = book.payments.find(({ sales }) => sales.some(({ id }) => id === sale?.id));
	return payment?.emails ?? buyersOfSale;
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

/** Goes on when buyers are unlocked: with those for whom more is recorded, and last with what others have not come to do. */
function lookOnceMore(snapshot: Snapshot, state: State): Plan {
	if (state.round.isToWait) return wait(state);
	const queue = [...buyersWithMore(snapshot, state), ...state.queue];
	if (queue.length > 0 || state.hasQueuedLeftBehind) return lockNext(snapshot, { ...state, queue });
	const leftBehind = queueOf(snapshot.leftBehind, state.visited);
	return lockNext(snapshot, { ...state, ...leftBehind, hasQueuedLeftBehind: true });
}

/** Buyers of this execution for whom others have recorded something meanwhile, and left it to this one. */
function buyersWithMore({ sales, openSales }: Snapshot, { visited }: State): string[][] {
	const known = new Set(sales.map(({ id }) => id));
	const isFew = (email: string) => visited.filter((other) => other === email).length < ROUNDS;
	const emails = openSales
		.filter(({ id, isDone, email }) => !isDone && !known.has(id) && visited.includes(email))
		.map(({ email }) => email)
		.filter(isFew);
	return emails.length > 0 ? [[...new Set(emails)]] : [];
}

/** The buyers of rows that nobody has carried out. */
export function queueOf(
	sales: Sale[],
	visited: string[],
): Pick<State, 'queue' | 'salesWithoutAddress'> {
	const emails = sales
		.map(({ email }) => email)
		.filter((email) => isAddress(email) && !visited.includes(email));
	const rows = sales.filter(({ email }) => !isAddress(email));
	return {
		queue: emails.length > 0 ? [[...new Set(emails)]] : [],
		salesWithoutAddress: rows.map(({ id, paymentId }) => ({ saleId: id, paymentId })),
	};
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

/** The changes to ask for, and the removals that are withheld until a person allows them. */
function withheldOrNot(book: Book, { isByHand }: Snapshot, { brake }: State) {
	const isWithheld = (change: AccessChange) =>
		change.end === null && (isByHand || brake !== null) && !book.keysOfOpenSales.has(keyOf(change));
	const all = differences(book);
	return {
		changes: all.filter((change) => !isWithheld(change)),
		withheld: all.filter(isWithheld),
	};
}
