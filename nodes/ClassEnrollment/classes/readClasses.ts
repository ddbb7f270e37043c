import uniqBy from 'lodash/uniqBy';
import type { IDataObject } from 'n8n-workflow';
import { type ServiceError, TRY_LATER } from '../transport/serviceError';
import {
	type ClassPage,
	mayBePastTheEnd,
	readFirstPage,
	type ReadPage,
	unclearListError,
} from './classPages';
import { idOf } from './choices';

/** How many classes to request at a time by default (README). */
export const CLASSES_PER_PAGE = 100;

// In addition to the client's own limit of requests in flight.
const MAX_PAGES_AT_ONCE = 10;
// A list that never ends must not be read forever.
const MAX_PAGES = 10_000;

/** What was read of the class list. */
export interface ClassList {
	classes: IDataObject[];
	/** How many classes the service reports, if it did not return as many. */
	total?: number;
}

/** One pass over the pages of the class list. */
interface Pass {
	classes: Map<string, IDataObject>;
	total?: number;
	totalChanged: boolean;
	/** The first page that the service refused, and how many classes come before it. */
	refused?: { classesBefore: number; error: ServiceError };
	/** The error of a page without classes that comes before one with classes. */
	gap?: ServiceError;
}

/**
 * Reads classes page by page, whichever way the service counts: its own first page, and then pages 1, 2, 3 and so on,
 * until there are enough or a page adds no class. The list is read once more if it comes out short, or if the total
 * changed meanwhile: some classes may have moved to a page that had already been read.
 * @returns each class once, in the service's order, at most `limit`
 * @throws ServiceError if a page that exists cannot be read
 */
export async function readClasses(
	readPage: ReadPage,
	{ pageSize = CLASSES_PER_PAGE, limit = Infinity } = {},
): Promise<ClassList> {
	let found: IDataObject[] = [];
	for (let isAgain = false; ; isAgain = true) {
		const pass = await readPass(readPage, Math.min(pageSize, limit), limit);
		const { total = 0, totalChanged, refused, gap } = pass;
		found = uniqBy([...pass.classes.values(), ...found], keyOfClass).slice(0, limit);
		const isShort = found.length < Math.min(limit, total);
		if (!isAgain && (isShort || totalChanged || gap)) continue;
		if (gap) throw gap;
		if (isShort && refused && refused.classesBefore < total) throw refused.error;
		return isShort ? { classes: found, total } : { classes: found };
	}
}

async function readPass(readPage: ReadPage, pageSize: number, limit: number): Promise<Pass> {
	const pass: Pass = { classes: new Map(), totalChanged: false };
	const lacks = () => Math.min(limit, pass.total ?? Infinity) - pass.classes.size;
	const first = await readFirstPage(readPage, pageSize);
	addPage(pass, first);
	// Some services report how many classes are on the page.
	const { length } = first.classes;
	if (length === first.pageSize && length === first.total) pass.total = undefined;
	// A service that returns fewer than requested may limit its pages to that size.
	let size = Math.min(length || first.pageSize, first.pageSize);
	let countsFromOne = false;
	let empty: ServiceError | undefined;
	for (let next = 1, isEnd = false; !isEnd && lacks() > 0;) {
		if (next > MAX_PAGES) {
			const message = `The class list has more than ${MAX_PAGES} pages`;
			throw unclearListError(message, "Filter with 'Name Contains'.");
		}
		const count = pass.total === undefined ? 1 : Math.ceil(lacks() / size);
		const numbers = Array.from({ length: Math.min(count, MAX_PAGES_AT_ONCE) }, () => next++);
		// All of them, so that nothing goes on after an error.
		const settled = await Promise.allSettled(
			numbers.map(async (number) => await readPage(number, size)),
		);
		const pages = settled.map((result): ClassPage & { refusal?: ServiceError } => {
			if (result.status === 'fulfilled') return result.value;
			if (!mayBePastTheEnd(result.reason)) throw result.reason;
			return { classes: [], refusal: result.reason };
		});
		// It may be the size that is refused, and not the page.
		if (numbers[0] === 1 && pages[0]!.refusal && size < first.pageSize) {
			size = first.pageSize;
			next = 1;
			continue;
		}
		for (const [index, page] of pages.entries()) {
			const number = numbers[index]!;
			const isNews = addPage(pass, page);
			if (isNews) pass.gap ??= empty;
			const classesBefore = (countsFromOne ? number - 1 : number) * size;
			if (page.refusal) pass.refused ??= { classesBefore, error: page.refusal };
			if (page.classes.length === 0) {
				const message = `Page ${number} of the class list is empty, but a later one is not`;
				empty ??= page.refusal ?? unclearListError(message, TRY_LATER);
				// A page 1 that adds nothing is the first page again, of a service that counts from 1.
			} else if (number === 1 && !isNews) countsFromOne = true;
			isEnd ||= number > 1 && !isNews;
		}
	}
	return pass;
}

/** Adds the classes of a page; returns whether some of them are new. */
function addPage(pass: Pass, { classes, total }: ClassPage): boolean {
	const before = pass.classes.size;
	for (const entry of classes) pass.classes.set(keyOfClass(entry), entry);
	const isNews = pass.classes.size > before;
	// Some services report another total on a page past the end.
	if ((isNews || before === 0) && total !== undefined) {
		pass.totalChanged ||= pass.total !== undefined && pass.total !== total;
		pass.total = total;
	}
	// Ignore a total that is smaller than what was seen.
	if (pass.classes.size > (pass.total ?? Infinity)) pass.total = undefined;
	return isNews;
}

function keyOfClass(entry: IDataObject): string {
	return idOf(entry) ?? JSON.stringify(entry);
}
