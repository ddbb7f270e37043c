import isEqual from 'lodash/isEqual';
import type { IDataObject, IExecuteData, INodeExecutionData } from 'n8n-workflow';
import { omitUndefined } from '../values/omitUndefined';

/** What an item changes. */
export interface Change {
	itemIndex: number;
	/** The number of the student in the item's list, if it has one. */
	number?: number;
	/** Method and path. */
	request: string;
	/** What it is about, such as a student. */
	subject?: string;
	body?: IDataObject;
}

/** A change that was made. */
export interface DoneChange extends Change {
	body: IDataObject;
	output: INodeExecutionData;
	/** The wording under which it was made. */
	wording: string;
}

/** What became of the changes in earlier tries of a node run. */
export interface EarlierTries {
	/** The changes that were made, by their keys. */
	done: Map<string, DoneChange>;
	/** The keys of the changes that may have been made. They stay so until a try succeeds, whatever later tries meet. */
	unknown: Set<string>;
	/** Stands for the node's parameters, as the user wrote them. */
	wording: string;
}

const triesByRun = new WeakMap<IExecuteData | IDataObject, EarlierTries>();

/**
 * Returns what earlier tries of the same node run have done, so that it is not done again. n8n's Retry On Fail runs
 * a node again with the same object; every other run, and every round of a loop, has one of its own.
 * @param run n8n's execute data, or the arguments of a tool call
 */
export function earlierTriesOf(run: IExecuteData | IDataObject): EarlierTries {
	const tries = triesByRun.get(run) ?? { done: new Map(), unknown: new Set(), wording: '' };
	triesByRun.set(run, tries);
	return tries;
}

/** Identifies a change within a run. */
export function keyOf({ itemIndex, number, request, subject }: Change): string {
	return JSON.stringify([itemIndex, number, request, subject]);
}

/**
 * Returns the output of a change if it was made already. Where the user has changed the parameters since, what is sent
 * must be the same too. Where not, only time can have changed it, as it does a date a year from now.
 */
export function outputIfDone(
	{ done, wording }: EarlierTries,
	change: Change,
): INodeExecutionData | undefined {
	// Nearly every try is the first one, and a key takes longer than the rest of a row.
	const made = done.size === 0 ? undefined : done.get(keyOf(change));
	if (!made) return undefined;
	const isSame = made.wording === wording || isEqual(made.body, omitUndefined(change.body ?? {}));
	return isSame ? made.output : undefined;
}

/** Notes that a change was made. */
export function noteDone(
	{ done, unknown, wording }: EarlierTries,
	change: Change,
	output: INodeExecutionData,
): void {
	const key = keyOf(change);
	done.set(key, { ...change, body: omitUndefined(change.body ?? {}), output, wording });
	unknown.delete(key);
}

/** Whether a change may have been made in an earlier try, although none succeeded. */
export function isUnknown({ unknown }: EarlierTries, change: Change): boolean {
	return unknown.size > 0 && unknown.has(keyOf(change));
}

/** Whether nothing was changed before in the same run of the node. */
export function isFirstTry({
	earlierTries: { done, unknown },
	isWave,
}: {
	earlierTries: EarlierTries;
	isWave: boolean;
}): boolean {
	return !isWave && done.size + unknown.size === 0;
}
