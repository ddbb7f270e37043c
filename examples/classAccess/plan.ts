import { bookOf, type Book } from './book';
import { brakeOf } from './brake';
import { lockedBuyers } from './buyers';
import { differences } from './differences';
import { finishedSales, stepsToWrite, unlockBuyers } from './notes';
import { buyersWithMore, emailsOf, seenBy, otherBuyersOf, queueOf, queueOfHour } from './queue';
import { buyersOfCall, isReported, report, resultAfter, withReport } from './report';
import { nextRequests, withAnswers } from './requests';
import { newState, NO_ROUND, type Plan, type Snapshot, type State, type Step } from './state';
import type { Sale } from './tables';

const MINUTE = 60_000;
/** Who hasn't got through by then leaves the rest to the next hour. */
const LONGEST = 45 * MINUTE;
const NO_CLASSES = 'The learning platform lists no classes. Check the credential.';
const TOO_LONG = 'It took too long, so the rest is left to the next hour.';
/** How often an execution waits for a buyer of its sale who is locked. */
const WAITS = 2;

/**
 * What to do next, so that the learning platform agrees with what is paid. It is a state machine: the canvas carries out
 * the steps, and comes back with what it has read.
 *
 * 1. Whoever calls has recorded the sale. Every hour, what nobody has carried out is read, and who is due.
 * 2. Lock the next buyers (`lockNext`). Whoever has locked them otherwise does what is recorded (`leaveToOthers`).
 * 3. Compare what is paid with what the platform was told (`compare`), and ask for the difference (`ask`, `readAnswers`).
 * 4. Write down what came of it (`endRound`), and unlock the buyers (`write`).
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
	// Nobody is locked, and nothing is asked: rows without an address, such as refunds of some shops, get that of their payment, and
	// its buyers come next.
	find: endRound,
	lock: compare,
	wait: compare,
	add: readAnswers,
	remove: readAnswers,
	link: readAnswers,
	// `write` begins with one of these, and the canvas comes back when the last of its steps, the unlocking, is done.
	note: lookOnceMore,
	finish: lookOnceMore,
	unlock: lookOnceMore,
	done,
};

function begin(snapshot: Snapshot): Plan {
	const { sale, listedClasses, now } = snapshot;
	const state = newState(now);
	if (sale)
		return lockNext(snapshot, { ...state, buyersOfSale: [sale.email], queue: queueOf([sale]) });
	if (listedClasses?.length === 0) return done(snapshot, withFailure(state, NO_CLASSES));
	return { state, steps: [{ next: 'due' }] };
}

/** Begins with what nobody has carried out. */
function beginHour(snapshot: Snapshot, state: State): Plan {
	const queue = queueOfHour(snapshot);
	return lockNext(snapshot, { ...state, queue, brake: brakeOf(snapshot), hasHelped: true });
}

/** Goes on with the next buyers, or, if there are none or no time is left, ends. */
function lockNext(snapshot: Snapshot, state: State): Plan {
	const [portion, ...queue] = state.queue;
	if (!portion) return done(snapshot, state);
	const { lookups, waits } = portion;
	if (snapshot.now > state.startedAt + LONGEST)
		return done(snapshot, withTooLong(snapshot, state, lookups));
	const lock = waits > 0 ? 'wait' : 'lock';
	const steps = lookups.map((lookup): Step => ({ next: lookup.email ? lock : 'find', ...lookup }));
	return { state: { ...state, queue, round: { ...NO_ROUND, ...portion } }, steps };
}

/** What the tables say of the buyers who are locked now, and so what to ask. */
function compare(snapshot: Snapshot, state: State): Plan {
	const buyers = lockedBuyers(snapshot, emailsOf(state.round.lookups));
	if (buyers.length === 0) return leaveToOthers(snapshot, state);
	const emails = emailsOf(buyers);
	const lookups = state.round.lookups.filter(({ email }) => emails.includes(email));
	const book = bookOf(snapshot, lookups);
	const mayRemove = !snapshot.isByHand && state.brake === null;
	const accesses = differences(snapshot, book, buyers, mayRemove);
	return ask(snapshot, { ...state, round: { ...state.round, lookups, buyers, accesses } });
}

/** Whoever has locked the buyers does what is recorded by now. For those of its own sale, it waits some seconds first. */
function leaveToOthers(snapshot: Snapshot, state: State): Plan {
	const { lookups, waits } = state.round;
	// PostgreSQL may hold two rows of a buyer. The one that is locked is given back: somebody else may have the other one.
	const steps = unlockBuyers(snapshot);
	const free = { ...state, round: NO_ROUND };
	const isOfSale = lookups.some(({ email }) => state.buyersOfSale.includes(email));
	if (!isOfSale) return { state: free, steps };
	if (waits < WAITS)
		return { state: { ...free, queue: [{ lookups, waits: waits + 1 }, ...state.queue] }, steps };
	const reason =
		'Another execution works for this buyer. It does this, too, or the next hour does.';
	return { state: { ...free, result: resultAfter(state, { result: 'recorded', reason }) }, steps };
}

/** Asks for additions first, then for removals, then for links. When no time is left, the next hour goes on with the rest. */
function ask(snapshot: Snapshot, state: State): Plan {
	const { round } = state;
	const requests = nextRequests(round, snapshot.now);
	if (requests.length === 0) return endRound(snapshot, state);
	const isTimeUp = round.buyers.some(({ leaseEnd }) => leaseEnd - snapshot.now < MINUTE);
	if (!isTimeUp) return { state, steps: requests };
	const book = bookOf(snapshot, round.lookups);
	// Their sales stay open.
	return write(snapshot, withTooLong(snapshot, state, round.buyers), book, []);
}

function readAnswers(snapshot: Snapshot, state: State): Plan {
	return ask(snapshot, { ...state, round: withAnswers(state.round, snapshot) });
}

/**
 * There is nothing more to ask for these buyers. A sale is finished when all addresses of its payment were worked for after it was
 * recorded, so those that are left come next.
 */
function endRound(snapshot: Snapshot, state: State): Plan {
	const { round } = state;
	const book = bookOf(snapshot, round.lookups);
	const seen = [...state.seen, ...seenBy(book, emailsOf(round.buyers))];
	const queue = [...otherBuyersOf(book, { ...state, seen }), ...state.queue];
	const finished = finishedSales(book, seen, round);
	return write(snapshot, { ...state, seen, queue }, book, finished);
}

/** Writes down what came of this round, and unlocks its buyers. */
function write(snapshot: Snapshot, state: State, book: Book, finished: Sale[]): Plan {
	// The other addresses of its payment are known as soon as it was looked up.
	const buyersOfSale = buyersOfCall(book, snapshot) ?? state.buyersOfSale;
	return {
		state: withReport({ ...state, buyersOfSale }, book, finished, snapshot),
		steps: stepsToWrite(book, finished, snapshot, state.round),
	};
}

/** Goes on when buyers are unlocked: with those for whom more is recorded, and last with what others have left behind. */
function lookOnceMore(snapshot: Snapshot, state: State): Plan {
	const queue = [...buyersWithMore(snapshot, state), ...state.queue];
	if (queue.length > 0 || state.hasHelped) return lockNext(snapshot, { ...state, queue });
	return lockNext(snapshot, { ...state, queue: queueOf(snapshot.leftBehind), hasHelped: true });
}

function done(snapshot: Snapshot, state: State): Plan {
	return { state, steps: [report(snapshot, state)] };
}

/** No time is left for these buyers, which is said, unless they are none of the sale's. */
function withTooLong(snapshot: Snapshot, state: State, buyers: Array<{ email: string }>): State {
	const isSaid = buyers.some(({ email }) => isReported(snapshot, state, email));
	return isSaid ? withFailure(state, TOO_LONG) : state;
}

const withFailure = (state: State, failure: string): State => ({
	...state,
	failures: [...state.failures, failure],
});
