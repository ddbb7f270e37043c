import type { InputItem } from '../../../operation/operation';
import type { FindRows, FoundRows } from '../../../operation/checkRows';
import { type Choice, findChoice } from '../../../values/choice';
import { toObject } from '../../../values/json';
import { parseWholeNumber } from '../../../values/wholeNumber';
import { studentsInItems } from './studentsInItems';
import { studentsInJson, studentsInList } from './studentLists';

interface StudentsFrom extends Choice {
	/** Returns a function that finds the students of an item: itself, or those in its list. */
	createFinder: (items: InputItem[]) => FoundRows['rowsOf'];
}

/** Where the students of Add Many come from. */
export const STUDENTS_FROM: StudentsFrom[] = [
	{
		name: 'Input Items',
		value: 'inputItems',
		description: 'Use each input item as a student, e.g. a spreadsheet row',
		createFinder: studentsInItems,
	},
	{
		name: 'JSON',
		value: 'json',
		description: 'Provide a JSON array',
		createFinder: () => studentsInJson,
	},
	{
		name: 'List',
		value: 'list',
		description: 'Enter the students here',
		createFinder: () => studentsInList,
	},
];

/** How many students to send in one request by default (docs/reference.md). */
export const STUDENTS_PER_REQUEST = 100;

/** Makes each student a row; throws InvalidValueError if 'Students From' or 'Batch Size' is invalid. */
export const findStudents: FindRows = (items) => {
	const { get } = items[0]!;
	const { createFinder } = findChoice(get('studentsFrom'), STUDENTS_FROM, 'Students From');
	const { batchSize = STUDENTS_PER_REQUEST } = toObject(get('options'));
	return {
		rowsOf: createFinder(items),
		batchSize: parseWholeNumber(batchSize, 'Batch Size', 1),
	};
};
