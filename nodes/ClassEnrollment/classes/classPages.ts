import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { CHECK_BASE_URL } from '../transport/explanations';
import { ServiceError } from '../transport/serviceError';
import { isObject, toObject } from '../values/json';

/** How many classes to request at a time by default. */
export const CLASSES_PER_PAGE = 100;

// Where a service rejects a page size, it usually allows one of these, tried in this order.
const SMALLER_PAGE_SIZES = [50, 25, 20, 10, 5, 1];

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
export type ReadPage = (
	page: number | undefined,
	pageSize: number,
	mayNotExist?: boolean,
) => Promise<ClassPage>;

/** Returns a function that reads one page of the class list. It throws a ServiceError if the response is not a list. */
export function createPageReader(
	client: Client,
	{ likelyCauses = CLASS_LIST.likelyCauses, ...listQuery }: ClassListQuery = {},
): ReadPage {
	return async (page, pageSize, mayNotExist) => {
		const query = { page, pageSize, ...listQuery };
		const request = { ...CLASS_LIST, likelyCauses, query, mayNotExist };
		const { json } = await client.send(request);
		return toPage(toObject(json));
	};
}

/** The service's own first page, with the page size that it accepted. */
export interface FirstPage extends ClassPage {
	pageSize: number;
}

/**
 * Reads the page that the service returns when no number is asked for. A service that limits the page size may reject
 * a larger one.
 * @throws ServiceError the first error, if the service accepts no page size
 */
export async function readFirstPage(readPage: ReadPage, pageSize: number): Promise<FirstPage> {
	let firstError: unknown;
	for (const size of [pageSize, ...SMALLER_PAGE_SIZES.filter((smaller) => smaller < pageSize)]) {
		try {
			return { ...(await readPage(undefined, size)), pageSize: size };
		} catch (error) {
			firstError ??= error;
			if (!(error instanceof ServiceError) || !isSizeRejected(error)) throw firstError;
		}
	}
	throw firstError;
}

/** A page, or the error by which the service refused it. */
export interface PageIfAny extends ClassPage {
	refusal?: ServiceError;
}

/**
 * Reads a page that need not exist: a service may refuse a page past the last one with any error status.
 * @throws ServiceError if there was no response, or the error is about the access token or the load
 */
export async function readPageIfAny(
	readPage: ReadPage,
	number: number,
	pageSize: number,
	mayNotExist: boolean,
): Promise<PageIfAny> {
	return await readPage(number, pageSize, mayNotExist).catch((error: unknown) => {
		if (!(error instanceof ServiceError) || !isPageRefused(error)) throw error;
		return { classes: [], refusal: error };
	});
}

function isSizeRejected({ failure: { fate, status } }: ServiceError): boolean {
	return fate === 'rejected' && status !== 404;
}

function isPageRefused({ failure: { fate, status } }: ServiceError): boolean {
	return status !== undefined && !['denied', 'deferred', 'unavailable'].includes(fate);
}

function toPage({ data, totalRecords }: IDataObject): ClassPage {
	if (!Array.isArray(data)) {
		throw new ServiceError({
			message: 'The response contains no list of classes',
			advice: CHECK_BASE_URL,
			fate: 'moved',
			// As of a page that may be past the last one.
			status: 200,
			mayHaveTakenEffect: false,
			failureCause: 'configuration-invalid',
		});
	}
	const classes = (data as unknown[]).filter(isObject);
	const total = typeof totalRecords === 'string' ? Number(totalRecords) : totalRecords;
	// Ignore a total that is smaller than the page.
	const isTotal = typeof total === 'number' && Number.isInteger(total) && total >= classes.length;
	return isTotal ? { classes, total } : { classes };
}
