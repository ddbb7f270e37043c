import max from 'lodash/max';
import type { Changes, Poll } from './event';
import { parseTimestamp, readValues } from './readValues';
import { type Seen, valueIn } from './seen';

// How long a class may take to appear in the list.
const MAX_DELAY_MS = 3_600_000;
// How far the service's clock may be behind n8n's if there is no class yet that shows it.
const MAX_CLOCK_ERROR_MS = 86_400_000;
/** How many of what the list lacks to remember: it may come back, but must not fill n8n's database. */
export const MAX_ABSENT = 10_000;

/** Finds the classes with a timestamp that no poll has seen. */
export function findNew({ before, classes }: Poll, field: 'createdAt' | 'updatedAt'): Changes {
	const known = new Set(before?.keys);
	const stamped = readValues(classes, field, parseTimestamp);
	const found = stamped.filter(
		({ value, key }) => before && value >= before.since && !known.has(key),
	);
	const since = sinceWhen(
		stamped.map(({ value }) => value),
		before,
	);
	const present = new Set(stamped.map(({ key }) => key));
	const absent = [...known].filter((key) => !present.has(key)).slice(-MAX_ABSENT);
	const keys = [...absent, ...present].filter((key) => valueIn(key) >= since);
	return { classes: found.map(({ entry }) => entry), seen: { since, keys } };
}

/** From when on the next poll looks. It never reaches beyond n8n's clock, so a timestamp in the future hides no other. */
export function sinceWhen(stamps: number[], before?: Seen): number {
	const now = Date.now();
	const past = stamps.filter((stamp) => stamp <= now);
	const latest = max(past) ?? before?.since ?? now - MAX_CLOCK_ERROR_MS;
	return Math.min(now, Math.max(before?.since ?? -Infinity, latest - MAX_DELAY_MS));
}
