import { createHash } from 'node:crypto';
import dropWhile from 'lodash/dropWhile';
import isEqual from 'lodash/isEqual';
import omit from 'lodash/omit';
import type { IDataObject, IExecuteData, INode } from 'n8n-workflow';
import { toObject } from '../values/json';
import { type Change, type Done, type RowState, targetsOf, valuesOf } from './change';

/** The form of the record. One that older records do not fit needs another number. */
const FORM = 2;

/** What became of the changes in earlier tries of a node run. */
export interface EarlierTries {
	/** When the first try began, in milliseconds since 1970. Durations count from there in every try. */
	startedAt: number;
	/** By target and by the index of the item, those of a target in the order in which they were made. */
	notes: Map<string, Map<number, Note>>;
	/** Whether the failed execution saved something else, so that nobody knows what it did. */
	isUnreadable?: true;
}

/** What became of a change with one target. */
interface Note {
	/** Stands for what the user had written then. */
	parametersHash: string;
	/** Without it, it may have been done. That stays so until a try succeeds. */
	done?: Done;
}

/** A note as it is saved: without names, which would double its size. */
type SavedNote = [
	itemIndex: number,
	parametersHash: string,
	sent: IDataObject | null,
	result: unknown,
	...target: unknown[],
];

const triesByRun = new WeakMap<IExecuteData | IDataObject, EarlierTries>();

/**
 * Returns what earlier tries of the same node run have done, so that it is not done again. n8n's Retry On Fail runs
 * a node again with the same object; every other run, and every round of a loop, has one of its own.
 * @param run n8n's execute data, or the arguments of a tool call
 * @param saved what a failed execution saved, if this is n8n's Retry of it
 */
export function earlierTriesOf(run: IExecuteData | IDataObject, saved?: unknown): EarlierTries {
	const tries = triesByRun.get(run) ?? restore(saved);
	triesByRun.set(run, tries);
	return tries;
}

function restore(saved: unknown): EarlierTries {
	const tries: EarlierTries = { startedAt: Date.now(), notes: new Map() };
	if (saved === undefined) return tries;
	const { form, startedAt, notes } = toObject(saved);
	const isReadable = form === FORM && Number.isFinite(startedAt) && Array.isArray(notes);
	if (!isReadable || !notes.every(isSavedNote)) return { ...tries, isUnreadable: true };
	for (const [itemIndex, parametersHash, sent, result, ...target] of notes) {
		const done = sent ? { sent, result } : undefined;
		keep(tries, JSON.stringify(target), itemIndex, { parametersHash, done });
	}
	return { ...tries, startedAt: startedAt as number };
}

const isSavedNote = (value: unknown): value is SavedNote =>
	Array.isArray(value) && Number.isInteger(value[0]);

/** Returns what a failed execution keeps of it: JSON that n8n saves with the execution. */
export function toRecord({ startedAt, notes }: EarlierTries): IDataObject {
	const saved = [...notes].flatMap(([target, byItem]) =>
		[...byItem].map(([itemIndex, { parametersHash, done }]): SavedNote => {
			const { sent, result } = done ?? { sent: null, result: null };
			return [itemIndex, parametersHash, sent, result, ...(JSON.parse(target) as unknown[])];
		}),
	);
	return { form: FORM, startedAt, notes: saved as unknown as IDataObject[] };
}

/** Whether nothing was changed before in the same run of the node. */
export function isFirstTry({ notes, isUnreadable }: EarlierTries): boolean {
	return notes.size === 0 && !isUnreadable;
}

/** Stands for what the user wrote: the node's parameters, but for those that only say how to send, and the time zone. */
export function parametersHashOf({ parameters }: INode, timezone: string): string {
	const written = JSON.stringify([timezone, omit(parameters, 'requestOptions', 'options')]);
	return createHash('sha256').update(written).digest('base64');
}

/**
 * Returns what earlier tries have made of changes, in their order. An addition overwrites those with the same target before
 * it. So one that was made counts only if none before it is to be made now, and none was made since that comes before it.
 * @param isComplete whether these are all changes of the run: then one since that nobody asks for any more is wrong, too
 */
export function recall(tries: EarlierTries, changes: Change[], isComplete: boolean): RowState[] {
	const asked = new Set(changes.flatMap((change) => notesOf(tries, change)));
	const isOverwritten = (target: string, itemIndex: number) => {
		const notes = [...(tries.notes.get(target) ?? [])];
		const since = dropWhile(notes, ([index]) => index !== itemIndex);
		return since.some(([index, note]) => index < itemIndex || (isComplete && !asked.has(note)));
	};
	const openTargets = new Set<string>();
	const states: RowState[] = [];
	for (const change of changes) {
		const { itemIndex, mayBeRepeated } = change;
		const targets = targetsOf(change);
		const mustFollow = targets.some((one) => openTargets.has(one) || isOverwritten(one, itemIndex));
		const before = stateOf(change, notesOf(tries, change));
		const isOutdated = before.is === 'done' && mayBeRepeated && mustFollow;
		const state: RowState = isOutdated ? { is: 'outdated' } : before;
		if (state.is !== 'done') for (const target of targets) openTargets.add(target);
		states.push(state);
	}
	return states;
}

/** What was noted of a change, for each of its targets. */
function notesOf({ notes }: EarlierTries, change: Change): Array<Note | undefined> {
	return targetsOf(change).map((target) => notes.get(target)?.get(change.itemIndex));
}

/**
 * What became of a change by its notes. It counts as done if the user wrote the same then, since only time can have changed
 * it, or else if the same would be sent.
 */
function stateOf(change: Change, notes: Array<Note | undefined>): RowState {
	const isDone = notes.every(
		(note) =>
			note?.done &&
			(note.parametersHash === change.parametersHash || isEqual(note.done.sent, valuesOf(change))),
	);
	if (isDone) return { is: 'done', ...notes[0]!.done! };
	if (notes.some((note) => note && !note.done)) return { is: 'unknown' };
	return { is: notes.some((note) => note) ? 'outdated' : 'open' };
}

/** Notes what a try has made of changes, for the next one. */
export function note(tries: EarlierTries, rows: Array<{ change?: Change; state: RowState }>): void {
	for (const { change, state } of rows) {
		if (!change || (state.is !== 'done' && state.is !== 'unknown')) continue;
		const { itemIndex, parametersHash } = change;
		const done = state.is === 'done' ? { sent: state.sent, result: state.result } : undefined;
		for (const target of targetsOf(change))
			keep(tries, target, itemIndex, { parametersHash, done });
	}
}

function keep({ notes }: EarlierTries, target: string, itemIndex: number, note: Note): void {
	const byItem = notes.get(target) ?? new Map<number, Note>();
	// It was made after the others.
	byItem.delete(itemIndex);
	notes.set(target, byItem.set(itemIndex, note));
}
