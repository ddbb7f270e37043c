import { compact, isEqual } from 'lodash';
import type { IDataObject, IExecuteData } from 'n8n-workflow';
import type { Outcome } from '../transport/outcome';

/** What a row changes in the service: as much of it as tells it from others. */
export interface Change {
	itemIndex: number;
	/** The student, in lower case. */
	email: string;
	/** Where and about whom it is made: once, or for each of its classes. */
	targets: string[];
	/** What it says about the student. */
	values: IDataObject;
	/** Whether the last one wins, as with additions: then it is made again after an earlier one that is sent again. */
	isOverwritable: boolean;
	/** Stands for what the user wrote in the node's parameters. */
	parametersHash: string;
}

/** What was said about the student, and what came of it. */
export interface Done {
	values: IDataObject;
	/** What the operation needs to make the output again, as JSON. */
	result: unknown;
}

/** What came of a row: its outcome, and with `done` what the operation needs for the output. */
export type RowOutcome = { outcome: Exclude<Outcome, 'done'> } | { outcome: 'done'; done: Done };

/** What the attempts of one node run have changed in the service. */
export interface Journal {
	/** When the first attempt began, in milliseconds since 1970. Durations count from there in every attempt. */
	startedAt: number;
	/** The last change that was made, or may have been, of each target. */
	entries: Map<string, Entry>;
	/** By Base URL, in the order of first use. A target has a token's place in it, as no token may be saved; Retry counts anew. */
	tokens: Record<string, string[]>;
}

/** What was made of a change for one target. */
interface Entry {
	itemIndex: number;
	/** Stands for what the user had written then. */
	parametersHash: string;
	/** Without it, it may have been done. That stays so until an attempt succeeds. */
	done?: Done;
}

/** A journal as n8n saves it with a failed execution. */
type SavedJournal = Pick<Journal, 'startedAt'> & { entries: Array<[target: string, Entry]> };

/** By node run. */
const journals = new WeakMap<IExecuteData | IDataObject, Journal>();

/**
 * Opens the journal of a node run, so that nothing is done again. n8n's Retry On Fail runs a node again with the same
 * object; every other run, and every round of a loop, has one of its own.
 * @param key stands for the node run: n8n's execute data, or the arguments of a tool call
 * @param saved what a failed execution saved, if this is n8n's Retry of it
 */
export function openJournal(key: IExecuteData | IDataObject, saved?: SavedJournal): Journal {
	const journal = journals.get(key) ?? restore(saved);
	journals.set(key, journal);
	return journal;
}

/** Records what an attempt has made of a change. If it was rejected or not processed, what earlier ones have made still holds. */
export function record({ entries }: Journal, change: Change, result: RowOutcome): void {
	if (result.outcome === 'rejected' || result.outcome === 'notProcessed') return;
	const { itemIndex, parametersHash, targets } = change;
	const done = result.outcome === 'done' ? result.done : undefined;
	for (const target of targets) entries.set(target, { itemIndex, parametersHash, done });
}

/**
 * Returns what earlier attempts have made of each row, in the order of the items:
 * - `done`: it need not be sent any more.
 * - `unknown`: it may have been done, or was done in part or with other values, or a row before it will overwrite it.
 * - `notProcessed`: nothing was done. So is a read.
 *
 * Example: item 0 (classes A, B) is sent again, item 1 (class B) was added. Then item 1 is sent again, too, so that it has the
 * last word on B.
 */
export function recall<Row extends { change?: Change }>({ entries }: Journal, rows: Row[]) {
	const targetsToSend = new Set<string>();
	const recallOne = ({ change }: Row): RowOutcome => {
		if (!change || entries.size === 0) return { outcome: 'notProcessed' };
		const { targets, isOverwritable } = change;
		const before = outcomeOf(change, entries);
		const willBeOverwritten = isOverwritable && targets.some((target) => targetsToSend.has(target));
		if (before.outcome === 'done' && !willBeOverwritten) return before;
		for (const target of targets) targetsToSend.add(target);
		return before.outcome === 'done' ? { outcome: 'unknown' } : before;
	};
	return new Map(rows.map((row) => [row, recallOne(row)]));
}

/** What came of a change by the entries of its targets. */
function outcomeOf(change: Change, entries: Journal['entries']): RowOutcome {
	const made = compact(change.targets.map((target) => entries.get(target)));
	if (made.length === 0) return { outcome: 'notProcessed' };
	const isWhole = made.length === change.targets.length;
	const isDone = isWhole && made.every((entry) => isSame(change, entry));
	return isDone ? { outcome: 'done', done: made[0]!.done! } : { outcome: 'unknown' };
}

/**
 * Whether an entry says that this change is done: by the same item with the same parameters (then only what an expression returns
 * has changed, as with `$now`), or with the same values.
 */
function isSame({ itemIndex, parametersHash, values }: Change, made: Entry): boolean {
	if (!made.done) return false;
	if (made.itemIndex === itemIndex && made.parametersHash === parametersHash) return true;
	return isEqual(made.done.values, values);
}

/** Whether something was changed so far, or may have been. */
export function isWritten(journal: Journal): boolean {
	return journal.entries.size > 0;
}

/** Returns what a failed execution keeps: JSON. */
export function toSaved({ startedAt, entries }: Journal): SavedJournal {
	return { startedAt, entries: [...entries] };
}

function restore(saved?: SavedJournal): Journal {
	const startedAt = saved?.startedAt ?? Date.now();
	return { startedAt, entries: new Map(saved?.entries), tokens: {} };
}
