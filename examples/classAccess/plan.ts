import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { outcomeOf } from './answers';
import { bookOf } from './book';
import { keyOf } from './desired';
import { differences, type Request } from './differences';
import { beginHour, brakeOf } from './hour';
import { resultOf } from './result';
import { NO_ROUND, type Done, type Given, type Plan, type State, type Step } from './state';
import type { Buyer, Sale } from './tables';
import type { Time } from './types';
import { carriedOut, changed, linkedAt, linkless, nameless, studentsAfter } from './written';

const MINUTE = 60_000;
/** Who hasn't got through by then leaves the rest to the next hour. */
const LONGEST = 45 * MINUTE;
/** How often an execution waits for a buyer who is locked, and how often it works for one for whom more is recorded. */
const [WAITS, ROUNDS] = [2, 9];
const TOO_LONG = 'It took too long, so the rest is left to the next hour.';

/**
 * What to do next, so that the learning platform agrees with what is paid. The sale was recorded before. Then, for each buyer:
 * lock them; compare what is paid with what the platform was told, and ask; write down what came of it; unlock them, and look
 * once more. One execution at a time works for a buyer, so two that come together need nothing else. A lease that wasn't given
 * back says that its holder has died on the way: then all is asked again.
 */
export function plan(given: Given): Plan {
	const planned = planFrom(given);
	const doing = planned.steps[0]!.next;
	return { ...planned, state: { ...planned.state, doing } };
}

function planFrom(given: Given): Plan {
	const { state } = given;
	if (!state) return begin(given);
	switch (state.doing) {
		case 'due':
			return beginHour(given, state);
		case 'count':
			return lockNext(given, { ...state, brake: brakeOf(given) });
		case 'look':
		case 'lock':
		case 'wait':
			return compare(given, state);
		case 'add':
		case 'remove':
			return readAnswers(given, state);
		case 'link':
			return readLinks(given, state);
		case 'note':
		case 'finish':
		case 'unlock':
		case 'done':
		case undefined:
			return lookOnceMore(given, state);
	}
}

function begin(given: Given): Plan {
	const { sale, listed } = given;
	const state: State = {
		startedAt: given.now,
		queue: [],
		nameless: [],
		own: [],
		seen: [],
		hasTakenOthers: false,
		brake: null,
		wouldRemove: [],
		failures: [],
		result: null,
		round: NO_ROUND,
	};
	const fail = (failure: string) => done(given, { ...state, failures: [failure] });
	if (!sale) {
		if (listed?.length === 0)
			return fail('The learning platform lists no classes. Check the credential.');
		return { state, steps: [{ next: 'due' }] };
	}
	if (!Number.isInteger(sale.id))
		return fail('The id is missing. Insert the sale into class_sales first.');
	const { email, paymentId } = sale;
	if (!isAddress(email))
		return lockNext(given, { ...state, nameless: [{ paymentId, saleId: sale.id }] });
	return lockNext(given, { ...state, own: [email], queue: [[email]] });
}

/** The next buyers. */
export function lockNext(given: Given, state: State): Plan {
	if (state.nameless.length > 0) {
		const steps = state.nameless.map((row): Step => ({ next: 'look', email: '', ...row }));
		return { state: { ...state, nameless: [], round: NO_ROUND }, steps };
	}
	const [emails, ...queue] = state.queue;
	if (emails === undefined || given.now > state.startedAt + LONGEST) return done(given, state);
	const steps = emails.map((email): Step => ({ next: 'lock', email }));
	return { state: { ...state, queue, round: { ...NO_ROUND, emails } }, steps };
}

/** What the tables say of the buyers who are locked now, and so what to ask. */
function compare(given: Given, state: State): Plan {
	const rowsOf = (email: string) => given.locked.filter((row) => row.email === email);
	const isMine = ({ lockedBy }: Buyer) => lockedBy === given.me;
	// PostgreSQL may hold two rows of a buyer. Only who holds all of them works.
	const isHeld = (email: string) => rowsOf(email).length > 0 && rowsOf(email).every(isMine);
	const emails = state.round.emails.filter(isHeld);
	if (emails.length === 0 && state.round.emails.length > 0) return lockedByOther(given, state);
	const wasOpen = ({ email, lockedBy }: Buyer) => emails.includes(email) && lockedBy !== '';
	const taken = given.opened.filter(wasOpen).map(({ email }) => email);
	const until = Math.min(...given.locked.filter(isMine).map(({ lockedUntil }) => lockedUntil));
	const round = { ...NO_ROUND, emails, taken, until };
	const { requests, held } = divide(given, { ...state, round });
	const removals = requests.filter(({ end }) => end === null);
	const additions = requests.filter(({ end }) => end !== null);
	const wouldRemove = [...state.wouldRemove, ...held];
	return ask(given, { ...state, wouldRemove, round: { ...round, removals } }, additions);
}

/** Waits for a buyer of its own sale. Otherwise, whoever has locked them also does what is recorded by now. */
function lockedByOther(given: Given, state: State): Plan {
	const { emails, waits } = state.round;
	const isOfSale = emails.some((email) => state.own.includes(email));
	// What is locked in part must be given back at once: somebody else may have the other part.
	const isPart = given.locked.some(({ lockedBy }) => lockedBy === given.me);
	if (isOfSale && waits < WAITS) {
		const waiting = { ...state, round: { ...state.round, waits: waits + 1 } };
		return isPart ? unlock(waiting, emails, given) : wait(waiting);
	}
	const result: Done | null = isOfSale ? { result: 'recorded', reason: LEFT } : null;
	const left = { ...state, result: resultAfter(state, result), round: NO_ROUND };
	return isPart ? unlock(left, emails, given) : lockNext(given, left);
}

const LEFT = 'Another execution works for this buyer, and does it.';

const wait = (state: State): Plan => ({
	state,
	steps: state.round.emails.map((email) => ({ next: 'wait', email })),
});

const unlock = (state: State, emails: string[], { locked }: Given): Plan => ({
	state,
	steps: emails.map((email) => ({ next: 'unlock', email, linkedAt: linkedAt(locked, email) })),
});

/** Asks for additions first, then for removals, then for links. */
function ask(given: Given, state: State, additions: Request[]): Plan {
	const { emails, until, removals, outcomes, linked } = state.round;
	if (emails.length > 0 && until - given.now < MINUTE)
		return write(given, { ...state, failures: [...state.failures, TOO_LONG] }, true);
	const asked = additions.length > 0 ? additions : removals;
	const next = additions.length > 0 ? 'add' : 'remove';
	const round = { ...state.round, asked, removals: asked === removals ? [] : removals };
	if (asked.length > 0)
		return { state: { ...state, round }, steps: asked.map((request) => ({ next, ...request })) };
	const book = bookOf(given, state);
	const buyers = linkless(book, studentsAfter(book, outcomes), given.locked);
	const linking = buyers.filter((email) => !linked.includes(email));
	if (linking.length === 0) return write(given, state);
	const steps = linking.map((email): Step => ({ next: 'link', email }));
	return { state: { ...state, round: { ...round, linking } }, steps };
}

function readAnswers(given: Given, state: State): Plan {
	const { round, failures } = state;
	const outcomes = round.asked.map((request, index) =>
		outcomeOf(request, given.answers[index], given.listed),
	);
	const failed = outcomes.flatMap(({ request, failure }) =>
		failure && isOfThis(given, state, request.email) ? [failure] : [],
	);
	const after = { ...round, outcomes: [...round.outcomes, ...outcomes] };
	return ask(given, { ...state, round: after, failures: [...failures, ...failed] }, []);
}

function readLinks(given: Given, state: State): Plan {
	const failures: string[] = [];
	const linked: string[] = [];
	state.round.linking.forEach((email, index) => {
		const { success, outcome, status, error } = given.answers[index] ?? {};
		const isOver = outcome === 'rejected' && (status !== 404 || given.listed !== undefined);
		if (success === true || isOver) linked.push(email);
		if (success !== true && isOfThis(given, state, email))
			failures.push(`Couldn't send a magic link to ${email}: ${error ?? 'There is no answer.'}`);
	});
	const round = { ...state.round, linked };
	return write(given, { ...state, round, failures: [...state.failures, ...failures] });
}

/** Whether a failure is said here: every hour of everybody, otherwise only of the buyers of the sale. */
const isOfThis = ({ sale }: Given, { own }: State, email: string) => !sale || own.includes(email);

/** What the tables say then, and whom to unlock. If the lease has run out, somebody else may have asked meanwhile. */
function write(given: Given, state: State, isCutShort = false): Plan {
	const { emails, until, outcomes, linked } = state.round;
	const { now } = given;
	const book = bookOf(given, state);
	const isLost = emails.length > 0 && until < now;
	const after = studentsAfter(book, outcomes);
	const unlinked = linkless(book, after, given.locked).filter((email) => !linked.includes(email));
	const notes = changed(book, after)
		.filter(
			(student) => !isLost || outcomes.some(({ request }) => keyOf(request) === keyOf(student)),
		)
		.map((student) => (isLost ? { ...student, inClass: null, end: null } : student))
		.map((student) =>
			isLost || unlinked.includes(student.email) ? { ...student, checkAt: now } : student,
		);
	const seen = [...state.seen, ...emails];
	const over = isCutShort ? [] : carriedOut(book, seen);
	const isOwnSale = ({ paymentId, id }: Sale) =>
		!given.sale || id === given.sale.id || paymentId === given.sale.paymentId;
	const problems = over.filter(isOwnSale).flatMap(({ problem }) => problem ?? []);
	const ofSale = book.payments.find(({ sales }) => sales.some(({ id }) => id === given.sale?.id));
	const own = ofSale ? ofSale.emails : state.own;
	const more = book.payments
		.filter(({ sales }) => sales.some(({ isDone }) => !isDone))
		.flatMap((payment) => payment.emails)
		.filter((email) => !seen.includes(email) && !state.queue.flat().includes(email));
	const queue = [...new Set(more)].map((email) => [email]);
	const steps: Step[] = [
		...notes.map((student): Step => ({ next: 'note', ...student })),
		...over.map((sale) => finish(sale, now)),
		...nameless(book, over).map((sale) => finish(sale, null)),
		...(isLost || emails.length === 0 ? ['-'] : emails).map((email): Step => {
			return {
				next: 'unlock',
				email,
				linkedAt: linked.includes(email) ? now : linkedAt(given.locked, email),
			};
		}),
	];
	return {
		state: {
			...state,
			own,
			seen,
			queue: [...queue, ...state.queue],
			round: NO_ROUND,
			failures: [...state.failures, ...problems],
			result: resultAfter(state, resultOf(book, outcomes, given.sale?.id)),
		},
		steps,
	};
}

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

/** What others have recorded meanwhile, and left to this execution. Then some rows that others have not come to do. */
function lookOnceMore(given: Given, state: State): Plan {
	if (state.round.emails.length > 0) return wait(state);
	const known = new Set(given.sales.map(({ id }) => id));
	const isFew = (email: string) => state.seen.filter((other) => other === email).length < ROUNDS;
	const again = given.again
		.filter(({ id, isDone, email }) => !isDone && !known.has(id) && state.seen.includes(email))
		.map(({ email }) => email)
		.filter(isFew);
	const queue = again.length > 0 ? [[...new Set(again)], ...state.queue] : state.queue;
	if (queue.length > 0 || state.hasTakenOthers) return lockNext(given, { ...state, queue });
	return lockNext(given, { ...state, ...ofOthers(given.left, state.seen), hasTakenOthers: true });
}

/** The buyers of rows that nobody has carried out. */
export function ofOthers(left: Sale[], seen: string[]): Pick<State, 'queue' | 'nameless'> {
	const emails = left
		.map(({ email }) => email)
		.filter((email) => isAddress(email) && !seen.includes(email));
	const rows = left.filter(({ email }) => !isAddress(email));
	return {
		queue: emails.length > 0 ? [[...new Set(emails)]] : [],
		nameless: rows.map(({ id, paymentId }) => ({ saleId: id, paymentId })),
	};
}

function done(given: Given, state: State): Plan {
	const { failures, brake, wouldRemove, queue } = state;
	const said = [...failures, ...(queue.length > 0 && failures.length === 0 ? [TOO_LONG] : [])];
	if (brake && wouldRemove.length > 0) said.push(brake);
	if (said.length > 0)
		return {
			state,
			steps: [{ next: 'done', result: 'failed', reason: [...new Set(said)].join(' ') }],
		};
	if (!given.sale)
		return {
			state,
			steps: [{ next: 'done', result: 'done', ...(given.isByHand && { wouldRemove }) }],
		};
	return { state, steps: [{ next: 'done', ...(state.result ?? NOT_FOUND) }] };
}

const NOT_FOUND: Done = {
	result: 'failed',
	reason: 'class_sales has no row with this id. Insert the sale first.',
};

/** The requests, without the removals that a person must allow. */
function divide(given: Given, state: State) {
	const book = bookOf(given, state);
	const isHeld = (request: Request) =>
		request.end === null &&
		(given.isByHand || state.brake !== null) &&
		!book.touched.has(keyOf(request));
	const all = differences(book);
	return { requests: all.filter((request) => !isHeld(request)), held: all.filter(isHeld) };
}
