import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { idOf } from '../../classes/idOf';
import { parseChoice } from '../../values/choice';
import type { TriggerEvent } from '../event';
import { isComplete } from '../timestamps';

const DIRECTIONS = { any: 'Any', decreased: 'Decreased', increased: 'Increased' } as const;

const directionField: INodeProperties = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	required: true,
	options: Object.entries(DIRECTIONS).map(([value, name]) => ({ name, value })),
	default: 'any',
	description: 'Which changes in the student count trigger the workflow',
};

export const studentCountChanged: TriggerEvent = {
	name: 'Student Count Changed',
	value: 'studentCountChanged',
	description: 'When the number of students in a class changes',
	fields: [directionField],
	watch: (get) => {
		const wanted = parseChoice(get('direction'), DIRECTIONS, directionField.displayName);
		return ({ list, query, before }) => {
			const counts: Record<string, number> = isComplete(before, list) ? {} : { ...before?.counts };
			// Otherwise a class that is new to the list need not be a new class.
			const newOnesStartEmpty = query === undefined && before?.missing === list.missing;
			const classes: IDataObject[] = [];
			for (const entry of list.classes) {
				const id = idOf(entry);
				const { countStudents } = entry;
				if (id === undefined || typeof countStudents !== 'number') continue;
				counts[id] = countStudents;
				const previousCountStudents =
					before?.counts?.[id] ?? (newOnesStartEmpty ? 0 : countStudents);
				const direction = countStudents > previousCountStudents ? 'increased' : 'decreased';
				const isWanted = wanted === 'any' || wanted === direction;
				if (before && isWanted && countStudents !== previousCountStudents) {
					classes.push({ ...entry, previousCountStudents });
				}
			}
			return { classes, seen: { since: 0, keys: [], counts, missing: list.missing } };
		};
	},
	toSample: (entry) => ({ ...entry, previousCountStudents: entry.countStudents }),
};
