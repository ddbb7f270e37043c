import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { ServiceError } from '../transport/serviceError';
import { CLASS_LIST, type ClassPage, idOf, listError, type ListQuery, readPage } from './classPage';

/** How many classes to request at a time by default (docs/reference.md). */
export const CLASSES_PER_PAGE = 100;

type Sender = Pick<Client, 'send'>;

/**
 * Reads classes page by page, whether the service counts from 0 or 1: its own first page, and then pages 1, 2, 3 and so on,
 * until there are enough or a page adds no class.
 * @returns each class once, in the service's order, at most `limit`
 * @throws ServiceError if a page cannot be read, if the list changes, or if fewer classes come than the service reports
 */
export async function readClasses(
	client: Sender,
	{ limit = Infinity, pageSize = CLASSES_PER_PAGE, ...listQuery }: ListQuery & { limit?: number },
	endpoint = CLASS_LIST,
): Promise<IDataObject[]> {
	const wantedQuery = { ...listQuery, pageSize: Math.min(pageSize, limit) };
	const { first, query } = await readFirstPage(client, wantedQuery, endpoint);
	/** How many classes there are. Undefined if the service doesn't report it, or reports fewer than it returns. */
	let total = totalOf(first, query.pageSize);
	const found = new Map<string, IDataObject>();
	let hasMore = addClasses(found, first);
	for (let number = 1; hasMore && found.size < limit && found.size !== total; number++) {
		const isTotalWrong = first.total !== undefined && total === undefined;
		const reading = readPage(client, { ...query, page: number }, endpoint);
		// Where the total is wrong, only a rejection may show the end of the list. Elsewhere, it could hide the rest.
		const page = await (isTotalWrong ? reading.catch(emptyIfRejected) : reading);
		// A class may have moved to a page that has already been read.
		if (total !== undefined && page.total !== undefined && page.total !== total)
			throw listError('The class list changed while it was read');
		const addedAny = addClasses(found, page);
		// Where the service counts from 1, page 1 is the first page again.
		hasMore = addedAny || number === 1;
		if (total !== undefined && found.size > total) total = undefined;
	}
	if (total !== undefined && found.size < Math.min(limit, total))
		throw listError(`The service reports ${total} classes but returned only ${found.size}`);
	return [...found.values()].slice(0, limit);
}

/** Reads the service's own first page, in its own size if it rejects the one of the query. Also returns the accepted query. */
async function readFirstPage(client: Sender, query: ListQuery, endpoint: typeof CLASS_LIST) {
	const read = async (accepted: ListQuery) => {
		return { query: accepted, first: await readPage(client, accepted, endpoint) };
	};
	return await read(query).catch(async (error: unknown) => {
		if (!isRejection(error)) throw error;
		return await read(omit(query, 'pageSize'));
	});
}

/** Some services reject the page after the last one. */
function emptyIfRejected(error: unknown): ClassPage {
	if (isRejection(error)) return { classes: [] };
	throw error;
}

/** The total that the first page reports; undefined if it may be the count of that page, or is less. */
function totalOf({ classes, total }: ClassPage, pageSize = classes.length): number | undefined {
	const isFull = classes.length === pageSize;
	const least = isFull ? classes.length + 1 : classes.length;
	return total !== undefined && total >= least ? total : undefined;
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
