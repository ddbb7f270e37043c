import type { IDataObject, IExecuteData } from 'n8n-workflow';
import { isObject, toObject } from '../values/json';
import { type Change, type Done, type RowState, targetsOf } from './change';

/** The form of what a failed execution saves. One in which saved records cannot be read needs another number. */
const FORM = 1;

/** What the tries of one node run have changed in the service. */
export interface Journal {
	/** When the first try began, in milliseconds since 1970. Durations count from there in every try. */
	startedAt: number;
	/** By target and by the index of the item, those of a target in the order in which they were made. */
	entries: Map<string, Map<number, Entry>>;
	/** The rows of the latest try. What has become of them is entered when the journal is read. */
	rows: Array<{ change?: Change; state: RowState }>;
	/** Whether the failed execution saved something else, so that nobody knows what it did. */
	isUnreadable?: true;
}

/** What was made of a change for one target. */
export interface Entry {
	/** Stands for what the user had written then. */
	parametersHash: string;
	/** Without it, it may have been done. That stays so until a try succeeds. */
	done?: Done;
}

/**
 * An entry as it is saved: without names, which would double its size, and with what many share as one text. It has no
 * values if it only may have been done.
 */
type SavedEntry = [
	itemIndex: number,
	values: IDataObject | null,
	result: unknown,
	parametersHashAndDestination: string,
	...others: string[],
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

/** Adds the rows of a try, before they are performed: so whatever happens then, the journal knows of it. */
export function addRows(journal: Journal, rows: Journal['rows']): void {
	entriesOf(journal);
	journal.rows = rows;
}

/** Returns what was made, and what may have been, by target and item. */
export function entriesOf({ entries, rows }: Journal): Journal['entries'] {
	for (const { change, state } of rows) {
		if (!change || !['done', 'unknown', 'refusedTogether'].includes(state.is)) continue;
		const { itemIndex, parametersHash } = change;
		const done = state.is === 'done' ? { values: state.values, result: state.result } : undefined;
		const entry = { parametersHash, done };
		for (const target of targetsOf(change)) enter(entries, target, itemIndex, entry);
	}
	return entries;
}

/** Whether nothing was changed so far, and nothing may have been. */
export function isUnwritten(journal: Journal): boolean {
	return !journal.isUnreadable && entriesOf(journal).size === 0;
}

/** Returns what a failed execution keeps: JSON that n8n saves with the execution. */
export function toSaved(journal: Journal): IDataObject {
	const entries = [...entriesOf(journal)].flatMap(([target, byItem]) =>
		[...byItem].map(([itemIndex, { parametersHash, done }]): SavedEntry => {
			const { values = null, result = null } = done ?? {};
			const [destination, ...others] = target.split('\n');
			return [itemIndex, values, result, `${parametersHash}\n${destination}`, ...others];
		}),
	);
	return { form: FORM, startedAt: journal.startedAt, entries: entries as unknown as IDataObject[] };
}

function restore(saved: unknown): Journal {
	const journal: Journal = { startedAt: Date.now(), entries: new Map(), rows: [] };
	if (saved === undefined) return journal;
	const { form, startedAt, entries } = toObject(saved);
	const isReadable = form === FORM && Number.isFinite(startedAt) && Array.isArray(entries);
	if (!isReadable || !entries.every(isSavedEntry)) return { ...journal, isUnreadable: true };
	for (const [itemIndex, values, result, ...texts] of entries) {
		const [parametersHash = '', ...target] = texts.join('\n').split('\n');
		const done = values ? { values, result } : undefined;
		enter(journal.entries, target.join('\n'), itemIndex, { parametersHash, done });
	}
	return { ...journal, startedAt: startedAt as number };
}

function isSavedEntry(value: unknown): value is SavedEntry {
	if (!Array.isArray(value)) return false;
	const [itemIndex, values, , ...texts] = value as unknown[];
	const areTexts = texts.length > 1 && texts.every((text) => typeof text === 'string');
	return Number.isInteger(itemIndex) && (values === null || isObject(values)) && areTexts;
}

/** Enters what was made for a target, after all others. */
function enter(entries: Journal['entries'], target: string, itemIndex: number, entry: Entry): void {
	const byItem = entries.get(target) ?? new Map<number, Entry>();
	byItem.delete(itemIndex);
	entries.set(target, byItem.set(itemIndex, entry));
}
