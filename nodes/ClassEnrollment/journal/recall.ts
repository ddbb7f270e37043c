import { isEqual } from 'lodash';
import type { Change, Done, Entry, Journal, RowResult } from './journal';

/**
 * Returns the results of earlier attempts, in the order of the items. A row without one is sent, and so is an unknown one:
 * - `done`: it need not be sent any more.
 * - `unknown`: it may have been done, or was done in part or with other values, or a row before it will overwrite it.
 *
 * Example: item 0 (classes A, B) is sent again, item 1 (class B) was added. Then item 1 is sent again, too, so that it has the
 * last word on B.
 */
export function recall<Row extends { change?: Change }>({ entries }: Journal, rows: Row[]) {
	const results = new Map<Row, RowResult>();
	if (entries.size === 0) return results;
	const targetsToSend = new Set<string>();
	for (const row of rows) {
		const { change } = row;
		if (!change) continue;
		const { targets, isOverwritable } = change;
		const done = findDone(change, entries);
		const isOverwritten = isOverwritable && targets.some((target) => targetsToSend.has(target));
		if (done && !isOverwritten) {
			results.set(row, { outcome: 'done', done });
			continue;
		}
		for (const target of targets) targetsToSend.add(target);
		if (targets.some((target) => entries.has(target))) results.set(row, { outcome: 'unknown' });
	}
	return results;
}

/** Returns what the output of a change is made from, if the entries of all its targets say that it is done. */
function findDone(change: Change, entries: Journal['entries']): Done | undefined {
	const made = change.targets.map((target) => entries.get(target));
	return made.every((entry) => entry && isSame(change, entry)) ? made[0]?.done : undefined;
}

/**
 * Whether an entry says that this change is done: by the same item with the same parameters (then only what an expression returns
 * has changed, as with `$now`), or with the same values.
 */
function isSame({ itemIndex, parametersHash, values }: Change, made: Entry): boolean {
	if (!made.done) return false;
	if (made.itemIndex === itemIndex && made.parametersHash === parametersHash) return true;
	return isEqual(made.done.values, values);
}
