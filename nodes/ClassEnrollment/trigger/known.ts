import { idOf } from '../classes/classPages';
import { InvalidValueError, quote } from '../values/invalidValue';
import { isObject, toObject } from '../values/json';
import { textOf } from '../values/text';
import type { Poll, Seen } from './event';

/** Whether n8n's static data can be read. Unchecked, it could make every poll fail. */
export function isSeen(stored: unknown): stored is Seen {
	const { since, values } = toObject(stored);
	return Number.isFinite(since) && isObject(values) && Object.values(values).every(Number.isFinite);
}

/**
 * Compares a field of each class with the value that earlier polls saw.
 * @param parse also gets the known value of the class; returns NaN if the field cannot be read
 * @returns the classes in which it can be read; and ID and value of these and of those that the list lacks, to be stored
 * @throws InvalidValueError if no class has a value that can be read: the event would never happen
 */
export function compareWithKnown(
	{ classes, before }: Poll,
	field: string,
	parse: (value: unknown, known?: number) => number,
) {
	const known = new Map(Object.entries(before?.values ?? {}));
	const present = classes.flatMap((entry) => {
		const id = idOf(entry) ?? textOf(entry[field]);
		const value = parse(entry[field], known.get(id));
		return Number.isNaN(value) ? [] : [{ entry, id, value, known: known.get(id) }];
	});
	if (classes.length > 0 && present.length === 0) {
		throw new InvalidValueError(
			field,
			`of the classes cannot be read, for example ${quote(classes[0]![field] ?? '')}`,
			"Choose another event in 'Trigger On', or ask the service's support about this field.",
		);
	}
	for (const { id } of present) known.delete(id);
	// The others are gone for good, and must not fill n8n's database.
	const absent = [...known].slice(-10_000);
	const all = [...absent, ...present.map(({ id, value }) => [id, value] as const)];
	return { present, all };
}

/** Returns the number, also of a text that is one, or NaN. */
export function parseNumber(value: unknown): number {
	const text = textOf(value);
	return /\d/.test(text) ? Number(text) : NaN;
}
