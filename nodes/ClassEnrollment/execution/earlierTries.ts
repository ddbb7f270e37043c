import { createHash } from 'node:crypto';
import isArray from 'lodash/isArray';
import isEqual from 'lodash/isEqual';
import omit from 'lodash/omit';
import omitBy from 'lodash/omitBy';
import type { IDataObject, IExecuteData, INode } from 'n8n-workflow';
import { toObject } from '../values/json';
import {
	type Change,
	type ChangeSoFar,
	divideBody,
	isMade,
	isNoted,
	type Noted,
	targetsOf,
	toNoted,
} from './change';

/** The form of the record. One that older records do not fit needs another number. */
const FORM = 1;

/** What became of the changes in earlier tries of a node run. */
export interface EarlierTries {
	/** When the first try began, in milliseconds since 1970. Durations count from there in every try. */
	startedAt: number;
	/** By target, and by the index of the item. What may have been made stays so until a try succeeds. */
	changes: Map<string, Map<number, Noted>>;
	/** Whether the failed execution saved something else, so that nobody knows what it did. */
	isUnreadable?: true;
}

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
	const tries: EarlierTries = { startedAt: Date.now(), changes: new Map() };
	if (saved === undefined) return tries;
	const { form, startedAt, changes } = toObject(saved);
	const isReadable = form === FORM && Number.isFinite(startedAt) && Array.isArray(changes);
	if (!isReadable || !changes.every(isNoted)) return { ...tries, isUnreadable: true };
	for (const noted of changes) keep(tries, noted);
	return { ...tries, startedAt: startedAt as number };
}

/** Returns what a failed execution keeps of it: JSON that n8n saves with the execution. */
export function toRecord({ startedAt, changes }: EarlierTries): IDataObject {
	const all = [...changes.values()].flatMap((byItem) => [...byItem.values()]);
	return { form: FORM, startedAt, changes: [...new Set(all)] as unknown as IDataObject[] };
}

function keep({ changes }: EarlierTries, noted: Noted): void {
	for (const target of targetsOf(noted)) {
		const byItem = changes.get(target) ?? new Map<number, Noted>();
		changes.set(target, byItem.set(noted[0], noted));
	}
}

function forget({ changes }: EarlierTries, noted: Noted): void {
	for (const target of targetsOf(noted)) changes.get(target)?.delete(noted[0]);
}

/** Whether nothing was changed before in the same run of the node. */
export function isFirstTry({ changes, isUnreadable }: EarlierTries): boolean {
	return changes.size === 0 && !isUnreadable;
}

/** Stands for what the user wrote: the node's parameters, but for those that only say how to send, and the time zone. */
export function wordingHashOf({ parameters }: INode, timezone: string): string {
	const wording = JSON.stringify([timezone, omit(parameters, 'requestOptions', 'options')]);
	return createHash('sha256').update(wording).digest('base64');
}

/**
 * Returns what earlier tries have made of changes, in their order. A change counts as made if the user wrote the same
 * then, since only time can have changed it, or else if the same would be sent. If an addition is to be made again, those
 * after it with the same target follow, or the earlier one would have the last word.
 * @param isComplete whether these are all changes of the run: then an addition that nobody asks for any more counts, too
 */
export function recall(
	tries: EarlierTries,
	wordingHash: string,
	changes: Change[],
	isComplete: boolean,
): ChangeSoFar[] {
	const now = changes.map((change) => toNoted(change, wordingHash));
	const asked = new Map<string, Set<number>>();
	for (const noted of now) {
		for (const target of targetsOf(noted)) {
			asked.set(target, (asked.get(target) ?? new Set()).add(noted[0]));
		}
	}
	const known = (target: string) => [...(tries.changes.get(target) ?? [])];
	const openFrom = new Map<string, number>();
	for (const [target, items] of isComplete ? asked : []) {
		if (known(target).some(([index]) => !items.has(index))) openFrom.set(target, 0);
	}

	const soFar = changes.map((change, index): ChangeSoFar => {
		const targets = targetsOf(now[index]!);
		const before = targets.map((target) => tries.changes.get(target)?.get(change.itemIndex));
		const mustFollow = change.mayBeRepeated && targets.some((target) => openFrom.has(target));
		const made = asMade(before, now[index]!, change);
		if (made && !mustFollow) return { made };
		for (const target of change.mayBeRepeated ? targets : []) {
			if (!openFrom.has(target)) openFrom.set(target, change.itemIndex);
		}
		const isSome = (made: boolean) => before.some((noted) => noted && isMade(noted) === made);
		return { isUnknown: isSome(false), wasMade: isSome(true) };
	});
	// What is to be made again, and what follows it, is no longer made; nor is what nobody asks for.
	for (const [target, from] of changes[0]?.mayBeRepeated ? openFrom : []) {
		for (const [index, noted] of known(target)) {
			const isGone = isMade(noted) || (isComplete && !asked.get(target)!.has(index));
			if (index >= from && isGone) forget(tries, noted);
		}
	}
	return soFar;
}

/** @param before what was noted of each target */
function asMade(
	before: Array<Noted | undefined>,
	[, , , wordingHash, body]: Noted,
	change: Change,
): ChangeSoFar['made'] {
	// Lists are targets.
	const isSame = (sent: IDataObject) => isEqual(omitBy(sent, isArray), omitBy(body, isArray));
	const isDone = before.every(
		(noted) => noted && isMade(noted) && (noted[3] === wordingHash || isSame(noted[4])),
	);
	if (!isDone) return undefined;
	const [, , , , sent, result] = before[0]!;
	return { body: { ...divideBody(change)[0], ...sent }, result };
}

/** Notes what became of changes, for the next try. */
export function note(
	tries: EarlierTries,
	wordingHash: string,
	changes: Array<ChangeSoFar & { change?: Change }>,
): void {
	for (const { change, made, isUnknown } of changes) {
		if (!change || !(made || isUnknown)) continue;
		const body = made?.body ?? change.body;
		keep(tries, toNoted({ ...change, body }, wordingHash, made?.result));
	}
}
