import type { IDataObject } from 'n8n-workflow';
import { idOf } from '../classes/idOf';
import { InvalidValueError, quote } from '../values/invalidValue';

// In milliseconds, this is a day in 1973; in seconds, one in 5138.
const MAX_SECONDS = 1e11;

/** A class with the value that an event watches. */
export interface Watched {
	entry: IDataObject;
	value: number;
	/** How it is stored. */
	key: string;
}

/**
 * Reads what an event watches; leaves out the classes in which it cannot be read.
 * @throws InvalidValueError if these are all classes, since the event would never happen
 */
export function readValues(
	classes: IDataObject[],
	field: string,
	parse: (value: unknown) => number,
): Watched[] {
	const watched = classes.flatMap((entry) => {
		const value = parse(entry[field]);
		return Number.isNaN(value) ? [] : [{ entry, value, key: `${value}:${idOf(entry)}` }];
	});
	if (classes.length === 0 || watched.length > 0) return watched;
	throw new InvalidValueError(
		field,
		`cannot be read in any class, for example ${quote(classes[0]![field] ?? '')}`,
		"Without it, this event goes unnoticed. Ask the service's support, or choose another event in 'Trigger On'.",
	);
}

/** Returns the number, also of a text that is one, or NaN. */
export function parseNumber(value: unknown): number {
	return /^\s*-?\d+(\.\d+)?\s*$/.test(String(value)) ? Number(value) : NaN;
}

/**
 * Returns milliseconds since 1970, or NaN. Without an offset, a timestamp is in UTC (test/service/openapi.yaml); a
 * number is in seconds or milliseconds.
 */
export function parseTimestamp(value: unknown): number {
	const number = parseNumber(value);
	if (number < MAX_SECONDS) return Math.round(number * 1000);
	if (number >= MAX_SECONDS) return Math.round(number);
	const text = String(value).trim().replace(/ UTC$/i, 'Z');
	return Date.parse(/([a-z]|[+-]\d\d(:?\d\d)?)$/i.test(text) ? text : `${text}Z`);
}
