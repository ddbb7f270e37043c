import type { IDataObject } from 'n8n-workflow';
import { idOf, listError } from '../classes/classPage';
import type { Poll } from './event';

/** A class with what the event watches of it, now and when it was seen last. */
export interface Compared {
	entry: IDataObject;
	id: string;
	value: number;
	/** Undefined if the last poll did not see the class. */
	previous?: number;
}

/**
 * Compares a field of each class with its value in the last poll.
 * @param parse returns NaN if a value cannot be read: then the class is left out, as is one without an ID
 * @throws ServiceError if there are classes, but all are left out: then no poll could ever report one
 */
export function compareWithPrevious(
	{ classes, before }: Poll,
	field: string,
	parse: (value: unknown) => number,
): Compared[] {
	const compared = classes.flatMap((entry) => {
		const id = idOf(entry);
		const value = parse(entry[field]);
		if (id === undefined || Number.isNaN(value)) return [];
		return [{ entry, id, value, previous: before?.values[id] }];
	});
	if (classes.length > 0 && compared.length === 0) {
		const advice = "The trigger needs it and an 'id'. Choose another event, or ask the service.";
		throw listError(`No class has a '${field}' that can be read`, advice);
	}
	return compared;
}

/** The values for the next poll, also of classes that the list lacks, so that none is new when it is back. */
export function valuesById({ before }: Poll, compared: Compared[]): Record<string, number> {
	const seen = Object.fromEntries(compared.map(({ id, value }) => [id, value]));
	return { ...before?.values, ...seen };
}
