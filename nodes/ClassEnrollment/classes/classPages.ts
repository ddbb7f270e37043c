import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import type { Fate } from '../transport/fate';
import { CHECK_BASE_URL } from '../transport/response';
import { ServiceError } from '../transport/serviceError';
import { isObject, toObject } from '../values/json';

/** How a service may refuse a page that does not exist. */
const REFUSALS: readonly Fate[] = ['rejected', 'missing', 'unclear', 'failed', 'moved'];
// Where a service rejects a page size, it usually allows one of these.
const USUAL_PAGE_SIZES = [100, 50, 25, 20, 10, 5, 1];

/** The service's class list (test/service/openapi.yaml). */
export const CLASS_LIST = {
	method: 'GET',
	path: '/classe',
	likelyCauses: CHECK_BASE_URL,
} as const;

/** The query parameters of the class list, except those for paging. */
export interface ClassListQuery {
	query?: string;
	sortBy?: string;
	/** What usually makes the service reject the request. */
	likelyCauses?: string;
}

export interface ClassPage {
	classes: IDataObject[];
	/** How many classes there are in all, if the service reports it. */
	total?: number;
}

/** Reads one page of the class list; without a number the service's own first page. */
export type ReadPage = (page: number | undefined, pageSize: number) => Promise<ClassPage>;

/** Returns a function that reads one page of the class list. It throws a ServiceError if the response is not a list. */
export function createPageReader(
	client: Client,
	{ likelyCauses = CLASS_LIST.likelyCauses, ...listQuery }: ClassListQuery = {},
): ReadPage {
	return async (page, pageSize) => {
		const query = { page, pageSize, ...listQuery };
		const { json } = await client.send({ ...CLASS_LIST, likelyCauses, query });
		return toPage(toObject(json));
	};
}

/**
 * Reads the page that the service returns when no number is asked for. A service that limits the page size may reject
 * a larger or a smaller one; then the usual ones are tried, the nearest first.
 * @returns the page, and the page size that the service accepted
 * @throws ServiceError the first error, if the service accepts no page size
 */
export async function readFirstPage(
	readPage: ReadPage,
	pageSize: number,
): Promise<ClassPage & { pageSize: number }> {
	let firstError: unknown;
	const nearest = sortBy(USUAL_PAGE_SIZES, (usual) => Math.abs(usual - pageSize));
	for (const size of uniq([pageSize, ...nearest])) {
		try {
			return { ...(await readPage(undefined, size)), pageSize: size };
		} catch (error) {
			firstError ??= error;
			if (!(error instanceof ServiceError) || error.failure.fate !== 'rejected') break;
		}
	}
	throw firstError;
}

/** Whether the service may have refused a page because there is no such page: by any error, but for token and load. */
export function isPageRefused(error: unknown): error is ServiceError {
	return error instanceof ServiceError && REFUSALS.includes(error.failure.fate);
}

function toPage({ data, totalRecords }: IDataObject): ClassPage {
	if (!Array.isArray(data)) {
		throw new ServiceError({
			message: 'The response contains no list of classes',
			advice: CHECK_BASE_URL,
			fate: 'moved',
			// The page may not exist.
			status: 200,
		});
	}
	const classes = (data as unknown[]).filter(isObject);
	const total = Number(totalRecords ?? NaN);
	return Number.isInteger(total) ? { classes, total } : { classes };
}
