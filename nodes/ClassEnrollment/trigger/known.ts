import { idOf } from '../classes/idOf';
import { InvalidValueError, quote } from '../values/invalidValue';
import { isObject, toObject } from '../values/json';
import type { Poll, Seen } from './event';

/** Whether n8n's static data can be read. If it were used unchecked, every poll could fail. */
export function isSeen(stored: unknown): stored is Seen {
	const { since, values } = toObject(stored);
	return Number.isFinite(since) && isObject(values) && Object.values(values).every(Number.isFinite);
}

/**
 * Compares a field of each class with what earlier polls saw of it.
 * @param parse gets what is known of the class, too, and returns NaN if the field cannot be read
 * @returns the classes in which it can be read; ID and value of each that the list lacks; and of all, to be stored
 * @throws InvalidValueError if it can be read in no class, since the event would never happen
 */
export function compareWithKnown(
	{ classes, before }: Poll,
	field: string,
	parse: (value: unknown, known?: number) => number,
) {
	const known = new Map(Object.entries(before?.values ?? {}));
	const present = classes.flatMap((entry) => {
		const id = idOf(entry) ?? String(entry[field]);
		const value = parse(entry[field], known.get(id));
		return Number.isNaN(value) ? [] : [{ entry, id, value, known: known.get(id) }];
	});
	if (classes.length > 0 && present.length === 0) {
		throw new InvalidValueError(
			field,
			`of the classes cannot be read, for example ${quote(classes[0]![field] ?? '')}`,
			"Choose another event in 'Trigger On', or ask the service's support for this field.",
		);
	}
	for (const { id } of present) known.delete(id);
	// More are gone for good: they must not fill n8n's database.
	const absent = [...known].slice(-10_000);
	const all = [...absent, ...present.map(({ id, value }) => [id, value] as const)];
	return { present, absent, all };
}

/** Returns the number, also of a text that is one, or NaN. */
export function parseNumber(value: unknown): number {
	return /\d/.test(String(value)) ? Number(value) : NaN;
}
