import { formatRanges } from '../../../execution/formatRanges';
import type { RowSource } from './students';

const MAX_LISTS = 20;

/** Describes one row: "item 3", or "student 2 of item 0". */
export function describeRow({ itemIndex, number }: RowSource): string {
	return number === undefined ? `item ${itemIndex}` : `student ${number} of item ${itemIndex}`;
}

/** Describes many rows in short: "items 0-99", or "students 1-20 of item 0". */
export function describeRows(rows: RowSource[]): string {
	const items: number[] = [];
	const lists = new Map<number, number[]>();
	for (const { itemIndex, number } of rows) {
		if (number === undefined) items.push(itemIndex);
		else if (!lists.get(itemIndex)?.push(number)) lists.set(itemIndex, [number]);
	}
	const parts = [
		...(items.length > 0 ? [counted('item', items)] : []),
		...[...lists].map(([index, numbers]) => `${counted('student', numbers)} of item ${index}`),
	];
	const more = parts.length > MAX_LISTS ? '; and more' : '';
	return `${parts.slice(0, MAX_LISTS).join('; ')}${more}`;
}

function counted(noun: string, numbers: number[]): string {
	return `${noun}${numbers.length === 1 ? '' : 's'} ${formatRanges(numbers)}`;
}
