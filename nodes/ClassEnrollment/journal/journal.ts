import { compact, isEqual } from 'lodash';
import type { IDataObject, IExecuteData } from 'n8n-workflow';

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

/**
 * What has become of a row so far:
 * - `open`: nothing was sent, or nothing that the service has processed.
 * - `rejected`: the service rejected it, and did nothing of it.
 * - `rejectedInPart`: the service rejected a request about several targets, and may have done some of them. To the next
 *   attempt it is `unknown`.
 * - `unknown`: it may have been done.
 * - `outdated`: an earlier attempt has done it, but only in part, or with other values, or something has overwritten it or will.
 * - `done`: it need not be sent any more.
 */
export type RowState =
	{ is: 'open' | 'rejected' | 'rejectedInPart' | 'unknown' | 'outdated' } | ({ is: 'done' } & Done);

export const OPEN: RowState = { is: 'open' };

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

/** Notes what has become of a change. What was not made, nor may have been, needs no entry; `outdated` has its own already. */
export function note({ entries }: Journal, change: Change, state: RowState): void {
	if (['open', 'rejected', 'outdated'].includes(state.is)) return;
	const { itemIndex, parametersHash, targets } = change;
	const done = state.is === 'done' ? { values: state.values, result: state.result } : undefined;
	for (const target of targets) entries.set(target, { itemIndex, parametersHash, done });
}

/**
 * Says what earlier attempts have made of each row, in the order of the items; a read is open. Example: item 0 (classes A, B)
 * is sent again, item 1 (class B) was added. Then item 1 is `outdated`: it is sent again, so that it has the last word on B.
 */
export function recall<Row extends { change?: Change }>({ entries }: Journal, rows: Row[]) {
	const targetsToSend = new Set<string>();
	const recallOne = ({ change }: Row): RowState => {
		if (!change || entries.size === 0) return OPEN;
		const { targets, isOverwritable } = change;
		const before = stateOf(change, entries);
		const willBeOverwritten = isOverwritable && targets.some((target) => targetsToSend.has(target));
		if (before.is === 'done' && !willBeOverwritten) return before;
		for (const target of targets) targetsToSend.add(target);
		return before.is === 'done' ? { is: 'outdated' } : before;
	};
	return new Map(rows.map((row) => [row, recallOne(row)]));
}

/** What became of a change by the entries of its targets. */
function stateOf(change: Change, entries: Journal['entries']): RowState {
	const made = compact(change.targets.map((target) => entries.get(target)));
	if (made.length === 0) return OPEN;
	if (made.some(({ done }) => !done)) return { is: 'unknown' };
	const isWhole = made.length === change.targets.length;
	if (!isWhole || !made.every((entry) => isSame(change, entry))) return { is: 'outdated' };
	return { is: 'done', ...made[0]!.done! };
}

/**
 * Whether an entry is of this change: made by the same item with the same parameters (then only what an expression returns
 * has changed, as with `$now`), or with the same values.
 */
function isSame({ itemIndex, parametersHash, values }: Change, made: Entry): boolean {
	if (made.itemIndex === itemIndex && made.parametersHash === parametersHash) return true;
	return isEqual(made.done!.values, values);
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
