import type { INodeProperties } from 'n8n-workflow';
import { findChoice, toShownOptions } from '../../values/choice';
import type { TriggerEvent } from '../event';
import { compareWithPrevious, valuesById } from '../compare';
import { nextSince, parseTimestamp } from '../timestamps';

const DIRECTIONS = [
	{ name: 'Any', value: 'any', includes: (change: number) => change !== 0 },
	{ name: 'Decreased', value: 'decreased', includes: (change: number) => change < 0 },
	{ name: 'Increased', value: 'increased', includes: (change: number) => change > 0 },
];

const directionField: INodeProperties = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	required: true,
	options: toShownOptions(DIRECTIONS),
	default: 'any',
	description: 'Which changes in the number of students start the workflow',
};

const parseCount = (value: unknown) => (typeof value === 'number' ? value : NaN);

export const studentCountChanged: TriggerEvent = {
	name: 'Student Count Changed',
	value: 'studentCountChanged',
	description: 'When the number of students in a class changes',
	fields: [directionField],
	watch: (get) => {
		const { includes } = findChoice(get('direction'), DIRECTIONS, directionField.displayName);
		return (poll) => {
			const compared = compareWithPrevious(poll, 'countStudents', parseCount);
			// With a filter, a class that is new to the list may have been renamed.
			const start = (poll.nameFilter === undefined ? poll.before?.since : undefined) ?? Infinity;
			const changed = compared.flatMap(({ entry, value, previous }) => {
				const startsEmpty = parseTimestamp(entry.createdAt) >= start;
				const previousCountStudents = previous ?? (startsEmpty ? 0 : value);
				const isChange = includes(value - previousCountStudents);
				return isChange ? [{ ...entry, previousCountStudents }] : [];
			});
			const seen = { since: nextSince(poll, 'createdAt'), values: valuesById(poll, compared) };
			return { classes: changed, seen };
		};
	},
	toSample: (entry) => ({ ...entry, previousCountStudents: entry.countStudents }),
};
