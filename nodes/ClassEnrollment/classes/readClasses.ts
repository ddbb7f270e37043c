import uniqBy from 'lodash/uniqBy';
import type { IDataObject } from 'n8n-workflow';
import type { Send } from '../transport/client';
import { CLASSES_PER_PAGE, createPageReader, type ReadPage } from './classPages';
import {
	classesOf,
	hasEnough,
	keyOf,
	type Reading,
	type ReadingOptions,
	readOnce,
} from './reading';

// A list that keeps changing is not read for ever.
const MOST_READINGS = 3;

/** What was read of the class list. */
export interface ClassList {
	classes: IDataObject[];
	/** How many more the service reports than it returned. */
	missing: number;
}

/** Reads all classes. It throws what `readClasses` throws. */
export async function readAllClasses(send: Send): Promise<ClassList> {
	const options = { pageSize: CLASSES_PER_PAGE, limit: Infinity };
	return await readClasses(createPageReader(send), options);
}

/**
 * Reads classes page by page, whichever way the service counts: from 0 or from 1, with pages smaller than requested,
 * with or without a total, with pages that are refused, overlap, or change meanwhile.
 * @returns each class once, in the service's order, at most `limit`
 * @throws ServiceError if a page that exists cannot be read
 */
export async function readClasses(
	readPage: ReadPage,
	options: Pick<ReadingOptions, 'pageSize' | 'limit'>,
): Promise<ClassList> {
	const { limit } = options;
	const readings: Reading[] = [];
	// With a limit it must be the first classes, and only the service knows the number of its first page.
	let next: ReadingOptions | undefined = {
		...options,
		firstNumber: limit === Infinity ? 1 : undefined,
	};
	while (next && readings.length < MOST_READINGS) {
		const reading: Reading = await readOnce(readPage, next);
		readings.unshift(reading);
		next = optionsToReadAgain(reading);
	}
	const classes = uniqBy(readings.flatMap(classesOf), keyOf).slice(0, limit);
	const expected = Math.min(limit, readings[0]!.total ?? 0);
	return { classes, missing: Math.max(0, expected - classes.length) };
}

/** How to read all pages again, if some classes may be missing. */
function optionsToReadAgain(reading: Reading): ReadingOptions | undefined {
	const { first, pages, countsFromZero, totalChanged, options } = reading;
	const longest = Math.max(...[...pages.values()].map(({ length }) => length));
	const isLast = first.classes.length > 0 && first.classes.length < longest;
	if (countsFromZero && longest < first.pageSize && (isLast || !hasEnough(reading))) {
		// The service limits its pages, but page 1 may have begun where a page 0 of the requested size would end.
		return { ...options, pageSize: longest, firstNumber: 0 };
	}
	// Some classes may have moved to a page that was read before.
	return totalChanged ? options : undefined;
}
