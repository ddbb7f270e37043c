import { findLast, isEqual } from 'lodash';
import type { Change, Entry, Journal, RowResult } from './journal';

/**
 * Returns the results of earlier attempts by row. A row that is not `done` is sent.
 * - `done`: it was done, just as it is now, apart from what a later row overwrites.
 * - `unknown`: it may have been done in an earlier attempt, wholly or in part, perhaps with other values.
 * - none: no earlier attempt of it has changed anything.
 *
 * When a log is replayed, what overwrote a write is replayed after it. So a row that was done is `unknown` if a row before it is sent
 * again with the same target. Example: item 0 adds a student to the classes A and B for a month, item 1 to B for a year.
 * - Only item 1 was done: both are sent. Else B would end after a month.
 * - Both were done: neither is sent, although the last entry of B isn't of item 0.
 */
export function recall<Row extends { change?: Change }>({ entries }: Journal, rows: Row[]) {
	const results = new Map<Row, RowResult>();
	if (entries.size === 0) return results;
	/** The changes that are wanted of each target now, in their order. The last one counts. */
	const wanted = new Map<string, Change[]>();
	for (const { change } of rows)
		for (const target of change?.targets ?? [])
			wanted.set(target, [...(wanted.get(target) ?? []), change!]);
	/** The targets of the rows so far that are sent. */
	const replayed = new Set<string>();
	for (const row of rows) {
		const { change } = row;
		if (!change) continue;
		const { targets, itemIndex, isRemoval } = change;
		/** Whether the last entry of a target is of this change, or of one that overwrites it. */
		const isKept = (target: string) => {
			const last = entries.get(target)?.at(-1);
			const changes = wanted.get(target)!;
			const later = changes.slice(changes.indexOf(change) + 1);
			return isDoneEntry(last, change) || later.some((other) => isEntryOf(last, other));
		};
		const isReplayed = !isRemoval && targets.some((target) => replayed.has(target));
		const made = targets.flatMap((target) => entries.get(target) ?? []);
		const doneEntry = findLast(made, (entry) => isDoneEntry(entry, change));
		if (doneEntry && targets.every(isKept) && !isReplayed) {
			results.set(row, { outcome: 'done', receipt: doneEntry.receipt! });
			continue;
		}
		for (const target of targets) replayed.add(target);
		// What the items before this one have made says nothing about it.
		if (made.some((entry) => entry.itemIndex >= itemIndex))
			results.set(row, { outcome: 'unknown' });
	}
	return results;
}

const isDoneEntry = (entry: Entry | undefined, change: Change): boolean =>
	entry?.receipt !== undefined && isEntryOf(entry, change);

/** Whether an entry is of this change: of the same item with the same parameters, or with the same values. */
function isEntryOf(
	entry: Entry | undefined,
	{ isRemoval, itemIndex, parametersHash, values }: Change,
): boolean {
	if (entry?.isRemoval !== isRemoval) return false;
	// Then only an expression returns something else now, as `$now` does.
	if (entry.itemIndex === itemIndex && entry.parametersHash === parametersHash) return true;
	return isEqual(entry.receipt?.values, values);
}
