import { isEqual } from 'lodash';
import type { Change, Done, Entry, Journal, RowResult } from './journal';

/**
 * Returns the results of earlier attempts, in the order of the items. A row without one is sent, and so is an unknown one:
 * - `done`: it need not be sent any more.
 * - `unknown`: it may have been done, was done in part or with other values, or will be overwritten by a row before it.
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

/** Whether what was done is what the change asks for now. */
function isSame(change: Change, { done, itemIndex, parametersHash }: Entry): boolean {
	if (!done) return false;
	if (isEqual(done.values, change.values)) return true;
	// The same item with the same parameters: only an expression returns something else now, as `$now` does.
	return itemIndex === change.itemIndex && parametersHash === change.parametersHash;
}
