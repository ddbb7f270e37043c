import range from 'lodash/range';
import uniqBy from 'lodash/uniqBy';
import type { IDataObject } from 'n8n-workflow';
import { type ServiceError, TRY_LATER } from '../transport/serviceError';
import {
	type ClassPage,
	idOf,
	readFirstPage,
	readLaterPage,
	type ReadPage,
	unclearListError,
} from './classPages';

/** How many classes to request at a time by default (README). */
export const CLASSES_PER_PAGE = 100;

// In addition to the client's own limit of requests in flight.
const MAX_PAGES_AT_ONCE = 10;
// A list that never ends must not be read forever.
const MAX_PAGES = 10_000;

/** One pass over the pages of the class list. */
interface Pass {
	classes: Map<string, IDataObject>;
	total?: number;
	totalChanged: boolean;
	/** Pages 1, 2, 3 and so on, and whether each of them had classes that none before it had. */
	pages: Array<ClassPage & { isNews: boolean }>;
}

/**
 * Reads classes page by page, whichever way the service counts: its own first page, and then pages 1, 2, 3 and so on,
 * until there are enough or a page adds no class. The list is read once more if it comes out short, or if the total
 * changed meanwhile: some classes may have moved to a page that had already been read.
 * @returns each class once, in the service's order, at most `limit`; and the total, if the service did not return as many
 * @throws ServiceError if a page that exists cannot be read
 */
export async function readClasses(
	readPage: ReadPage,
	{ pageSize = CLASSES_PER_PAGE, limit = Infinity } = {},
) {
	let found: IDataObject[] = [];
	for (let isAgain = false; ; isAgain = true) {
		const pass = await readPass(readPage, Math.min(pageSize, limit), limit);
		const { total = 0, totalChanged } = pass;
		const gap = findGap(pass);
		found = uniqBy([...pass.classes.values(), ...found], keyOfClass).slice(0, limit);
		const isShort = found.length < Math.min(limit, total);
		if (!isAgain && (isShort || totalChanged || gap)) continue;
		const error = gap ?? (isShort ? findRefusal(pass) : undefined);
		if (error) throw error;
		return { classes: found, total: isShort ? total : undefined };
	}
}

async function readPass(readPage: ReadPage, pageSize: number, limit: number): Promise<Pass> {
	const pass: Pass = { classes: new Map(), totalChanged: false, pages: [] };
	const { pages } = pass;
	const first = await readFirstPage(readPage, pageSize);
	addPage(pass, first);
	const { length } = first.classes;
	// Some services report how many classes are on the page.
	if (length === first.pageSize && length === first.total) pass.total = undefined;
	// A service that returns fewer than requested may limit its pages to that size.
	let size = Math.min(length || first.pageSize, first.pageSize);
	const lacks = () => Math.min(limit, pass.total ?? Infinity) - pass.classes.size;
	for (let isEnd = false; !isEnd && lacks() > 0;) {
		const count = pass.total === undefined ? 1 : Math.ceil(lacks() / size);
		const batch = await readBatch(readPage, pages.length + 1, count, size);
		// It may be the size that is refused, and not the page.
		if (pages.length === 0 && batch[0]!.refusal && size < first.pageSize) {
			size = first.pageSize;
			continue;
		}
		for (const page of batch) {
			const isNews = addPage(pass, page);
			pages.push({ ...page, isNews });
			// Page 1 may be the first page again.
			isEnd ||= !isNews && pages.length > 1;
		}
	}
	return pass;
}

/** Reads so many pages from one on, but not too many at the same time. */
async function readBatch(readPage: ReadPage, start: number, count: number, size: number) {
	if (start > MAX_PAGES) {
		const message = `The class list has more than ${MAX_PAGES} pages`;
		throw unclearListError(message, "Filter with 'Name Contains'.");
	}
	const numbers = range(start, start + Math.min(count, MAX_PAGES_AT_ONCE));
	const reading = numbers.map(async (number) => await readLaterPage(readPage, number, size));
	// All of them, so that nothing goes on after an error.
	await Promise.allSettled(reading);
	return await Promise.all(reading);
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

/** Returns the error of a page without classes, if it comes before one with new classes. */
function findGap({ pages }: Pass): ServiceError | undefined {
	const index = pages.findIndex(({ classes }) => classes.length === 0);
	if (index < 0 || !pages.slice(index).some(({ isNews }) => isNews)) return undefined;
	const message = `Page ${index + 1} of the class list is empty, but a later one is not`;
	return pages[index]!.refusal ?? unclearListError(message, TRY_LATER);
}

/** Returns the error of the first page that the service refused, if by the total, there are classes on it. */
function findRefusal({ pages, total = 0 }: Pass): ServiceError | undefined {
	const refused = pages.find(({ refusal }) => refusal);
	if (!refused) return undefined;
	// A page 1 that adds nothing is the first page again, of a service that counts from 1.
	const countsFromOne = pages[0]!.classes.length > 0 && !pages[0]!.isNews;
	const pagesBefore = pages.indexOf(refused) + (countsFromOne ? 0 : 1);
	return pagesBefore * refused.pageSize < total ? refused.refusal : undefined;
}

function keyOfClass(entry: IDataObject): string {
	return idOf(entry) ?? JSON.stringify(entry);
}
