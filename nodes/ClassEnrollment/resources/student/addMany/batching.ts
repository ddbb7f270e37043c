import type { Batching, RowsOf } from '../../../execution/row';
import type { InputItem } from '../../../execution/operation';
import { type Choice, findChoice } from '../../../values/choice';
import { InvalidValueError } from '../../../values/invalidValue';
import { parseWholeNumber } from '../../../values/wholeNumber';
import { inputItemRows } from './inputItemRows';
import { jsonRows, listRows } from './listRows';

/** Where the students of Add Many come from, and how each item becomes rows. */
export const STUDENTS_FROM: Array<Choice & { rowsOf: (items: InputItem[]) => RowsOf }> = [
	{
		name: 'Input Items',
		value: 'inputItems',
		description: 'Use each input item as a student, e.g. a spreadsheet row',
		rowsOf: inputItemRows,
	},
	{
		name: 'JSON',
		value: 'json',
		description: 'Provide a JSON array',
		rowsOf: () => jsonRows,
	},
	{
		name: 'List',
		value: 'list',
		description: 'Enter the students here',
		rowsOf: () => listRows,
	},
];

/** How many students to send in one request by default. */
export const STUDENTS_PER_REQUEST = 100;

/** Reads how the students are divided; throws InvalidValueError if that cannot be used. */
export function readBatching(items: InputItem[]): Batching {
	const choices = items.map(({ parameters }) =>
		findChoice(parameters.get('studentsFrom'), STUDENTS_FROM, 'Students From'),
	);
	if (new Set(choices).size > 1) {
		throw new InvalidValueError(
			'Students From',
			'must be the same for all items',
			'Choose one value, or split the items before this node.',
		);
	}
	const options = items[0]!.parameters.get('options') as { batchSize?: unknown } | null;
	return {
		rowsOf: choices[0]!.rowsOf(items),
		batchSize: parseWholeNumber(options?.batchSize ?? STUDENTS_PER_REQUEST, 'Batch Size', 1),
	};
}
