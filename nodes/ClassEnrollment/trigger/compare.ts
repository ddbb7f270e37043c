import type { IDataObject } from 'n8n-workflow';
import { idOf } from '../classes/classPage';
import type { Poll } from './event';

/** A class with what the event watches of it, now and when it was seen last. */
interface Compared {
	entry: IDataObject;
	id: string;
	value: number;
	/** Undefined if the last poll did not see the class. */
	known?: number;
}

/**
 * Compares a value of each class with the one that the last poll saw.
 * @param valueOf returns NaN if a class has none: then it is left out, as is one without an ID
 */
export function compareWithKnown(
	{ classes, before }: Poll,
	valueOf: (entry: IDataObject) => number,
): Compared[] {
	return classes.flatMap((entry) => {
		const id = idOf(entry);
		const value = valueOf(entry);
		if (id === undefined || Number.isNaN(value)) return [];
		return [{ entry, id, value, known: before?.values[id] }];
	});
}

/** What the next poll compares with, also for classes that the list lacks, so that none is new when it is back. */
export function valuesById({ before }: Poll, compared: Compared[]): Record<string, number> {
	const seen = Object.fromEntries(compared.map(({ id, value }) => [id, value]));
	return { ...before?.values, ...seen };
}
