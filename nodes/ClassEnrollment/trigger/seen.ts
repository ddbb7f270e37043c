import type { IDataObject } from 'n8n-workflow';
import { type ClassList, idOf } from '../classes/readClasses';

/** What the trigger has seen, by the service's own clock. Kept between polls in the workflow's static data. */
export interface Memory {
	/** The latest time stamp seen, in milliseconds since 1970. */
	since: number;
	/** The classes seen with that time stamp or a later one, each as "time stamp:ID". */
	seen: string[];
	/** The number of students of each class, where the event is about them. */
	counts?: Record<string, number>;
	/** How many classes were missing from the list. */
	missing: number;
}

export interface Detected {
	classes: IDataObject[];
	memory: Memory;
}

/**
 * Finds the classes with a new time stamp.
 * @param before undefined in the first poll, for which everything there is counts as seen
 */
export function detectByStamp(
	before: Memory | undefined,
	list: ClassList,
	field: 'createdAt' | 'updatedAt',
): Detected {
	const since = before?.since ?? 0;
	const known = new Set(before?.seen);
	const recent = list.classes
		.map((entry) => ({ entry, stamp: Date.parse(String(entry[field])) }))
		.filter(({ stamp }) => stamp >= since)
		.map(({ entry, stamp }) => ({ entry, stamp, key: `${stamp}:${idOf(entry)}` }));
	const found = before ? recent.filter(({ key }) => !known.has(key)) : [];

	// A class that is missing from an incomplete list may have an earlier stamp than those that came.
	const latest = recent.reduce((max, { stamp }) => Math.max(max, stamp), since);
	const next = isSettled(before, list) ? latest : since;
	const seen = new Set([...known, ...recent.map(({ key }) => key)]);
	return {
		classes: found.map(({ entry }) => entry),
		memory: {
			since: next,
			seen: [...seen].filter((key) => Number.parseInt(key, 10) >= next),
			missing: list.missing,
		},
	};
}

/**
 * Finds the classes whose number of students is another one than before.
 * @param startFromNothing whether a class created since the last poll had no students before; where the list is
 * filtered by name, it may as well be an older class that only now matches
 */
export function detectByCount(
	before: Memory | undefined,
	list: ClassList,
	startFromNothing: boolean,
): Detected {
	const created = detectByStamp(before, list, 'createdAt');
	const startsFromNothing = new Set(startFromNothing ? created.classes : []);
	const counts: Record<string, number> = isSettled(before, list) ? {} : { ...before?.counts };
	const classes: IDataObject[] = [];

	for (const entry of list.classes) {
		const id = idOf(entry);
		const { countStudents } = entry;
		if (id === undefined || typeof countStudents !== 'number') continue;
		counts[id] = countStudents;
		const unknownBefore = startsFromNothing.has(entry) ? 0 : countStudents;
		const previousCountStudents = before?.counts?.[id] ?? unknownBefore;
		if (before && previousCountStudents !== countStudents) {
			classes.push({ ...entry, previousCountStudents });
		}
	}
	return { classes, memory: { ...created.memory, counts } };
}

/** Whether nothing more is to come: all classes are there, or the same number is missing as the last time. */
function isSettled(before: Memory | undefined, { missing }: ClassList): boolean {
	return before === undefined || missing === 0 || missing === before.missing;
}
