import { inRanges } from '../values/ranges';

const MOST_LISTS = 20;

/** Where a row comes from. */
export interface RowPlace {
	itemIndex: number;
	/** Its number in the list that the item brings, counted from 1; without it the item itself is the row. */
	number?: number;
}

/** Names one row: "item 3", or "student 2 of item 0". */
export function placeName({ itemIndex, number }: RowPlace): string {
	return number === undefined ? `item ${itemIndex}` : `student ${number} of item ${itemIndex}`;
}

/** Names many rows shortly: "items 0-99", or "students 1-20 of item 0". */
export function placeNames(places: RowPlace[]): string {
	const items = places.filter(({ number }) => number === undefined);
	const lists = new Map<number, number[]>();
	for (const { itemIndex, number } of places) {
		if (number === undefined) continue;
		const numbers = lists.get(itemIndex) ?? [];
		numbers.push(number);
		lists.set(itemIndex, numbers);
	}
	const names = [...lists].map(
		([itemIndex, numbers]) => `${counted('student', numbers)} of item ${itemIndex}`,
	);
	if (items.length > 0)
		names.unshift(
			counted(
				'item',
				items.map(({ itemIndex }) => itemIndex),
			),
		);
	const more = names.length > MOST_LISTS ? '; and more' : '';
	return `${names.slice(0, MOST_LISTS).join('; ')}${more}`;
}

function counted(noun: string, numbers: number[]): string {
	return `${noun}${numbers.length === 1 ? '' : 's'} ${inRanges(numbers)}`;
}
