import type { InputItem } from '../../../operation/operation';
import type { Division } from '../../../operation/row';
import type { EnteredStudent } from '../../../fields/student';
import { type Choice, findChoice } from '../../../values/choice';
import { InvalidValueError } from '../../../values/invalidValue';
import { toObject } from '../../../values/json';
import { parseWholeNumber } from '../../../values/wholeNumber';
import { studentsInItems } from './studentsInItems';
import { studentsInJson, studentsInList } from './studentLists';

/** Finds the students of an item: itself, or those in its list. */
type FindStudents = Division<EnteredStudent>['sourcesOf'];

/** Where the students of Add Many come from. */
export const STUDENTS_FROM: Array<Choice & { search: (items: InputItem[]) => FindStudents }> = [
	{
		name: 'Input Items',
		value: 'inputItems',
		description: 'Use each input item as a student, e.g. a spreadsheet row',
		search: studentsInItems,
	},
	{
		name: 'JSON',
		value: 'json',
		description: 'Provide a JSON array',
		search: () => studentsInJson,
	},
	{
		name: 'List',
		value: 'list',
		description: 'Enter the students here',
		search: () => studentsInList,
	},
];

/** How many students to send in one request by default (README). */
export const STUDENTS_PER_REQUEST = 100;

/** Makes each student a row; throws InvalidValueError if it cannot be used how the students are to be divided. */
export function divideStudents(items: InputItem[]): Division<EnteredStudent> {
	const values = [...new Set(items.map(({ parameters }) => parameters.get('studentsFrom')))];
	const choices = values.map((value) => findChoice(value, STUDENTS_FROM, 'Students From'));
	if (choices.length > 1) {
		const advice = 'Choose one value, or split the items before this node.';
		throw new InvalidValueError('Students From', 'must be the same for all items', advice);
	}
	const { batchSize } = toObject(items[0]!.parameters.get('options'));
	const size = parseWholeNumber(batchSize ?? STUDENTS_PER_REQUEST, 'Batch Size', 1);
	const sourcesOf = choices[0]!.search(items);
	return { sourcesOf, batchPolicy: { size, join: (students) => ({ students }) } };
}
