import { range } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { ServiceError } from '../transport/serviceError';
import { CLASS_LIST, type ClassPage, idOf, listError, type ListQuery, readPage } from './classPage';

/** How many classes to request at a time by default (docs/reference.md). */
export const CLASSES_PER_PAGE = 100;

/**
 * Reads classes page by page, whether the service counts from 0 or 1: its own first page, and then pages 1, 2, 3 and so on,
 * until there are enough or a page adds no class.
 * @returns each class once, in the service's order, at most `limit`
 * @throws ServiceError if a page cannot be read, or if fewer classes came than the service reports
 */
export async function readClasses(
	client: Pick<Client, 'send'>,
	{ limit = Infinity, pageSize = CLASSES_PER_PAGE, ...listQuery }: ListQuery & { limit?: number },
	endpoint = CLASS_LIST,
): Promise<IDataObject[]> {
	let query: ListQuery = { ...listQuery, pageSize: Math.min(pageSize, limit) };
	const first = await readPage(client, query, endpoint).catch(async (error: unknown) => {
		// The service may reject this size: then its own.
		if (!isRejection(error)) throw error;
		query = listQuery;
		return await readPage(client, query, endpoint);
	});
	const size = first.classes.length;
	const isFull = size === (query.pageSize ?? size);
	// A total equal to a full page may be the page's own count. Then ignore it, and read on until a page adds nothing.
	const isTotalDoubtful = isFull && first.total === size;
	const total = isTotalDoubtful ? undefined : first.total;
	const wanted = Math.min(limit, total ?? Infinity);
	const readNumbered = async (page: number): Promise<ClassPage> =>
		await readPage(client, { ...query, page }, endpoint).catch((error: unknown) => {
			// It was the total of the list after all, which has no such page.
			if (isTotalDoubtful && isRejection(error)) return { classes: [] };
			throw error;
		});

	const found = new Map<string, IDataObject>();
	let hasMore = addClasses(found, first);
	// Of 3 pages, numbers 1 and 2 always exist: if the first page is 0, page 2 is the last; if it is 1, page 1 is read twice.
	const lastCertain = hasMore && total !== undefined ? Math.ceil(wanted / size) - 1 : 0;
	const sideBySide = await Promise.all(range(1, lastCertain + 1).map(readNumbered));
	for (let number = 1; hasMore && found.size < wanted; number++) {
		const page = sideBySide[number - 1] ?? (await readNumbered(number));
		if (total !== undefined && page.total !== total) {
			// Then one may have moved to a page that had already been read.
			throw listError('The class list changed while it was read');
		}
		// Where the service counts from 1, page 1 is the first page again.
		hasMore = addClasses(found, page) || number === 1;
	}
	if (total !== undefined && found.size < wanted) {
		const message = `The service reports ${total} classes but returned only ${found.size}`;
		throw listError(message);
	}
	return [...found.values()].slice(0, limit);
}

/** Adds the classes of a page; returns whether some of them are new. */
function addClasses(found: Map<string, IDataObject>, { classes }: ClassPage): boolean {
	const before = found.size;
	for (const entry of classes) found.set(idOf(entry) ?? JSON.stringify(entry), entry);
	return found.size > before;
}

function isRejection(error: unknown): boolean {
	return error instanceof ServiceError && error.outcome === 'rejected';
}
