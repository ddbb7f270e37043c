import type { INodeProperties } from 'n8n-workflow';
import { idOf } from '../../classes/idOf';
import { findChoice } from '../../values/choice';
import type { TriggerEvent } from '../event';
import { parseNumber, parseTimestamp, readValues } from '../readValues';
import { idIn, valueIn } from '../seen';
import { MAX_ABSENT, sinceWhen } from '../timestamps';

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
			const counts = new Map<string, string>();
			const changed = readValues(classes, 'countStudents', parseNumber).flatMap((watched) => {
				const { entry, value: count, key } = watched;
				const id = idOf(entry);
				if (id === undefined) return [];
				counts.set(id, key);
				const isNew = since !== undefined && parseTimestamp(entry.createdAt) >= since;
				const previousCountStudents = known.get(id) ?? (isNew ? 0 : count);
				if (count === previousCountStudents) return [];
				const direction = count > previousCountStudents ? 'increased' : 'decreased';
				return ['any', direction].includes(wanted) ? [{ ...entry, previousCountStudents }] : [];
			});
			const absent = before?.keys.filter((key) => !counts.has(idIn(key))).slice(-MAX_ABSENT) ?? [];
			const seen = {
				since: sinceWhen(
					classes.map(({ createdAt }) => parseTimestamp(createdAt)),
					before,
				),
				keys: [...absent, ...counts.values()],
			};
			return { classes: changed, seen };
		};
	},
	toSample: (entry) => ({ ...entry, previousCountStudents: parseNumber(entry.countStudents) }),
};
