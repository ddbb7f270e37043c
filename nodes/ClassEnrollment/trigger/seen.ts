import { isObject } from '../values/json';

/** What the next poll compares with. It is kept in the workflow's static data, so it must stay small. */
export interface Seen {
	/** From when on a timestamp that no poll has seen is new, in milliseconds since 1970. */
	since: number;
	/** The classes, each as "value:ID", where the value is what the event watches, as a number. */
	keys: string[];
}

/** Whether n8n's static data contains this. Otherwise, every poll would fail. */
export function isSeen(stored: unknown): stored is Seen {
	if (!isObject(stored) || !Array.isArray(stored.keys)) return false;
	return typeof stored.since === 'number' && stored.keys.every((key) => typeof key === 'string');
}

export const valueIn = (key: string) => Number.parseFloat(key);

export const idIn = (key: string) => key.slice(key.indexOf(':') + 1);
