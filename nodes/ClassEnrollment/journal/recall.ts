import isEqual from 'lodash/isEqual';
import { omitUndefined } from '../values/omitUndefined';
import { type Change, type Entry, type Journal, keyOf, type RowState } from './journal';

/**
 * Says what has become of changes in earlier tries, in the order of their items. Additions are to have been made in this
 * order, the last one last. So one that was made is outdated
 * - if one of an item before it, with the same target, is to be made now, or
 * - if one of such an item was made after it, or one that nobody asks for any more.
 */
export function recall({ entries }: Journal, changes: Change[]): RowState[] {
	const entriesFor = ({ targets, itemIndex }: Change) =>
		targets.map((target) => entries.get(keyOf(target, itemIndex)));
	// One with other values now is asked for, too: it is made again, and so are those of the items after it.
	const outdated = outdatedEntries(entries, new Set(changes.flatMap(entriesFor)));
	/** Those of the changes so far that are to be made now. */
	const targetsToMake = new Set<string>();
	return changes.map((change) => {
		const { targets, mayBeRepeated } = change;
		const made = entriesFor(change);
		const isOutdated =
			made.some((entry) => outdated.has(entry)) ||
			targets.some((target) => targetsToMake.has(target));
		const before = stateOf(change, made);
		if (before.is === 'done' && !(isOutdated && mayBeRepeated)) return before;
		for (const target of targets) targetsToMake.add(target);
		return before.is === 'done' ? { is: 'outdated' } : before;
	});
}

/** Returns the entries for which a later one was made for the same target, of an earlier item or one not asked for. */
function outdatedEntries(
	entries: Journal['entries'],
	askedFor: ReadonlySet<Entry | undefined>,
): Set<Entry | undefined> {
	const outdated = new Set<Entry | undefined>();
	/** By target, the first item of those made later; one that nobody asks for comes before all. */
	const firstItems = new Map<string, number>();
	for (const entry of [...entries.values()].reverse()) {
		const { target, itemIndex } = entry;
		const firstItem = firstItems.get(target) ?? Infinity;
		if (firstItem < itemIndex) outdated.add(entry);
		firstItems.set(target, askedFor.has(entry) ? Math.min(firstItem, itemIndex) : -Infinity);
	}
	return outdated;
}

/**
 * What became of a change by its entries. It counts as done if the user wrote the same in the node then, since only the
 * clock can have changed it, as with `$now`, or else if the same would be sent.
 */
function stateOf(change: Change, entries: Array<Entry | undefined>): RowState {
	const values = omitUndefined(change.values);
	const isDone = entries.every(
		(entry) =>
			entry?.done &&
			(entry.parametersHash === change.parametersHash ||
				isEqual(omitUndefined(entry.done.values), values)),
	);
	if (isDone) return { is: 'done', ...entries[0]!.done! };
	const made = entries.filter((entry) => entry !== undefined);
	if (made.some(({ done }) => !done)) return { is: 'unknown' };
	return { is: made.length > 0 ? 'outdated' : 'open' };
}
