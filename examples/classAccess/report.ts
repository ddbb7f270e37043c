// What the caller is told.
import type { Book } from './book/book';
import { keyOf } from './book/desired';
import { THEN_RETRY } from './book/gifts';
import { brakeOf } from './brake';
import { isFinal, whoIs } from './round/requests';
import type { Snapshot, State, Step } from './state';
import { NO_CLASS } from './tables/products';
import type { Sale } from './tables/sales';
import type { Result } from './types';

/** The state with what came of this round. */
export function withReport(state: State, book: Book, finished: Sale[], snapshot: Snapshot): State {
	const { round, failures, wouldRemove, result } = state;
	const withheld = round.accesses
		.filter(({ request }) => request === 'withheld')
		.map(({ student }) => `${whoIs(student)} from class ${student.classId}`);
	const newFailures = [...failuresOf(snapshot, state), ...problemsOf(finished, snapshot)];
	const next = resultOf(book, snapshot, state);
	return {
		...state,
		failures: [...failures, ...newFailures],
		wouldRemove: [...wouldRemove, ...withheld],
		// Later rounds are for other addresses, or what was recorded meanwhile.
		result: result?.result === 'added' ? result : (next ?? result),
	};
}

/** Whether failures are said: every hour of everybody, and otherwise of the buyers of the sale. */
export const isReported = ({ calls }: Snapshot, { phase }: State): boolean =>
	calls.length === 0 || phase === 'call';

/** What has failed. Of buyers who are left to the next hour, only what isn't asked again. */
function failuresOf(snapshot: Snapshot, state: State): string[] {
	const { accesses, buyers } = state.round;
	return [...accesses, ...buyers].flatMap(({ outcome }) =>
		outcome?.failure && (isReported(snapshot, state) || isFinal(outcome)) ? outcome.failure : [],
	);
}

/** What is wrong with the sales that were finished, also those of others, as nobody looks at them again. */
const problemsOf = (finished: Sale[], { calls: [call] }: Snapshot): string[] =>
	finished.flatMap(({ id, problem }) => {
		if (!problem) return [];
		if (id === call?.id) return problem;
		const ofOther = problem.replaceAll(` ${THEN_RETRY}`, '');
		return [`Row ${id} of class_sales: ${ofOther}`, EMPTY_DONE_AT];
	});

/** What came of the first sale of the call. Null: its row wasn't looked up. */
function resultOf(
	{ payments, otherRows, accesses }: Book,
	{ now, calls: [call] }: Snapshot,
	{ round, phase }: State,
): Result | null {
	if (phase === 'call' && round.buyers.length < round.emails.length) return RECORDED;
	const isOfCall = ({ id }: Sale) => id === call?.id;
	const payment = payments.find(({ sales }) => sales.some(isOfCall));
	const sale = [...(payment?.sales ?? []), ...otherRows].find(isOfCall);
	if (!sale) return null;
	// Another execution has done it, and found this.
	if (sale.isDone && sale.notedProblem !== '')
		return { result: 'failed', reason: sale.notedProblem };
	if (!payment || sale.kind === 'refunded') return { result: 'removed' };
	if (payment.refund) return ignored('The payment was refunded.');
	const gifts = payment.gifts.filter(({ classId }) => classId !== NO_CLASS);
	if (gifts.length === 0) return ignored('No class was bought.');
	// If one isn't added, that is a failure.
	if (round.accesses.some(({ request }) => request === 'add')) return { result: 'added' };
	const { email } = payment;
	if (email === '') return ignored('The payment has no valid email address.');
	const ends = gifts.map(({ classId }) => accesses.get(keyOf({ email, classId }))!.end);
	return Math.max(...ends) > now
		? { result: 'already processed' }
		: ignored('The access has ended.');
}

const ignored = (reason: string): Result => ({ result: 'ignored', reason });

/** The last step: with all failures, or what came of the call. */
export function report(snapshot: Snapshot, { failures, wouldRemove, result }: State): Step {
	const { calls, isByHand } = snapshot;
	// A person, who removes nobody, sees who it is.
	const brake = wouldRemove.length > 0 && !isByHand ? brakeOf(snapshot) : null;
	const reasons = brake === null ? failures : [...failures, brake];
	if (reasons.length > 0) {
		// Of an execution that fails, n8n shows nothing else.
		const names = isByHand && wouldRemove.length > 0 ? [namesOf(wouldRemove)] : [];
		return {
			next: 'done',
			result: 'failed',
			reason: [...new Set([...reasons, ...names])].join(' '),
		};
	}
	if (calls.length === 0) return { next: 'done', result: 'done', ...(isByHand && { wouldRemove }) };
	return { next: 'done', ...(result ?? NOT_FOUND) };
}

const namesOf = (wouldRemove: string[]): string =>
	`Their access has ended, so Every Hour would remove ${wouldRemove.join(', ')}.`;

/** Said once, as all reasons are. */
const EMPTY_DONE_AT = "If you correct something, empty the row's doneAt.";

const RECORDED: Result = {
	result: 'recorded',
	reason: 'Another execution works for this buyer. It does this, too, or the next hour does.',
};

const NOT_FOUND: Result = {
	result: 'failed',
	reason: 'class_sales has no row with this id. Insert the sale into class_sales first.',
};
