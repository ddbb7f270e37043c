import clamp from 'lodash/clamp';
import range from 'lodash/range';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import type { ServiceRequest } from '../transport/request';
import { CHECK_BASE_URL } from '../transport/response';
import { ServiceError, TRY_LATER } from '../transport/serviceError';
import { isObject, toObject } from '../values/json';

/** How many classes to request at a time by default (docs/reference.md). */
export const CLASSES_PER_PAGE = 100;
/** A list that never ends must not be read forever. */
const MAX_PAGES = 10_000;
const MAX_SIDE_BY_SIDE = 100;

/** The service's class list (test/service/openapi.yaml). */
export const CLASS_LIST: ServiceRequest = {
	method: 'GET',
	path: '/classe',
	likelyCauses: CHECK_BASE_URL,
};

/** Which classes to read, and in which order. */
export interface ListQuery {
	nameFilter?: string;
	sortBy?: string;
	pageSize?: number;
}

/** One page of the class list. */
interface ClassPage {
	classes: IDataObject[];
	/** How many classes there are in all, if the service reports it. */
	total?: number;
}

/** Reads one page of the class list; throws ServiceError if the response is not a list. */
export async function readPage(
	client: Pick<Client, 'send'>,
	{ nameFilter, ...paging }: ListQuery & { page?: number },
	endpoint = CLASS_LIST,
): Promise<ClassPage> {
	const { json } = await client.send({ ...endpoint, query: { ...paging, query: nameFilter } });
	const { data, totalRecords } = toObject(json);
	if (!Array.isArray(data)) {
		throw unclearListError('The response contains no list of classes', CHECK_BASE_URL);
	}
	const total = typeof totalRecords === 'number' ? totalRecords : undefined;
	return { classes: data.filter(isObject), total };
}

/**
 * Reads classes page by page, whether the service counts from 0 or 1: its own first page, and then pages 1, 2, 3 and so on,
 * until there are enough or a page adds no class. Page 1 may be the first page again.
 * @returns each class once, in the service's order, at most `limit`
 * @throws ServiceError if a page cannot be read, or if fewer classes came than the service reports
 */
export async function readClasses(
	client: Pick<Client, 'send'>,
	{ limit = Infinity, pageSize = CLASSES_PER_PAGE, ...listQuery }: ListQuery & { limit?: number },
	endpoint = CLASS_LIST,
): Promise<IDataObject[]> {
	const found = new Map<string, IDataObject>();
	/** Adds the classes of a page; returns whether some of them are new. */
	const add = ({ classes }: ClassPage) => {
		const before = found.size;
		for (const entry of classes) found.set(idOf(entry) ?? JSON.stringify(entry), entry);
		return found.size > before;
	};
	let query: ListQuery = { ...listQuery, pageSize: Math.min(pageSize, limit) };
	const first = await readPage(client, query, endpoint).catch(async (error: unknown) => {
		// The service may reject this size: then its own.
		if (!isRejection(error)) throw error;
		query = listQuery;
		return await readPage(client, query, endpoint);
	});
	const size = first.classes.length;
	// It may be the number of classes of the page alone.
	const isPageCount = first.total === size && size === (query.pageSize ?? size);
	const total = isPageCount ? undefined : first.total;
	const readNumber = async (page: number): Promise<ClassPage> =>
		await readPage(client, { ...query, page }, endpoint).catch((error: unknown) => {
			// Then only this shows where the list ends.
			if (isPageCount && isRejection(error)) return { classes: [] };
			throw error;
		});

	let hasMore = add(first);
	const certain = hasMore ? Math.ceil(Math.min(limit, total ?? 0) / size) : 0;
	const sideBySide = await Promise.all(
		range(1, clamp(certain, 1, MAX_SIDE_BY_SIDE)).map(readNumber),
	);
	for (let number = 1; hasMore && found.size < Math.min(limit, total ?? Infinity); number++) {
		if (number > MAX_PAGES) {
			const message = `The class list has more than ${MAX_PAGES} pages`;
			throw unclearListError(message, "Filter with 'Name Contains'.");
		}
		const page = sideBySide[number - 1] ?? (await readNumber(number));
		if (total !== undefined && page.total !== total) {
			// Then one may have moved to a page that had already been read.
			throw unclearListError('The class list changed while it was read', TRY_LATER);
		}
		hasMore = add(page) || number === 1;
	}
	if (total !== undefined && found.size < Math.min(limit, total)) {
		const message = `The service reports ${total} classes but returned only ${found.size}`;
		throw unclearListError(message, TRY_LATER);
	}
	return [...found.values()].slice(0, limit);
}

const isRejection = (error: unknown) =>
	error instanceof ServiceError && error.failure.effect === 'noneIfOne';

/** The ID of a class as text; undefined if it has none. */
export function idOf({ id }: IDataObject): string | undefined {
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** The error of a response that cannot be, or be part of, the class list. */
function unclearListError(message: string, advice: string): ServiceError {
	return new ServiceError({ message, advice, effect: 'unknown' });
}
