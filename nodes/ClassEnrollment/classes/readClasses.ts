import uniqBy from 'lodash/uniqBy';
import type { IDataObject } from 'n8n-workflow';
import type { Send } from '../transport/client';
import type { ServiceError } from '../transport/serviceError';
import {
	type ClassPage,
	CLASSES_PER_PAGE,
	createPageReader,
	readFirstPage,
	readPageIfAny,
	type ReadPage,
} from './classPages';
import { idOf } from './idOf';

// Beside the client's own limit of requests in flight.
const PAGES_AT_ONCE = 10;
// Sorts a page that was read without a number before all others.
const BEFORE_ALL_NUMBERS = -1;
// A list that keeps changing is not read for ever.
const MOST_READINGS = 3;

interface ReadOptions {
	pageSize: number;
	/** How many classes are enough; Infinity for all. */
	limit: number;
}

interface ReadingOptions extends ReadOptions {
	/** The number of the first page to request; undefined for the service's own first page. */
	firstNumber: 1 | 0 | undefined;
}

/** What was read so far. */
interface Reading {
	pages: Map<number, IDataObject[]>;
	seen: Set<string>;
	total?: number;
	totalChanged: boolean;
	/** How to read all pages again, if some classes may be missing. */
	again?: ReadingOptions;
}

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
export async function readClasses(readPage: ReadPage, options: ReadOptions): Promise<ClassList> {
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
		next = reading.again;
	}
	const classes = uniqBy(readings.flatMap(classesOf), keyOf).slice(0, limit);
	const expected = Math.min(limit, readings[0]!.total ?? 0);
	return { classes, missing: Math.max(0, expected - classes.length) };
}

async function readOnce(readPage: ReadPage, options: ReadingOptions): Promise<Reading> {
	const { pageSize, limit } = options;
	const reading: Reading = { pages: new Map(), seen: new Set(), totalChanged: false };
	const isEnough = () => reading.seen.size >= Math.min(limit, reading.total ?? Infinity);

	const firstPage = await readFirstPage(readPage, options.firstNumber, Math.min(pageSize, limit));
	const { number: firstNumber, pageSize: requested, classes } = firstPage;
	add(reading, firstNumber ?? BEFORE_ALL_NUMBERS, firstPage);
	let countsFromZero = false;
	const addPageZero = async () => {
		if (reading.pages.has(0)) return;
		countsFromZero = add(reading, 0, await readPageIfAny(readPage, 0, firstPage)) > 0;
	};
	if (firstNumber === 1 && seemsToCountFromZero(classes.length, requested, reading.total)) {
		await addPageZero();
	}

	// A service that returns fewer than requested limits its pages to that size.
	const size = classes.length > 0 ? Math.min(classes.length, requested) : requested;
	const known = { number: firstNumber, pageSize: size };
	let next = firstNumber === 1 ? 2 : 1;
	let isRefused = false;
	while (!isEnough()) {
		const missing = Math.min(limit, reading.total ?? 0) - reading.seen.size;
		const pageCount = Math.min(Math.max(1, Math.ceil(missing / size)), PAGES_AT_ONCE);
		const numbers = Array.from({ length: pageCount }, (_, index) => next + index);
		next += pageCount;
		const pages = await Promise.all(
			numbers.map(async (number) => await readPageIfAny(readPage, number, known)),
		);
		const newClasses = pages.map((page, index) => add(reading, numbers[index]!, page));
		throwIfInTheMiddle(pages, newClasses);
		isRefused ||= pages.some(({ refusal }) => refusal);
		// A page 1 without news is the first page again, of a service that counts from 1.
		if (newClasses.some((count, index) => count === 0 && numbers[index] !== 1)) break;
	}

	if (!isEnough()) await addPageZero();
	// Maybe there were fewer classes when the service refused a page: that tells no total, but a page that exists does.
	if (isRefused && !isEnough() && reading.total !== undefined) {
		add(reading, firstNumber ?? BEFORE_ALL_NUMBERS, await readPage(firstNumber, size));
	}
	const longest = Math.max(...[...reading.pages.values()].map(({ length }) => length));
	const isLast = classes.length > 0 && classes.length < longest;
	if (countsFromZero && longest < requested && (isLast || !isEnough())) {
		// The service limits its pages, but page 1 may have begun where a page 0 of the requested size would end.
		reading.again = { pageSize: longest, limit, firstNumber: 0 };
	} else if (reading.totalChanged) {
		// Some classes may have moved to a page that was read before.
		reading.again = options;
	}
	return reading;
}

/** Throws the refusal of a page that others with new classes follow: only the last one may be refused. */
function throwIfInTheMiddle(pages: Array<{ refusal?: ServiceError }>, newClasses: number[]): void {
	const refused = pages.findIndex(({ refusal }) => refusal);
	if (refused >= 0 && newClasses.slice(refused).some((count) => count > 0)) {
		throw pages[refused]!.refusal!;
	}
}

/**
 * Whether page 1 looks like the last page of a service that counts from 0, rather than like the first one of a
 * service that limits its pages. Looking for page 0 early then saves many small pages.
 */
function seemsToCountFromZero(received: number, asked: number, total: number | undefined): boolean {
	if (received === 0) return true;
	if (received >= asked) return false;
	if (total === undefined || received === total - asked) return true;
	return total / received > PAGES_AT_ONCE;
}

/** Adds a page; returns how many of its classes are new. */
function add(reading: Reading, number: number, { classes, total }: ClassPage): number {
	const before = reading.seen.size;
	reading.pages.set(number, classes);
	classes.forEach((entry) => reading.seen.add(keyOf(entry)));
	const latest = total ?? reading.total;
	reading.totalChanged ||= reading.total !== undefined && reading.total !== latest;
	// A total below what was seen is not one.
	reading.total = reading.seen.size > (latest ?? Infinity) ? undefined : latest;
	return reading.seen.size - before;
}

function classesOf(reading: Reading): IDataObject[] {
	return [...reading.pages].sort(([a], [b]) => a - b).flatMap(([, classes]) => classes);
}

function keyOf(entry: IDataObject): string {
	return idOf(entry) ?? JSON.stringify(entry);
}
