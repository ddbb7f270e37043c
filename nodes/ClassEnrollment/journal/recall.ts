import { compact, isEqual } from 'lodash';
import type { Change, Entry, Journal, RowResult } from './journal';

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
		if (!row.change) continue;
		const { targets, isOverwritable } = row.change;
		const isOverwritten = isOverwritable && targets.some((target) => targetsToSend.has(target));
		let result = recordedResult(row.change, entries);
		if (result?.outcome === 'done' && isOverwritten) result = { outcome: 'unknown' };
		if (result) results.set(row, result);
		if (result?.outcome !== 'done') for (const target of targets) targetsToSend.add(target);
	}
	return results;
}

/** Returns the result of a change from the entries of its targets; undefined if there are none. */
function recordedResult(change: Change, entries: Journal['entries']): RowResult | undefined {
	const made = compact(change.targets.map((target) => entries.get(target)));
	if (made.length === 0) return undefined;
	const isWhole = made.length === change.targets.length;
	const isDone = isWhole && made.every((entry) => isSame(change, entry));
	return isDone ? { outcome: 'done', done: made[0]!.done! } : { outcome: 'unknown' };
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
