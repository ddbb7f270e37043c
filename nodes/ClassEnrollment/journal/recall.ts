import isEqual from 'lodash/isEqual';
import memoize from 'lodash/memoize';
import { omitUndefined } from '../values/omitUndefined';
import { type Change, type RowState, targetsOf } from './change';
import { entriesOf, type Entry, type Journal } from './journal';

/**
 * Says what has become of changes in earlier tries, in their order. An addition overwrites those for the same target
 * before it. So one that was made counts only if none before it is to be made now, and if none was made since that comes
 * before it or that nobody asks for any more.
 * @param isComplete whether these are all changes of the run; otherwise the rest may be asked for elsewhere
 */
export function recall(journal: Journal, changes: Change[], isComplete: boolean): RowState[] {
	const entries = entriesOf(journal);
	const entriesFor = (change: Change) =>
		targetsOf(change).map((target) => entries.get(target)?.get(change.itemIndex));
	const asked = new Set(changes.flatMap(entriesFor));
	const firstMadeSince = memoize((target: string) =>
		firstItemsSince(entries.get(target), (entry) => !isComplete || asked.has(entry)),
	);
	const openTargets = new Set<string>();
	return changes.map((change) => {
		const { itemIndex, mayBeRepeated } = change;
		const targets = targetsOf(change);
		const isOverwritten = targets.some(
			(target) =>
				openTargets.has(target) || (firstMadeSince(target).get(itemIndex) ?? Infinity) < itemIndex,
		);
		const before = stateOf(change, entriesFor(change));
		const isOutdated = before.is === 'done' && mayBeRepeated && isOverwritten;
		const state: RowState = isOutdated ? { is: 'outdated' } : before;
		if (state.is !== 'done') for (const target of targets) openTargets.add(target);
		return state;
	});
}

/** Returns, by item, the first item for which something was made after it; -1 if nobody asks for that any more. */
function firstItemsSince(
	byItem: Map<number, Entry> | undefined,
	isAsked: (entry: Entry) => boolean,
): Map<number, number> {
	const firstItems = new Map<number, number>();
	let first = Infinity;
	for (const [itemIndex, entry] of [...(byItem ?? [])].reverse()) {
		firstItems.set(itemIndex, first);
		first = Math.min(first, isAsked(entry) ? itemIndex : -1);
	}
	return firstItems;
}

/**
 * What became of a change by its entries. It counts as done if the user wrote the same then, since only time can have
 * changed it, or else if the same would be sent.
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
