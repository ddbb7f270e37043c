import { compact, isEqual } from 'lodash';
import type { Change, Entry, Journal, RowResult } from './journal';

/**
 * Returns the result of each row in earlier attempts, in the order of the items:
 * - `done`: it need not be sent any more.
 * - `unknown`: it may have been done, or was done in part or with other values, or a row before it will overwrite it.
 * - `notProcessed`: nothing was done. So is a read.
 *
 * Example: item 0 (classes A, B) is sent again, item 1 (class B) was added. Then item 1 is sent again, too, so that it has the
 * last word on B.
 */
export function recall<Row extends { change?: Change }>({ entries }: Journal, rows: Row[]) {
	const targetsToSend = new Set<string>();
	const recallOne = ({ change }: Row): RowResult => {
		if (!change || entries.size === 0) return { outcome: 'notProcessed' };
		const { targets, isOverwritable } = change;
		const before = recordedResult(change, entries);
		const willBeOverwritten = isOverwritable && targets.some((target) => targetsToSend.has(target));
		if (before.outcome === 'done' && !willBeOverwritten) return before;
		for (const target of targets) targetsToSend.add(target);
		return before.outcome === 'done' ? { outcome: 'unknown' } : before;
	};
	return new Map(rows.map((row) => [row, recallOne(row)]));
}

/** Returns the result of a change from the entries of its targets. */
function recordedResult(change: Change, entries: Journal['entries']): RowResult {
	const made = compact(change.targets.map((target) => entries.get(target)));
	if (made.length === 0) return { outcome: 'notProcessed' };
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
