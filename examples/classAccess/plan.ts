import { bookOf, rowsIn, type Book } from './book/book';
import { brakeOf } from './brake';
import { isReported, report, withReport } from './report';
import { lockedBuyers } from './round/buyers';
import { differences } from './round/differences';
import { finishedSales } from './round/finished';
import { stepsToWrite } from './round/notes';
import { answeredBuyers, buyersWithMore, otherBuyers, queueOf, queueOfOthers } from './round/queue';
import { nextRequests, withAnswers } from './round/requests';
import { NO_ROUND, type Round, type Snapshot, type State, type Step } from './state';
import type { Sale } from './tables/sales';

const MINUTE = 60_000;
/** After so long, an execution leaves the rest to the next hour. */
const LONGEST = 45 * MINUTE;
/** A request takes up to five minutes (Timeout), after up to one in which it isn't processed (Give Up After). */
const LONGEST_REQUEST = 6 * MINUTE;
const NO_CLASSES = 'The learning platform lists no classes. Check the credential.';
const TOO_LONG = 'It took too long, so the rest is left to the next hour.';
/** How often an execution waits for a buyer of its sale who is locked. */
const WAITS = 2;

interface Plan {
	state: State;
	steps: Step[];
}

/**
 * What to do next, so that the learning platform agrees with what is paid. It is a state machine: the canvas carries out the steps,
 * and comes back with what it has read.
 *
 * 1. Lock buyers (`lockNext`): first that of the sale, then those whom others left behind, and every hour who is due.
 * 2. Compare what is paid with what the platform was told (`compare`), and ask for the difference (`ask`, `readAnswers`).
 * 3. Write down what came of it, and unlock them (`endRound`). If a payment has more addresses, lock all at once (`lockAgain`).
 * 4. Look once more, as more may be recorded by now (`lookOnceMore`).
 *
 * One execution at a time works for a buyer. If a lease wasn't given back, its holder has died, and everything is asked again.
 */
export function plan(snapshot: Snapshot): Plan {
	const { state } = snapshot;
	const planned = state ? goOn(snapshot, state) : begin(snapshot);
	return { ...planned, state: { ...planned.state, doing: planned.steps.at(-1)!.next } };
}

/** Goes on when the canvas has carried out all steps. */
function goOn(snapshot: Snapshot, state: State): Plan {
	const { doing } = state;
	if (doing === 'lock' || doing === 'wait') return compare(snapshot, state);
	if (doing === 'add' || doing === 'remove' || doing === 'link')
		return readAnswers(snapshot, state);
	// Nobody is locked, and nothing is asked.
	if (doing === 'find') return endRound(snapshot, state);
	// It has read who is due, or unlocked the buyers.
	return lookOnceMore(snapshot, state);
}

function begin(snapshot: Snapshot): Plan {
	const { calls, listedClasses, now } = snapshot;
	const state: State = {
		startedAt: now,
		round: NO_ROUND,
		queue: [],
		phase: 'call',
		wouldRemove: [],
		failures: [],
		result: null,
	};
	if (calls.length > 0) return lockNext(snapshot, { ...state, queue: queueOf(calls) });
	if (listedClasses?.length === 0) return done(snapshot, withFailure(state, NO_CLASSES));
	return { state, steps: [{ next: 'due' }] };
}

/** Goes on with the next round, or ends, if there is none or no time is left. */
function lockNext(snapshot: Snapshot, state: State): Plan {
	const [round, ...queue] = state.queue;
	if (!round) return done(snapshot, state);
	if (snapshot.now > state.startedAt + LONGEST) return done(snapshot, withTooLong(snapshot, state));
	const next = round.waits > 0 ? 'wait' : 'lock';
	const finds = round.saleIds.map((saleId): Step => ({ next: 'find', saleId }));
	const locks = round.emails.map((email): Step => ({ next, email }));
	return { state: { ...state, queue, round }, steps: locks.length > 0 ? locks : finds };
}

function compare(snapshot: Snapshot, state: State): Plan {
	const buyers = lockedBuyers(snapshot, state.round.emails);
	const readIds = rowsIn(snapshot).map(({ id }) => id);
	const round = { ...state.round, buyers, readIds, comparedAt: snapshot.now };
	// Only the hour ends accesses whose time has come: it knows whether a 404 is an answer, and whether they are too many.
	const isHour = snapshot.calls.length === 0 && !snapshot.isByHand;
	const isBraked = isHour && brakeOf(snapshot) !== null;
	const mayRemove = (hasEnded: boolean) => isHour && !(hasEnded && isBraked);
	const accesses = differences(snapshot, bookOf(snapshot, round), buyers, mayRemove);
	return ask(snapshot, { ...state, round: { ...round, accesses } });
}

/** Asks for what is next, until everything is answered, or the lease ends soon. */
function ask(snapshot: Snapshot, state: State): Plan {
	const { round } = state;
	const requests = nextRequests(round, snapshot.now);
	if (requests.length === 0) return endRound(snapshot, state);
	const isTimeUp = round.buyers.some(({ leaseEnd }) => leaseEnd - snapshot.now < LONGEST_REQUEST);
	if (!isTimeUp) return { state, steps: requests };
	const book = bookOf(snapshot, round);
	const emails = answeredBuyers(book, round);
	// Under a new lease, it goes on with them. The sales of the others stay open.
	const next =
		emails.length > 0
			? { ...state, queue: [{ ...NO_ROUND, emails }, ...state.queue] }
			: withTooLong(snapshot, state);
	return write(snapshot, next, book, []);
}

function readAnswers(snapshot: Snapshot, state: State): Plan {
	return ask(snapshot, { ...state, round: withAnswers(state.round, snapshot) });
}

function endRound(snapshot: Snapshot, state: State): Plan {
	const book = bookOf(snapshot, state.round);
	const queue = [...lockAgain(state, book), ...state.queue];
	return write(snapshot, { ...state, queue }, book, finishedSales(book, state.round));
}

/** Who is locked once more. */
function lockAgain({ round, phase }: State, book: Book): Round[] {
	const { emails, saleIds, buyers, waits } = round;
	const again = { ...NO_ROUND, saleIds };
	const others = otherBuyers(book, emails);
	// A payment gives to one of its addresses, and takes from the others, so all are locked at once.
	if (others.length > 0) return [{ ...again, emails: [...emails, ...others] }];
	const areAllLocked = buyers.length === emails.length;
	// Another execution, which holds them, does what is recorded.
	if (areAllLocked || phase === 'others' || waits === WAITS) return [];
	return [{ ...again, emails, waits: waits + 1 }];
}

/** Writes down what came of this round, and unlocks its buyers. */
function write(snapshot: Snapshot, state: State, book: Book, finished: Sale[]): Plan {
	return {
		state: withReport(state, book, finished, snapshot),
		steps: stepsToWrite(finished, snapshot, state.round),
	};
}

/** Goes on with buyers for whom more was recorded meanwhile, then with the queue, and last with others. */
function lookOnceMore(snapshot: Snapshot, state: State): Plan {
	const queue = [...buyersWithMore(snapshot, state.round), ...state.queue];
	if (queue.length > 0 || state.phase === 'others') return lockNext(snapshot, { ...state, queue });
	return lockNext(snapshot, { ...state, phase: 'others', queue: queueOfOthers(snapshot) });
}

function done(snapshot: Snapshot, state: State): Plan {
	return { state, steps: [report(snapshot, state)] };
}

const withTooLong = (snapshot: Snapshot, state: State): State =>
	isReported(snapshot, state) ? withFailure(state, TOO_LONG) : state;

const withFailure = (state: State, failure: string): State => ({
	...state,
	failures: [...state.failures, failure],
});
