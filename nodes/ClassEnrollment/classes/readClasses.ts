import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { ServiceError } from '../transport/serviceError';
import { CLASS_LIST, type ClassPage, idOf, listError, type ListQuery, readPage } from './classPage';

/** How many classes to request at a time by default (docs/reference.md). */
export const CLASSES_PER_PAGE = 100;

/**
 * Reads classes page by page: the service's own first page, and then pages 1, 2, 3 and so on, until there are enough or a page
 * adds no class. So it need not know whether the service counts from 0 or 1: if from 1, the first page comes twice.
 * @returns each class once, in the service's order, at most `limit`
 * @throws ServiceError if a page cannot be read, if the list changes, or if fewer classes come than the service reports
 */
export async function readClasses(
	client: Pick<Client, 'send'>,
	{ limit = Infinity, pageSize = CLASSES_PER_PAGE, ...listQuery }: ListQuery & { limit?: number },
	endpoint = CLASS_LIST,
): Promise<IDataObject[]> {
	const query: ListQuery = { ...listQuery, pageSize: Math.min(pageSize, limit) };
	const first = await readPage(client, query, endpoint).catch(async (error: unknown) => {
		if (!isRejection(error)) throw error;
		// Perhaps it only rejects the page size, and takes its own.
		query.pageSize = undefined;
		return await readPage(client, query, endpoint);
	});
	/** How many classes there are; undefined if the service doesn't say it, or says what can't be true. */
	let total = totalOf(first, query.pageSize);
	const found = new Map<string, IDataObject>();
	let hasMore = addClasses(found, first);
	for (let number = 1; hasMore && found.size < limit && found.size !== total; number++) {
		const isTotalDoubtful = first.total !== undefined && total === undefined;
		const numbered = { ...query, page: number };
		const page = await readPage(client, numbered, endpoint).catch((error: unknown): ClassPage => {
			// With such a total, only a rejection may show the end of the list. Elsewhere, it could hide the rest.
			if (isTotalDoubtful && isRejection(error)) return { classes: [] };
			throw error;
		});
		// A class may have moved to a page that has already been read.
		if (total !== undefined && page.total !== undefined && page.total !== total)
			throw listError('The class list changed while it was read');
		const addedAny = addClasses(found, page);
		hasMore = addedAny || number === 1;
		if (total !== undefined && found.size > total) total = undefined;
	}
	if (total !== undefined && found.size < Math.min(limit, total))
		throw listError(`The service reports ${total} classes but returned only ${found.size}`);
	return [...found.values()].slice(0, limit);
}

/** The total that the first page reports; undefined if it is too low, or may be the count of that page, which is full. */
function totalOf({ classes, total }: ClassPage, pageSize = classes.length): number | undefined {
	if (total === undefined || total < classes.length) return undefined;
	// A service may cut down the page size, to 10, 25, 50 or the like. With other numbers, one request is enough.
	const isPageSize = total === pageSize || total % 5 === 0;
	return total === classes.length && isPageSize ? undefined : total;
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
