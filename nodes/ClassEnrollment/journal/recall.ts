import { findLast, isEqual } from 'lodash';
import type { Change, Entry, Journal, RowResult } from './journal';

/**
 * Returns the results of earlier attempts by row. A row that is not `done` is sent.
 * - `done`: it was done, just as it is now, apart from what a later row overwrites.
 * - `unknown`: it may have been done in an earlier attempt, wholly or in part, perhaps with other values.
 * - none: no earlier attempt of it has changed anything.
 *
 * When a log is replayed, what overwrote a write is replayed after it. So a row that was done is `unknown` if a row before it is sent
 * again with the same target. Example: item 0 adds a student to the classes A and B for a month, and failed; item 1 adds them to B
 * for a year, and was done. Both are sent: else B would end after a month.
 */
export function recall<Row extends { change?: Change }>({ entries }: Journal, rows: Row[]) {
	const results = new Map<Row, RowResult>();
	if (entries.size === 0) return results;
	/** Of each target, the change that counts: the last write wins. */
	const last = new Map<string, Change>();
	for (const { change } of rows)
		for (const target of change?.targets ?? []) last.set(target, change!);
	const lastEntryOf = (target: string) => entries.get(target)?.at(-1);
	/** The index of the item that wrote a target last; -1 if none did. */
	const writerOf = (target: string) => lastEntryOf(target)?.itemIndex ?? -1;
	/** The targets of the rows so far that are sent. */
	const replayed = new Set<string>();
	for (const row of rows) {
		const { change } = row;
		if (!change) continue;
		const { targets, itemIndex, isAddition } = change;
		const isOwn = (target: string) => isSame(change, lastEntryOf(target));
		const isOverwritten = (target: string) =>
			last.get(target) !== change && writerOf(target) > itemIndex;
		const isReplayed = isAddition && targets.some((target) => replayed.has(target));
		const isKept = targets.every((target) => isOwn(target) || isOverwritten(target));
		const made = targets.flatMap((target) => entries.get(target) ?? []);
		const own = findLast(made, (entry) => isSame(change, entry));
		if (own && isKept && !isReplayed) {
			results.set(row, { outcome: 'done', receipt: own.receipt! });
			continue;
		}
		for (const target of targets) replayed.add(target);
		// What an item before this one wrote says nothing about this one.
		const mayBeDone = targets.some((target) => writerOf(target) >= itemIndex);
		if (mayBeDone) results.set(row, { outcome: 'unknown' });
	}
	return results;
}

/** Whether what was done is what the change asks for now. */
function isSame(change: Change, entry?: Entry): boolean {
	if (!entry?.receipt || entry.isAddition !== change.isAddition) return false;
	if (isEqual(entry.receipt.values, change.values)) return true;
	// The same item with the same parameters: only an expression returns something else now, as `$now` does.
	const { itemIndex, parametersHash } = entry;
	return itemIndex === change.itemIndex && parametersHash === change.parametersHash;
}
