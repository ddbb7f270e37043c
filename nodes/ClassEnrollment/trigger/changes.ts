import type { IDataObject } from 'n8n-workflow';
import { idOf } from '../classes/idOf';
import type { ClassList } from '../classes/readClasses';

export const EVENTS = {
	classCreated: 'Class Created',
	classUpdated: 'Class Updated',
	studentCountChanged: 'Student Count Changed',
} as const;
export const DIRECTIONS = { any: 'Any', decreased: 'Decreased', increased: 'Increased' } as const;

/** The trigger's parameters. */
export interface Watch {
	event: keyof typeof EVENTS;
	direction: keyof typeof DIRECTIONS;
	query?: string;
}

/** What a poll saw. Kept in the workflow's static data. */
export interface Seen {
	/** The latest time stamp of the service, in milliseconds since 1970. */
	since: number;
	/** The classes with that time stamp or a later one, each as "time stamp:ID". */
	keys: string[];
	/** The number of students in each class, if the event is about it. */
	counts?: Record<string, number>;
	/** How many classes the list lacked. */
	missing: number;
}

interface Changes {
	classes: IDataObject[];
	seen: Seen;
}

// Services may set the two time stamps of a new class one after the other.
const CREATION_TAKES_MS = 1000;
// A time stamp beyond what a wrong clock explains does not count as the latest.
const MOST_CLOCK_ERROR_MS = 86_400_000;

/**
 * Compares the class list with what the last poll saw.
 * @param before undefined for the first poll, which only records the current state
 */
export function findChanges(watch: Watch, before: Seen | undefined, list: ClassList): Changes {
	if (watch.event === 'studentCountChanged') return compareCounts(watch, before, list);
	if (watch.event === 'classCreated') return compareStamps(before, list, 'createdAt');
	const changes = compareStamps(before, list, 'updatedAt');
	const isUpdate = (entry: IDataObject) => {
		const age = Date.parse(String(entry.updatedAt)) - Date.parse(String(entry.createdAt));
		const isKnown = before?.keys.some((key) => key.slice(key.indexOf(':') + 1) === idOf(entry));
		return isKnown === true || !(Math.abs(age) < CREATION_TAKES_MS);
	};
	return { ...changes, classes: changes.classes.filter(isUpdate) };
}

function compareStamps(
	before: Seen | undefined,
	list: ClassList,
	field: 'createdAt' | 'updatedAt',
): Changes {
	const since = before?.since ?? 0;
	const known = new Set(before?.keys);
	const recent = list.classes
		.map((entry) => ({ entry, stamp: Date.parse(String(entry[field])) }))
		.filter(({ stamp }) => stamp >= since)
		.map(({ entry, stamp }) => ({ entry, stamp, key: `${stamp}:${idOf(entry)}` }));
	const changed = before ? recent.filter(({ key }) => !known.has(key)) : [];

	// A class that an incomplete list lacks may have an earlier stamp than those it contains.
	const latest = (isComplete(before, list) ? recent : [])
		.filter(({ stamp }) => stamp < Date.now() + MOST_CLOCK_ERROR_MS)
		.reduce((max, { stamp }) => Math.max(max, stamp), since);
	const keys = [...new Set([...known, ...recent.map(({ key }) => key)])];
	return {
		classes: changed.map(({ entry }) => entry),
		seen: {
			since: latest,
			keys: keys.filter((key) => Number.parseInt(key, 10) >= latest),
			missing: list.missing,
		},
	};
}

function compareCounts(watch: Watch, before: Seen | undefined, list: ClassList): Changes {
	const counts: Record<string, number> = isComplete(before, list) ? {} : { ...before?.counts };
	// Otherwise a class that is new to the list need not be a new class.
	const newOnesStartEmpty = watch.query === undefined && before?.missing === list.missing;
	const classes: IDataObject[] = [];
	for (const entry of list.classes) {
		const id = idOf(entry);
		const { countStudents } = entry;
		if (id === undefined || typeof countStudents !== 'number') continue;
		counts[id] = countStudents;
		const previousCountStudents = before?.counts?.[id] ?? (newOnesStartEmpty ? 0 : countStudents);
		const direction = countStudents > previousCountStudents ? 'increased' : 'decreased';
		const isWanted = watch.direction === 'any' || watch.direction === direction;
		if (before && isWanted && countStudents !== previousCountStudents) {
			classes.push({ ...entry, previousCountStudents });
		}
	}
	return { classes, seen: { since: 0, keys: [], counts, missing: list.missing } };
}

/** Whether the list contains all there is: it lacks nothing, or as much as the last time. */
function isComplete(before: Seen | undefined, { classes, missing }: ClassList): boolean {
	return !before || (classes.length > 0 && (missing === 0 || missing === before.missing));
}
