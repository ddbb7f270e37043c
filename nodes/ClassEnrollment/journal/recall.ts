import isEqual from 'lodash/isEqual';
import memoize from 'lodash/memoize';
import { omitUndefined } from '../values/omitUndefined';
import { type Change, type RowState, targetsOf } from './change';
import { entriesOf, type Entry, type Journal } from './journal';

/**
 * Says what has become of changes in earlier tries, in the order of their items. The last item that asks for an addition
 * is to win. So one that was made is outdated
 * - if an earlier item is to make one for the same target now, or
 * - if one was made later in time, for an earlier item or for an item that asks for something else now.
 * @param isComplete whether these are all changes of the run; otherwise the rest may be asked for elsewhere
 */
export function recall(journal: Journal, changes: Change[], isComplete: boolean): RowState[] {
	const entries = entriesOf(journal);
	const entriesFor = (change: Change) =>
		targetsOf(change).map((target) => entries.get(target)?.get(change.itemIndex));
	// By target and item, even where it says something else now: then that is sent again, after it.
	const stillAskedFor = new Set(changes.flatMap(entriesFor));
	const isAskedFor = (entry: Entry) => !isComplete || stillAskedFor.has(entry);
	const lowestMadeLater = memoize((target: string) =>
		lowestItemsMadeLater(entries.get(target), isAskedFor),
	);
	const openTargets = new Set<string>();
	return changes.map((change) => {
		const { itemIndex, mayBeRepeated } = change;
		const targets = targetsOf(change);
		const isOverwritten = targets.some(
			(target) =>
				openTargets.has(target) || (lowestMadeLater(target).get(itemIndex) ?? Infinity) < itemIndex,
		);
		const before = stateOf(change, entriesFor(change));
		const isOutdated = before.is === 'done' && mayBeRepeated && isOverwritten;
		const state: RowState = isOutdated ? { is: 'outdated' } : before;
		if (state.is !== 'done') for (const target of targets) openTargets.add(target);
		return state;
	});
}

/** Returns, by item, the lowest item for which something was made later in time; -1 stands for one that nobody asks for. */
function lowestItemsMadeLater(
	byItem: Map<number, Entry> | undefined,
	isAskedFor: (entry: Entry) => boolean,
): Map<number, number> {
	const lowestItems = new Map<number, number>();
	let lowest = Infinity;
	for (const [itemIndex, entry] of [...(byItem ?? [])].reverse()) {
		lowestItems.set(itemIndex, lowest);
		lowest = Math.min(lowest, isAskedFor(entry) ? itemIndex : -1);
	}
	return lowestItems;
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
	if (entries.some((entry) => entry && !entry.done)) return { is: 'unknown' };
	return { is: entries.some((entry) => entry) ? 'outdated' : 'open' };
}
