import type { INodeProperties } from 'n8n-workflow';
import { idOf } from '../../classes/idOf';
import { findChoice } from '../../values/choice';
import type { TriggerEvent } from '../event';
import { idIn, valueIn } from '../seen';
import { MAX_ABSENT, parseTimestamp, sinceWhen } from '../timestamps';

const DIRECTIONS = [
	{ name: 'Any', value: 'any' },
	{ name: 'Decreased', value: 'decreased' },
	{ name: 'Increased', value: 'increased' },
];

const directionField: INodeProperties = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	required: true,
	options: DIRECTIONS,
	default: 'any',
	description: 'Which changes in the student count trigger the workflow',
};

export const studentCountChanged: TriggerEvent = {
	name: 'Student Count Changed',
	value: 'studentCountChanged',
	description: 'When the number of students in a class changes',
	fields: [directionField],
	watch: (get) => {
		const { value: wanted } = findChoice(get('direction'), DIRECTIONS, directionField.displayName);
		return ({ classes, query, before }) => {
			const known = new Map(before?.keys.map((key) => [idIn(key), valueIn(key)]));
			// With a filter, a class that is new to the list may have been renamed.
			const since = query === undefined ? before?.since : undefined;
			const counts = new Map<string, number>();
			const changed = classes.flatMap((entry) => {
				const id = idOf(entry);
				const { countStudents } = entry;
				if (id === undefined || typeof countStudents !== 'number') return [];
				counts.set(id, countStudents);
				const isNew = since !== undefined && parseTimestamp(entry.createdAt) >= since;
				const previousCountStudents = known.get(id) ?? (isNew ? 0 : countStudents);
				if (countStudents === previousCountStudents) return [];
				const direction = countStudents > previousCountStudents ? 'increased' : 'decreased';
				return ['any', direction].includes(wanted) ? [{ ...entry, previousCountStudents }] : [];
			});
			const absent = [...known].filter(([id]) => !counts.has(id)).slice(-MAX_ABSENT);
			const seen = {
				since: sinceWhen(
					classes.map(({ createdAt }) => parseTimestamp(createdAt)),
					before,
				),
				keys: [...absent, ...counts].map(([id, count]) => `${count}:${id}`),
			};
			return { classes: changed, seen };
		};
	},
	toSample: (entry) => ({ ...entry, previousCountStudents: entry.countStudents }),
};
