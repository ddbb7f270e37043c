import { groupBy, uniq } from 'lodash';
import type { Row } from './row';

const MAX_PARTS = 20;

/** Describes rows in ascending order, in short: "item 3", "items 0-99", or "students 1-20 of item 0". */
export function describeRows(rows: Row[]): string {
	const lists = groupBy(rows, ({ item, numberInList }) =>
		numberInList ? ` of item ${item.itemIndex}` : '',
	);
	const parts = Object.entries(lists).map(([where, list]) => {
		const what = `${where ? 'student' : 'item'}${list.length === 1 ? '' : 's'}`;
		return `${what} ${inShort(toRanges(list), ', ')}${where}`;
	});
	return inShort(parts, '; ');
}

/** Turns rows in ascending order into ranges: those with the numbers 0, 1, 2 and 5 become "0-2" and "5". */
function toRanges(rows: Row[]): string[] {
	const ranges: number[][] = [];
	for (const row of rows) {
		const number = row.numberInList ?? row.item.itemIndex;
		const last = ranges.at(-1);
		if (last?.at(-1) === number - 1) last.push(number);
		else ranges.push([number]);
	}
	return ranges.map((all) => uniq([all[0], all.at(-1)]).join('-'));
}

/** Joins texts, not more than can be read. */
function inShort(parts: string[], separator: string): string {
	const shown = parts.length > MAX_PARTS ? [...parts.slice(0, MAX_PARTS), 'and more'] : parts;
	return shown.join(separator);
}
