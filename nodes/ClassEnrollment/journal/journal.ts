import { type IDataObject, type IExecuteData, UserError } from 'n8n-workflow';
import { isObject, toObject } from '../values/json';

/** The form of a saved journal, to be raised when older ones can no longer be read. */
const FORM = 3;

/** What a row changes in the service: as much of it as tells it from others. */
export interface Change {
	itemIndex: number;
	/** The student, in lower case. */
	email: string;
	/** Where and about whom it is made: once, or for each of its classes. No part contains another line break. */
	targets: string[];
	/** What it says about the student. */
	values: IDataObject;
	/** Whether a later one is taken to overwrite it without harm, as with additions: so it may be made again, in order. */
	mayBeRepeated: boolean;
	/** Stands for what the user wrote in the node's parameters. */
	parametersHash: string;
}

/** What was said about the student, and what came of it. */
export interface Done {
	values: IDataObject;
	result: unknown;
}

/**
 * What has become of a row so far:
 * - `open`: nothing was sent, or nothing that the service has processed.
 * - `refused`: the service refused it by itself.
 * - `refusedTogether`: the service refused a request that contained more rows. It may have done some of them, so that to
 *   the next try it is `unknown`.
 * - `refusedInPart`: the same of a request that contained more classes.
 * - `unknown`: it may have been done.
 * - `outdated`: an earlier try has done it, but only in part, or with other values, or something has overwritten it or will.
 * - `done`: it need not be sent any more.
 */
export type RowState =
	| { is: 'open' | 'refused' | 'refusedTogether' | 'refusedInPart' | 'unknown' | 'outdated' }
	| ({ is: 'done' } & Done);

/** What the tries of one node run have changed in the service. */
export interface Journal {
	/** When the first try began, in milliseconds since 1970. Durations count from there in every try. */
	startedAt: number;
	/** By target and item, in the order in which they were made. */
	entries: Map<string, Entry>;
	/** What every change fails with, if what the failed execution saved cannot be read. */
	unreadable?: UserError;
}

/** What was made of a change for one target. */
export interface Entry {
	target: string;
	itemIndex: number;
	/** Stands for what the user had written then. */
	parametersHash: string;
	/** Without it, it may have been done. That stays so until a try succeeds. */
	done?: Done;
}

/** An entry of a saved journal. n8n saves equal texts once, so its target is in parts. Without values, it may have been done. */
type SavedEntry = [
	itemIndex: number,
	values: IDataObject | null,
	result: unknown,
	parametersHash: string,
	...target: string[],
];

const journals = new WeakMap<IExecuteData | IDataObject, Journal>();

/**
 * Opens the journal of a node run, so that nothing is done again. n8n's Retry On Fail runs a node again with the same
 * object; every other run, and every round of a loop, has one of its own.
 * @param run n8n's execute data, or the arguments of a tool call
 * @param saved what a failed execution saved, if this is n8n's Retry of it
 */
export function openJournal(run: IExecuteData | IDataObject, saved?: unknown): Journal {
	const journal = journals.get(run) ?? restore(saved);
	journals.set(run, journal);
	return journal;
}

/** Notes what has become of a change, as soon as that is known. What was not made, nor may have been, needs no entry. */
export function note({ entries }: Journal, change: Change, state: RowState): void {
	if (['open', 'refused', 'outdated'].includes(state.is)) return;
	const { itemIndex, parametersHash, targets, mayBeRepeated } = change;
	const done = state.is === 'done' ? { values: state.values, result: state.result } : undefined;
	// A student removed from some of the classes stays so, whatever becomes of a second removal.
	const keepsDone = !done && !mayBeRepeated && targets.length > 1;
	for (const target of targets) {
		const isKept = keepsDone && entries.get(keyOf(target, itemIndex))?.done;
		if (!isKept) enter(entries, { target, itemIndex, parametersHash, done });
	}
}

/** Whether nothing was changed so far, and nothing may have been. */
export function isUnwritten(journal: Journal): boolean {
	return !journal.unreadable && journal.entries.size === 0;
}

/** Returns what a failed execution keeps: JSON that n8n saves with the execution. */
export function toSaved(journal: Journal): IDataObject {
	const entries = [...journal.entries.values()].map((entry): SavedEntry => {
		const { target, itemIndex, parametersHash, done } = entry;
		const { values = null, result = null } = done ?? {};
		return [itemIndex, values, result, parametersHash, ...target.split('\n')];
	});
	return { form: FORM, startedAt: journal.startedAt, entries: entries as unknown as IDataObject[] };
}

function restore(saved: unknown): Journal {
	const journal: Journal = { startedAt: Date.now(), entries: new Map() };
	if (saved === undefined) return journal;
	const { form, startedAt, entries } = toObject(saved);
	const isReadable = form === FORM && Number.isFinite(startedAt) && Array.isArray(entries);
	if (!isReadable || !entries.every(isSavedEntry)) {
		const description =
			'Its record of what was done cannot be read. Check in the service what is missing, and start a new execution for that.';
		const message = 'It is unknown what the failed execution did';
		return { ...journal, unreadable: new UserError(message, { description }) };
	}
	for (const [itemIndex, values, result, parametersHash, ...target] of entries) {
		const done = values ? { values, result } : undefined;
		enter(journal.entries, { target: target.join('\n'), itemIndex, parametersHash, done });
	}
	return { ...journal, startedAt: startedAt as number };
}

function isSavedEntry(value: unknown): value is SavedEntry {
	if (!Array.isArray(value)) return false;
	const [itemIndex, values, , ...texts] = value as unknown[];
	const areTexts = texts.length > 2 && texts.every((text) => typeof text === 'string');
	return Number.isInteger(itemIndex) && (values === null || isObject(values)) && areTexts;
}

/** The name of what an item changes for a target. */
export function keyOf(target: string, itemIndex: number): string {
	return `${target}\n${itemIndex}`;
}

/** Enters what was made, after all others. */
function enter(entries: Journal['entries'], entry: Entry): void {
	const key = keyOf(entry.target, entry.itemIndex);
	entries.delete(key);
	entries.set(key, entry);
}
