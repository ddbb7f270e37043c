import isEqual from 'lodash/isEqual';
import type { IDataObject, IExecuteData, INodeExecutionData } from 'n8n-workflow';
import { omitUndefined } from '../values/omitUndefined';
import { outputItem } from './output';

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

/** What became of a change. */
export interface WhatBecame {
	/** The JSON of its output items, if it was made. */
	output?: IDataObject[];
	/** Whether it may have been made, although no try succeeded. */
	isUnknown?: boolean;
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
 * Returns what earlier tries have made of a change. It counts as made where the parameters are as the user wrote them then,
 * since only time can have changed it, as it does a date a year from now, or else where what is sent is the same.
 */
export function recall({ done, unknown, wording }: EarlierTries, change: Change): WhatBecame {
	// Nearly every try is the first one, and a key takes longer than the rest of a row.
	if (done.size + unknown.size === 0) return {};
	const key = keyOf(change);
	const made = done.get(key);
	const isSame = made && (made.wording === wording || isEqual(made.body, bodyOf(change)));
	return { output: isSame ? [made.output.json] : undefined, isUnknown: unknown.has(key) };
}

/** Notes what became of a change, for the next try. */
export function note(
	{ done, unknown, wording }: EarlierTries,
	change: Change,
	{ output, isUnknown }: WhatBecame,
): void {
	const key = keyOf(change);
	if (output) {
		const item = outputItem(output[0]!, change.itemIndex);
		done.set(key, { ...change, body: bodyOf(change), output: item, wording });
	}
	if (output) unknown.delete(key);
	else if (isUnknown) unknown.add(key);
}

function bodyOf({ body = {} }: Change): IDataObject {
	return omitUndefined(body);
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
