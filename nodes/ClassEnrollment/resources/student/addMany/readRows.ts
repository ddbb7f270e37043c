import { findChoice } from '../../../values/choice';
import { InvalidValueError } from '../../../values/invalidValue';
import { parseWholeNumber } from '../../../values/wholeNumber';
import type { InputItem } from '../../../execution/operation';
import { readInputItemRows } from './inputItemRows';
import { readListRows } from './listRows';
import {
	type CheckedRow,
	STUDENTS_FROM,
	STUDENTS_PER_REQUEST,
	type StudentsFrom,
} from './students';

/** Reads and checks all students, in the order of the input. An invalid row keeps its error. */
export function readRows(items: InputItem[]): CheckedRow[] {
	try {
		const studentsFrom = readStudentsFrom(items);
		if (studentsFrom === 'inputItems') return readInputItemRows(items, readBatchSize(items[0]!));
		return items.flatMap((item) => {
			try {
				return readListRows(item, studentsFrom, readBatchSize(item));
			} catch (error) {
				return [{ itemIndex: item.itemIndex, error }];
			}
		});
	} catch (error) {
		return items.map(({ itemIndex }) => ({ itemIndex, error }));
	}
}

function readStudentsFrom(items: InputItem[]): StudentsFrom {
	const [first, ...others] = items.map(
		({ parameters }) =>
			findChoice(parameters.get('studentsFrom'), STUDENTS_FROM, 'Students From').value,
	);
	if (first !== undefined && others.every((other) => other === first)) return first;
	throw new InvalidValueError(
		'Students From',
		'must be the same for all items',
		'Choose one value, or split the items before this node.',
	);
}

function readBatchSize({ parameters }: InputItem): number {
	const { batchSize } = (parameters.get('options') ?? {}) as { batchSize?: unknown };
	return parseWholeNumber(batchSize ?? STUDENTS_PER_REQUEST, 'Batch Size', 1);
}
