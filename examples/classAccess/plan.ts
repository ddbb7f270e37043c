import { bookOf } from './book';
import { brakeOf, hasManyEnded } from './brake';
import { lockedBuyers } from './buyers';
import { differences } from './differences';
import { finishedSales, stepsToWrite, unlock } from './notes';
import {
	buyersWithMore,
	emailsOf,
	otherBuyersOf,
	othersLeftBehind,
	openSalesOf,
	queueOf,
	queueOfHour,
} from './queue';
import { buyersOfCall, report, resultAfter, withReport } from './report';
import { nextRequests, withAnswers } from './requests';
import type { Plan, Round, Snapshot, State, Step } from './state';
import type { Buyer } from './tables';
import type { Result } from './types';

const MINUTE = 60_000;
/** Who hasn't got through by then leaves the rest to the next hour. */
const LONGEST = 45 * MINUTE;
/** How often an execution waits for a buyer who is locked. */
const WAITS = 2;
const TOO_LONG = 'It took too long, so the rest is left to the next hour.';
const NO_ROUND: Round = { lookups: [], waits: 0, buyers: [], accesses: [] };
const NEW: Omit<State, 'startedAt'> = {
	queue: [],
	buyersOfSale: [],
	visited: [],
	seen: [],
	hasQueuedLeftBehind: false,
	brake: null,
	wouldRemove: [],
	failures: [],
	result: null,
	round: NO_ROUND,
};

/**
 * What to do next, so that the learning platform agrees with what is paid:
 *
 * 1. The sale was recorded before, by whoever calls. Every hour, what nobody has carried out is read, and who is due.
 * 2. Lock the next buyers (`lockNext`). Whoever has locked them otherwise does what is recorded (`leaveToOther`).
 * 3. Compare what is paid with what the platform was told (`compare`), and ask for the difference (`ask`, `readAnswers`).
 * 4. Write down what came of it, and unlock the buyers (`write`).
 * 5. Look once more: more may be recorded by now (`lookOnceMore`).
 *
 * One execution at a time works for a buyer, so two that come together need nothing else. A lease that wasn't given back says
 * that its holder has died on the way: then all is asked again.
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
	const state: State = { ...NEW, startedAt: now };
	if (sale)
		return lockNext(snapshot, { ...state, buyersOfSale: [sale.email], queue: queueOf([sale]) });
	if (listedClasses?.length !== 0) return { state, steps: [{ next: 'due' }] };
	const failure = 'The learning platform lists no classes. Check the credential.';
	return done(snapshot, withFailure(state, failure));
}

/** Begins with what nobody has carried out. */
function beginHour(snapshot: Snapshot, state: State): Plan {
	const queue = queueOfHour(snapshot);
	const begun: State = { ...state, queue, hasQueuedLeftBehind: true };
	if (hasManyEnded(snapshot)) return { state: begun, steps: [{ next: 'count' }] };
	return lockNext(snapshot, begun);
}

/** Goes on with the next buyers, or, if there are none or no time is left, ends. A row that says no address (an empty email) is only looked up. */
function lockNext(snapshot: Snapshot, state: State): Plan {
	const [lookups, ...queue] = state.queue;
	if (!lookups) return done(snapshot, state);
	if (snapshot.now > state.startedAt + LONGEST) return done(snapshot, withFailure(state, TOO_LONG));
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

/** Waits for a buyer of its own sale, when the canvas has unlocked what is its own (`lookOnceMore`). Otherwise, whoever has locked them also does what is recorded by now. */
function leaveToOther(snapshot: Snapshot, state: State): Plan {
	const { lookups, waits } = state.round;
	// PostgreSQL may hold two rows of a buyer. The one that is locked is given back: somebody else may have the other one.
	const isOwn = ({ lockedBy }: Buyer) => lockedBy === snapshot.executionId;
	const steps = unlock(snapshot.lockedBuyers.filter(isOwn));
	const isOfSale = lookups.some(({ email }) => state.buyersOfSale.includes(email));
	if (isOfSale && waits < WAITS)
		return { state: { ...state, round: { ...NO_ROUND, lookups, waits: waits + 1 } }, steps };
	const reason = 'Another execution works for this buyer, and does it.';
	const result: Result | null = isOfSale ? { result: 'recorded', reason } : null;
	return { state: { ...state, result: resultAfter(state, result), round: NO_ROUND }, steps };
}

/** Asks for additions first, then for removals, then for links. When all are answered, or no time is left, writes. */
function ask(snapshot: Snapshot, state: State): Plan {
	const { now } = snapshot;
	const requests = nextRequests(state.round, now);
	if (requests.length === 0) return write(snapshot, state);
	if (state.round.buyers.some(({ leaseEnd }) => leaseEnd - now < MINUTE))
		return write(snapshot, withFailure(state, TOO_LONG), true);
	return { state, steps: requests };
}

function readAnswers(snapshot: Snapshot, state: State): Plan {
	return ask(snapshot, { ...state, round: withAnswers(state.round, snapshot) });
}

/**
 * Writes down what came of this round, and unlocks its buyers.
 * @param isCutShort not everything was asked, so no sale is finished
 */
function write(snapshot: Snapshot, state: State, isCutShort = false): Plan {
	const { round } = state;
	const book = bookOf(snapshot, round.lookups);
	const seen = [...state.seen, ...openSalesOf(book, emailsOf(round.buyers))];
	const finished = isCutShort ? [] : finishedSales(book, seen);
	const reported: State = { ...withReport(state, book, finished, snapshot), round: NO_ROUND };
	const otherBuyers = otherBuyersOf(book, { ...state, seen });
	const written: State = isCutShort
		? reported
		: { ...reported, seen, queue: [...otherBuyers, ...state.queue] };
	return { state: written, steps: stepsToWrite(book, finished, snapshot, round) };
}

/** Goes on when buyers are unlocked: with those for whom more is recorded, and last with what others have not come to do. */
function lookOnceMore(snapshot: Snapshot, state: State): Plan {
	const { round, hasQueuedLeftBehind } = state;
	if (round.waits > 0)
		return { state, steps: emailsOf(round.lookups).map((email) => ({ next: 'wait', email })) };
	const queue = [...buyersWithMore(snapshot, state), ...state.queue];
	if (queue.length > 0 || hasQueuedLeftBehind) return lockNext(snapshot, { ...state, queue });
	const leftBehind = othersLeftBehind(snapshot, state);
	return lockNext(snapshot, { ...state, queue: leftBehind, hasQueuedLeftBehind: true });
}

function done(snapshot: Snapshot, state: State): Plan {
	return { state, steps: [report(snapshot, state)] };
}

const withFailure = (state: State, failure: string): State => ({
	...state,
	failures: [...state.failures, failure],
});
