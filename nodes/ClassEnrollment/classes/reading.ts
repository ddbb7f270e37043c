import type { IDataObject } from 'n8n-workflow';
import {
	type ClassPage,
	type FirstPage,
	readFirstPage,
	type ReadPage,
	readPageIfAny,
} from './classPages';
import { idOf } from './idOf';

// Beside the client's own limit of requests in flight.
const PAGES_AT_ONCE = 10;
// Sorts a page that was read without a number before all others.
const BEFORE_ALL_NUMBERS = -1;

export interface ReadingOptions {
	pageSize: number;
	/** How many classes are enough; Infinity for all. */
	limit: number;
	/** The number of the first page to request; undefined for the service's own first page. */
	firstNumber: 1 | 0 | undefined;
}

/** One pass over the pages of the class list: what it has read so far. */
export interface Reading {
	options: ReadingOptions;
	first: FirstPage;
	pages: Map<number, IDataObject[]>;
	seen: Set<string>;
	total?: number;
	totalChanged: boolean;
	/** Whether page 0 had classes that page 1 had not. */
	countsFromZero: boolean;
	/** Whether the service refused a page past the first one. */
	isRefused: boolean;
}

/**
 * Reads the class list once, until there is enough, or a page brings no other class.
 * @throws ServiceError if a page that exists cannot be read
 */
export async function readOnce(readPage: ReadPage, options: ReadingOptions): Promise<Reading> {
	const { pageSize, limit, firstNumber } = options;
	const first = await readFirstPage(readPage, firstNumber, Math.min(pageSize, limit));
	const reading: Reading = {
		options,
		first,
		pages: new Map(),
		seen: new Set(),
		totalChanged: false,
		countsFromZero: false,
		isRefused: false,
	};
	addPage(reading, first, first.number);
	if (seemsToCountFromZero(reading)) await addPageZero(readPage, reading);
	let goesOn = true;
	while (goesOn && !hasEnough(reading)) goesOn = await addNextPages(readPage, reading);
	if (!hasEnough(reading)) await addPageZero(readPage, reading);
	if (reading.isRefused && !hasEnough(reading) && reading.total !== undefined) {
		// Maybe there were fewer classes when the service refused a page: that tells no total, but a page that exists does.
		addPage(reading, await readPage(first.number, sizeOfPages(reading)), first.number);
	}
	return reading;
}

/** Whether there are as many classes as wanted, or as the service reports. */
export function hasEnough({ seen, options, total }: Reading): boolean {
	return seen.size >= Math.min(options.limit, total ?? Infinity);
}

/** The classes of all pages, in the order of the pages. */
export function classesOf({ pages }: Reading): IDataObject[] {
	return [...pages].sort(([a], [b]) => a - b).flatMap(([, classes]) => classes);
}

/** What tells a class from others. */
export function keyOf(entry: IDataObject): string {
	return idOf(entry) ?? JSON.stringify(entry);
}

/** Reads as many pages as are missing, but at least one; returns whether the list may go on after them. */
async function addNextPages(readPage: ReadPage, reading: Reading): Promise<boolean> {
	const { first, options, pages, seen, total = 0 } = reading;
	const pageSize = sizeOfPages(reading);
	const missing = Math.ceil((Math.min(options.limit, total) - seen.size) / pageSize);
	const count = Math.min(Math.max(1, missing), PAGES_AT_ONCE);
	const next = Math.max(first.number ?? 0, ...pages.keys()) + 1;
	const numbers = Array.from({ length: count }, (_, index) => next + index);
	const known = { number: first.number, pageSize };
	const found = await Promise.all(
		numbers.map(async (number) => await readPageIfAny(readPage, number, known)),
	);
	const newClasses = found.map((page, index) => addPage(reading, page, numbers[index]!));
	const refused = found.findIndex(({ refusal }) => refusal);
	if (refused >= 0) {
		reading.isRefused = true;
		// Only pages past the last one may be refused.
		if (newClasses.slice(refused).some((more) => more > 0)) throw found[refused]!.refusal!;
	}
	// A page 1 without news is the first page again, of a service that counts from 1.
	return newClasses.every((more, index) => more > 0 || numbers[index] === 1);
}

async function addPageZero(readPage: ReadPage, reading: Reading): Promise<void> {
	if (reading.pages.has(0)) return;
	const page = await readPageIfAny(readPage, 0, reading.first);
	reading.countsFromZero = addPage(reading, page, 0) > 0;
}

/** How many classes are on a page: a service that returns fewer than requested limits its pages to that size. */
function sizeOfPages({ first: { classes, pageSize } }: Reading): number {
	return classes.length > 0 ? Math.min(classes.length, pageSize) : pageSize;
}

/**
 * Whether page 1 looks like the last page of a service that counts from 0, rather than like the first one of a
 * service that limits its pages. Looking for page 0 early then saves many small pages.
 */
function seemsToCountFromZero({ first: { number, classes, pageSize }, total }: Reading): boolean {
	if (number !== 1) return false;
	const received = classes.length;
	if (received === 0) return true;
	if (received >= pageSize) return false;
	if (total === undefined || received === total - pageSize) return true;
	return total / received > PAGES_AT_ONCE;
}

/** Adds a page; returns how many of its classes are new. */
function addPage(
	reading: Reading,
	{ classes, total }: ClassPage,
	number = BEFORE_ALL_NUMBERS,
): number {
	const before = reading.seen.size;
	reading.pages.set(number, classes);
	classes.forEach((entry) => reading.seen.add(keyOf(entry)));
	// A total below what was seen is not one: some services report 0 on a page past the end.
	if (total !== undefined && total >= reading.seen.size) {
		reading.totalChanged ||= reading.total !== undefined && reading.total !== total;
		reading.total = total;
	}
	if (reading.seen.size > (reading.total ?? Infinity)) reading.total = undefined;
	return reading.seen.size - before;
}
