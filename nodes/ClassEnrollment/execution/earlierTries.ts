import { createHash } from 'node:crypto';
import isEqual from 'lodash/isEqual';
import keyBy from 'lodash/keyBy';
import omit from 'lodash/omit';
import type { IDataObject, IExecuteData, INode } from 'n8n-workflow';
import { isObject } from '../values/json';
import {
	type Change,
	type ChangeSoFar,
	divideBody,
	keyOf,
	type Noted,
	targetsOf,
	toNoted,
} from './change';

/** The form of the record. One that older records do not fit needs another number. */
const FORM = 1;

/** What became of the changes in earlier tries of a node run, as JSON that n8n can save with an execution. */
export interface EarlierTries {
	form: typeof FORM;
	/** When the first try began, in milliseconds since 1970. Durations count from there in every try. */
	startedAt: number;
	/** What may have been made stays so until a try succeeds. */
	changes: Noted[];
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
	const none: EarlierTries = { form: FORM, startedAt: Date.now(), changes: [] };
	if (saved === undefined) return none;
	const isReadable = isObject(saved) && saved.form === FORM && Array.isArray(saved.changes);
	return isReadable ? { ...none, ...saved } : { ...none, isUnreadable: true };
}

/** Whether nothing was changed before in the same run of the node. */
export function isFirstTry({ changes, isUnreadable }: EarlierTries): boolean {
	return changes.length === 0 && !isUnreadable;
}

/** Stands for what the user wrote: the node's parameters, but for those that only say how to send, and the time zone. */
export function wordingOf({ parameters }: INode, timezone: string): string {
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
	wording: string,
	changes: Change[],
	isComplete: boolean,
): ChangeSoFar[] {
	if (tries.changes.length === 0) return changes.map(() => ({}));
	const own = keyBy(tries.changes, keyOf);
	const noted = itemsByTarget(tries.changes);
	const asked = itemsByTarget(changes.map((change) => toNoted(change, wording)));
	const isLost = (target: string) =>
		isComplete && noted[target]?.some((index) => !asked[target]!.includes(index));
	const openFrom: Record<string, number> = {};

	const known = changes.map((change): ChangeSoFar => {
		const now = toNoted(change, wording);
		const before = own[keyOf(now)];
		const targets = change.mayBeRepeated ? targetsOf(now) : [];
		const mustFollow = targets.some((target) => target in openFrom || isLost(target));
		const made = asMade(before, now, change);
		if (made && !mustFollow) return { made };
		for (const target of targets) openFrom[target] ??= isLost(target) ? 0 : change.itemIndex;
		return { isUnknown: before && before[5] === undefined };
	});
	// What is to be made again is no longer made, nor what follows it.
	const isOpen = (one: Noted) => targetsOf(one).some((target) => one[0] >= openFrom[target]!);
	tries.changes = tries.changes.filter((one) => one[5] === undefined || !isOpen(one));
	return known;
}

function asMade(before: Noted | undefined, now: Noted, change: Change): ChangeSoFar['made'] {
	if (before?.[5] === undefined) return undefined;
	const [, , , wording, sent, result] = before;
	if (wording !== now[3] && !isEqual(sent, now[4])) return undefined;
	return { body: { ...divideBody(change)[0], ...sent }, result };
}

/** Notes what became of changes, for the next try. */
export function note(
	tries: EarlierTries,
	wording: string,
	changes: Array<ChangeSoFar & { change?: Change }>,
): void {
	const noted = changes.flatMap(({ change, made, isUnknown }) =>
		change && (made || isUnknown)
			? [toNoted({ ...change, body: made?.body ?? change.body }, wording, made?.result)]
			: [],
	);
	const isAnew = new Set(noted.map(keyOf));
	tries.changes = [...tries.changes.filter((one) => !isAnew.has(keyOf(one))), ...noted];
}

function itemsByTarget(changes: Noted[]): Record<string, number[]> {
	const items: Record<string, number[]> = {};
	for (const noted of changes) {
		for (const target of targetsOf(noted)) (items[target] ??= []).push(noted[0]);
	}
	return items;
}
