import max from 'lodash/max';
import { idOf } from '../classes/idOf';
import { toObject } from '../values/json';
import type { Changes, Poll } from './event';

// How long a class may take to appear in the list.
const MAX_DELAY_MS = 3_600_000;
// How far the service's clock may be behind n8n's if there is no class yet that shows it.
const MAX_CLOCK_ERROR_MS = 86_400_000;
/** How many of what the list lacks to remember: it may come back, but must not fill n8n's database. */
export const MAX_ABSENT = 10_000;

interface Seen {
	/** Milliseconds since 1970. It never reaches beyond n8n's clock, so a timestamp in the future hides no other. */
	since: number;
	/** The classes that were seen with a timestamp from then on, each as "timestamp:ID". */
	keys: string[];
}

/** Finds the classes with a timestamp that no poll has seen. */
export function findNew({ before, classes }: Poll, field: 'createdAt' | 'updatedAt'): Changes {
	const last = readSeen(before);
	const known = new Set(last?.keys);
	const now = Date.now();
	const stamped = classes.map((entry) => {
		const stamp = parseTimestamp(entry[field]);
		return { entry, stamp, key: `${stamp}:${idOf(entry)}` };
	});
	const found = stamped.filter(({ stamp, key }) => last && stamp >= last.since && !known.has(key));

	const latest =
		max(stamped.map(({ stamp }) => stamp).filter((stamp) => stamp <= now)) ??
		last?.since ??
		now - MAX_CLOCK_ERROR_MS;
	const since = Math.min(now, Math.max(last?.since ?? -Infinity, latest - MAX_DELAY_MS));
	const present = new Set(stamped.map(({ key }) => key));
	const absent = [...known].filter((key) => !present.has(key)).slice(-MAX_ABSENT);
	const keys = [...absent, ...present].filter((key) => Number.parseInt(key, 10) >= since);
	return { classes: found.map(({ entry }) => entry), seen: { since, keys } };
}

/** The IDs of the classes whose timestamps were seen lately. */
export function idsSeen(before: unknown): Set<string> {
	return new Set(readSeen(before)?.keys.map((key) => key.slice(key.indexOf(':') + 1)));
}

/** Returns milliseconds since 1970, or NaN. Without an offset, a timestamp is in UTC (test/service/openapi.yaml). */
export function parseTimestamp(value: unknown): number {
	const text = String(value);
	return Date.parse(/([a-z]|[+-]\d\d(:?\d\d)?)$/i.test(text) ? text : `${text}Z`);
}

/** Static data of another shape counts as none. */
function readSeen(before: unknown): Seen | undefined {
	const { since, keys } = toObject(before) as Partial<Seen>;
	const isSeen = typeof since === 'number' && Array.isArray(keys);
	return isSeen && keys.every((key) => typeof key === 'string') ? { since, keys } : undefined;
}
