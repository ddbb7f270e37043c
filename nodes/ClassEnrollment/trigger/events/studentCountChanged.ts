import type { INodeProperties } from 'n8n-workflow';
import { idOf } from '../../classes/idOf';
import { findChoice } from '../../values/choice';
import { isObject, toObject } from '../../values/json';
import type { TriggerEvent } from '../event';
import { findNew, MAX_ABSENT } from '../timestamps';

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
			const known = readCounts(before);
			const created = findNew({ classes, before: known && before }, 'createdAt');
			// With a filter, a class that is new to the list may have been renamed.
			const startsEmpty = new Set(query === undefined ? created.classes : []);
			const counts = new Map<string, number>();
			const changed = classes.flatMap((entry) => {
				const id = idOf(entry);
				const { countStudents } = entry;
				if (id === undefined || typeof countStudents !== 'number') return [];
				counts.set(id, countStudents);
				const unlessKnown = startsEmpty.has(entry) ? 0 : countStudents;
				const previousCountStudents = known?.get(id) ?? unlessKnown;
				if (countStudents === previousCountStudents) return [];
				const direction = countStudents > previousCountStudents ? 'increased' : 'decreased';
				return ['any', direction].includes(wanted) ? [{ ...entry, previousCountStudents }] : [];
			});
			const absent = [...(known ?? [])].filter(([id]) => !counts.has(id)).slice(-MAX_ABSENT);
			const seen = { ...created.seen, counts: Object.fromEntries([...absent, ...counts]) };
			return { classes: changed, seen };
		};
	},
	toSample: (entry) => ({ ...entry, previousCountStudents: entry.countStudents }),
};

/** Static data of another shape counts as none. */
function readCounts(before: unknown): Map<string, number> | undefined {
	const { counts } = toObject(before);
	if (!isObject(counts)) return undefined;
	const entries = Object.entries(counts) as Array<[string, number]>;
	return entries.every(([, count]) => typeof count === 'number') ? new Map(entries) : undefined;
}
