import { isEqual } from 'lodash';
import type { Change, Entry, Journal, RowResult } from './journal';

/**
 * Returns the results of earlier attempts. A row without one is sent, and so is an unknown one:
 * - `done`: it was done, and need not be sent any more.
 * - `unknown`: it may have been done, in part or with other values.
 *
 * A row that is done is unknown, too, if a row before it, which is sent again, will overwrite it. Example: item 0 adds a student
 * to the classes A and B for a month, and failed; item 1 adds them to B for a year, and was done. Both are sent: else B would end
 * after a month.
 */
export function recall<Row extends { change?: Change }>({ entries }: Journal, rows: Row[]) {
	const results = new Map<Row, RowResult>();
	if (entries.size === 0) return results;
	/** The targets of the rows so far that are sent. */
	const targetsToSend = new Set<string>();
	for (const row of rows) {
		const { change } = row;
		if (!change) continue;
		const { targets, isOverwritable } = change;
		const earlier = targets.map((target) => entries.get(target));
		const willBeOverwritten = isOverwritable && targets.some((target) => targetsToSend.has(target));
		const done = earlier[0]?.done;
		if (done && earlier.every((entry) => isSame(change, entry)) && !willBeOverwritten) {
			results.set(row, { outcome: 'done', done });
			continue;
		}
		for (const target of targets) targetsToSend.add(target);
		if (earlier.some(Boolean)) results.set(row, { outcome: 'unknown' });
	}
	return results;
}

/** Whether what was done is what the change asks for now. */
function isSame(change: Change, entry?: Entry): boolean {
	if (!entry?.done) return false;
	if (isEqual(entry.done.values, change.values)) return true;
	// The same item with the same parameters: only an expression returns something else now, as `$now` does.
	const { itemIndex, parametersHash } = entry;
	return itemIndex === change.itemIndex && parametersHash === change.parametersHash;
}
