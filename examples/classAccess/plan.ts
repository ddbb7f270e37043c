import { bookOf, type Book } from './book';
import { brakeOf } from './brake';
import { lockedBuyers } from './buyers';
import { differences } from './differences';
import { finishedSales } from './finished';
import { stepsToWrite } from './notes';
import { buyersWithMore, otherBuyers, queueOf, queueOfOthers } from './queue';
import { isReported, report, withReport } from './report';
import { nextRequests, withAnswers } from './requests';
import {
	newState,
	NO_ROUND,
	type Plan,
	type Round,
	type Snapshot,
	type State,
	type Step,
} from './state';
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
 * 1. Whoever calls has recorded a sale: its buyer comes first. Then come those whom others have left behind, and every hour who is due.
 * 2. Lock the next buyers (`lockNext`), or find whose a row is that says no address.
 * 3. Compare what is paid with what the platform was told (`compare`), and ask for the difference (`ask`, `readAnswers`).
 * 4. Write down what came of it, and unlock the buyers (`endRound`). What is recorded of them may be of others, too, who are locked
 *    together with them then (`lockAgain`).
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
	due: lookOnceMore,
	// Nobody is locked, and nothing is asked.
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
	if (sale) return lockNext(snapshot, { ...state, queue: queueOf([sale]) });
	if (listedClasses?.length === 0) return done(snapshot, withFailure(state, NO_CLASSES));
	return { state, steps: [{ next: 'due' }] };
}

/** Goes on with the next buyers, or, if there are none or no time is left, ends. */
function lockNext(snapshot: Snapshot, state: State): Plan {
	const [round, ...queue] = state.queue;
	if (!round) return done(snapshot, state);
	if (snapshot.now > state.startedAt + LONGEST) return done(snapshot, withTooLong(snapshot, state));
	const next = round.waits > 0 ? 'wait' : 'lock';
	const steps = [
		...round.saleIds.map((saleId): Step => ({ next: 'find', saleId })),
		...round.emails.map((email): Step => ({ next, email })),
	];
	return { state: { ...state, queue, round }, steps };
}

/** What the tables say of the buyers who are locked now, and so what to ask. */
function compare(snapshot: Snapshot, state: State): Plan {
	const buyers = lockedBuyers(snapshot, state.round.emails);
	const round = { ...state.round, buyers };
	const mayRemove = !snapshot.isByHand && brakeOf(snapshot) === null;
	const accesses = differences(snapshot, bookOf(snapshot, round), buyers, mayRemove);
	return ask(snapshot, { ...state, round: { ...round, accesses } });
}

/** Asks for additions first, then for removals, then for links. When no time is left, the next hour goes on with the rest. */
function ask(snapshot: Snapshot, state: State): Plan {
	const { round } = state;
	const requests = nextRequests(round, snapshot.now);
	if (requests.length === 0) return endRound(snapshot, state);
	const isTimeUp = round.buyers.some(({ leaseEnd }) => leaseEnd - snapshot.now < MINUTE);
	if (!isTimeUp) return { state, steps: requests };
	// Their sales stay open.
	return write(snapshot, withTooLong(snapshot, state), bookOf(snapshot, round), []);
}

function readAnswers(snapshot: Snapshot, state: State): Plan {
	return ask(snapshot, { ...state, round: withAnswers(state.round, snapshot) });
}

/** There is nothing more to ask for these buyers. */
function endRound(snapshot: Snapshot, state: State): Plan {
	const book = bookOf(snapshot, state.round);
	const queue = [...lockAgain(state, book), ...state.queue];
	return write(snapshot, { ...state, queue }, book, finishedSales(book, state.round));
}

/**
 * A payment is carried out when all its addresses are locked at once, as it gives to one and takes from the others. So what is known
 * by now is locked together. Of those whom another execution has locked, it does what is recorded. For buyers of the sale, this one
 * waits some seconds first.
 */
function lockAgain({ round, isForOthers }: State, book: Book): Round[] {
	const { emails, buyers, waits } = round;
	const others = otherBuyers(book, emails);
	if (others.length > 0) return [{ ...NO_ROUND, emails: [...emails, ...others] }];
	const mayWait = !isForOthers && waits < WAITS && buyers.length < emails.length;
	return mayWait ? [{ ...NO_ROUND, emails, waits: waits + 1 }] : [];
}

/** Writes down what came of this round, and unlocks its buyers. */
function write(snapshot: Snapshot, state: State, book: Book, finished: Sale[]): Plan {
	return {
		state: withReport(state, book, finished, snapshot),
		steps: stepsToWrite(finished, snapshot, state.round),
	};
}

/** Goes on when buyers are unlocked: with those for whom more is recorded, and last with what others have left behind. */
function lookOnceMore(snapshot: Snapshot, state: State): Plan {
	const queue = [...buyersWithMore(snapshot, state), ...state.queue];
	if (queue.length > 0 || state.isForOthers) return lockNext(snapshot, { ...state, queue });
	return lockNext(snapshot, { ...state, isForOthers: true, queue: queueOfOthers(snapshot) });
}

function done(snapshot: Snapshot, state: State): Plan {
	return { state, steps: [report(snapshot, state)] };
}

/** No time is left, which is said, unless it is for others. */
const withTooLong = (snapshot: Snapshot, state: State): State =>
	isReported(snapshot, state) ? withFailure(state, TOO_LONG) : state;

const withFailure = (state: State, failure: string): State => ({
	...state,
	failures: [...state.failures, failure],
});
