import type { IDataObject } from 'n8n-workflow';
import type { Send } from '../transport/client';
import { CHECK_BASE_URL } from '../transport/explanations';
import { isObject, toObject } from '../values/json';
import { isAccessRefused, isNotFound, isRejection, ServiceError } from '../transport/serviceError';

/** How many classes to request at a time if the user does not say. */
export const CLASSES_PER_PAGE = 100;

// Where a service rejects a page size, it usually allows one of these.
const SMALLER_PAGE_SIZES = [50, 25, 20, 10, 5, 1];

/** The service's class list (interface, section 4.1). */
export const CLASS_LIST = {
	method: 'GET',
	path: '/classe',
	likelyCauses: CHECK_BASE_URL,
} as const;

/** The service's own parameters of its class list, apart from those of paging. */
export interface ClassListQuery {
	query?: string;
	sortBy?: string;
	/** What usually makes the service reject the request. */
	likelyCauses?: string;
}

export interface ClassPage {
	classes: IDataObject[];
	/** How many classes there are in all, if the service says so. */
	total?: number;
}

/** Reads one page of the class list; without a number the service's own first page. */
export type ReadPage = (
	page: number | undefined,
	pageSize: number,
	mayNotExist?: boolean,
) => Promise<ClassPage>;

/** Returns a function that reads one page of the class list. It throws a ServiceError if the response is not a list. */
export function createPageReader(
	send: Send,
	{ likelyCauses = CLASS_LIST.likelyCauses, ...listQuery }: ClassListQuery = {},
): ReadPage {
	return async (page, pageSize, mayNotExist) => {
		const query = { page, pageSize, ...listQuery };
		return toPage(toObject(await send({ ...CLASS_LIST, likelyCauses, query, mayNotExist })));
	};
}

/** A first page, with the number and the size by which the service accepted it. */
export interface FirstPage extends ClassPage {
	number: number | undefined;
	pageSize: number;
}

/**
 * Reads the first page. A service that counts from 0 may refuse page 1, and one that limits the page size may reject
 * a larger one.
 * @param number 1 or 0, or undefined for the service's own first page
 * @throws ServiceError what the service said first, if it accepts nothing
 */
export async function readFirstPage(
	readPage: ReadPage,
	number: 1 | 0 | undefined,
	pageSize: number,
): Promise<FirstPage> {
	let firstError: unknown;
	for (const size of [pageSize, ...SMALLER_PAGE_SIZES.filter((smaller) => smaller < pageSize)]) {
		let isSizeRejected = false;
		for (const candidate of number === 1 ? [1, 0] : [number]) {
			try {
				const page = await readPage(candidate, size, candidate === 0);
				return { ...page, number: candidate, pageSize: size };
			} catch (error) {
				firstError ??= error;
				if (!isPageRefused(error)) throw firstError;
				isSizeRejected ||= isRejection(error) && !isNotFound(error);
			}
		}
		if (!isSizeRejected) break;
	}
	throw firstError;
}

/**
 * Reads a page that need not exist: a service may refuse one before the first or after the last, in whatever way.
 * @param known a page that exists: if the service refuses that too, the service is at fault
 * @throws ServiceError if the service refuses everything, or did not respond
 */
export async function readPageIfAny(
	readPage: ReadPage,
	number: number,
	known: Pick<FirstPage, 'number' | 'pageSize'>,
): Promise<ClassPage & { refusal?: ServiceError }> {
	return await readPage(number, known.pageSize, true).catch(async (error: unknown) => {
		if (!isPageRefused(error)) throw error;
		if (!isRejection(error)) await readPage(known.number, known.pageSize);
		return { classes: [], refusal: error };
	});
}

/** Whether the service responded, and the access token is not at fault. */
function isPageRefused(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.status !== undefined && !isAccessRefused(error);
}

function toPage({ data, totalRecords }: IDataObject): ClassPage {
	if (!Array.isArray(data)) {
		throw new ServiceError({
			message: 'The response contains no list of classes',
			description: CHECK_BASE_URL,
			status: 200,
			mayHaveTakenEffect: false,
			failureCause: 'configuration-invalid',
		});
	}
	const classes = (data as unknown[]).filter(isObject);
	const total = typeof totalRecords === 'string' ? Number(totalRecords) : totalRecords;
	// A total below what one page contains is none.
	const isTotal = typeof total === 'number' && Number.isInteger(total) && total >= classes.length;
	return isTotal ? { classes, total } : { classes };
}
