import { idOf } from '../classes/idOf';
import type { ClassList } from '../classes/readClasses';
import type { Changes, Poll, Seen } from './event';

// A time stamp beyond what a wrong clock explains does not count as the latest.
const MOST_CLOCK_ERROR_MS = 86_400_000;

/** Finds the classes with a time stamp that no poll has seen. */
export function compareStamps({ before, list }: Poll, field: 'createdAt' | 'updatedAt'): Changes {
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

/** Whether the list contains all there is: it lacks nothing, or as much as the last time. */
export function isComplete(before: Seen | undefined, { classes, missing }: ClassList): boolean {
	return !before || (classes.length > 0 && (missing === 0 || missing === before.missing));
}
