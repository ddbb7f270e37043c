import { map, max, pickBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { type Compared, compareWithPrevious, valuesById } from './compare';
import type { PollResult, Poll } from './event';

// How long a class may take to appear in the list (docs/reference.md).
const MAX_DELAY_MS = 3_600_000;
// How far the service's clock may be behind n8n's. What is older is not new, even if it comes into the list of a filter.
const MAX_CLOCK_ERROR_MS = 86_400_000;

/**
 * Finds the classes with a timestamp that no poll has seen. The first poll finds none. As in stream processing, `since` is a
 * watermark: a class may appear late, so it stays an hour behind the newest timestamp (at most a day behind n8n's clock), and the classes after it are remembered.
 *
 * Example: the newest class is of 12:00, so the next poll looks from 11:00 on. If it finds one of 11:30 that it doesn't know, this
 * is new. One of 10:30 is not: it may have been seen, and forgotten.
 */
export function findNew(
	poll: Poll,
	field: 'createdAt' | 'updatedAt',
	isWanted: (entry: IDataObject, previous?: number) => boolean = () => true,
): PollResult {
	const since = poll.before?.since ?? Infinity;
	const compared = compareWithPrevious(poll, field, parseTimestamp);
	const isNew = ({ value, previous = -Infinity }: Compared) => value >= since && value > previous;
	const found = compared.filter((one) => isNew(one) && isWanted(one.entry, one.previous));
	const next = nextSince(poll, field);
	const values = pickBy(valuesById(poll, compared), (value) => value >= next);
	return { classes: map(found, 'entry'), seen: { since: next, values } };
}

/** From when on the next poll looks. A timestamp in the future doesn't count, so that it hides no other. */
export function nextSince({ classes, before }: Poll, field: 'createdAt' | 'updatedAt'): number {
	const now = Date.now();
	const past = classes.map((entry) => parseTimestamp(entry[field])).filter((stamp) => stamp <= now);
	const seen = past.map((stamp) => stamp - MAX_DELAY_MS);
	return max([before?.since, now - MAX_CLOCK_ERROR_MS, ...seen])!;
}

/** Returns milliseconds since 1970, or NaN. Without an offset, a timestamp is in UTC (test/service/openapi.yaml). */
export function parseTimestamp(value: unknown): number {
	return DateTime.fromISO(String(value).replace(' ', 'T'), { zone: 'utc' }).toMillis();
}
