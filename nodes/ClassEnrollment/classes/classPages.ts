import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { CHECK_BASE_URL } from '../transport/response';
import { ServiceError } from '../transport/serviceError';
import { saysNo } from '../transport/successBody';
import { isObject, toObject } from '../values/json';

// Where a service rejects a page size, it usually allows one of these.
const USUAL_PAGE_SIZES = [100, 50, 25, 20, 10, 5, 1];
/** The statuses with which a service may refuse a page after the last one. */
const PAST_THE_END: unknown[] = [400, 404, 422];

/** The service's class list (test/service/openapi.yaml). */
export const CLASS_LIST = {
	method: 'GET',
	path: '/classe',
	likelyCauses: CHECK_BASE_URL,
} as const;

/** Which classes to list, and how. */
export interface ClassListQuery {
	nameFilter?: string;
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
	client: Pick<Client, 'send'>,
	{ nameFilter, sortBy, likelyCauses = CLASS_LIST.likelyCauses }: ClassListQuery = {},
): ReadPage {
	return async (page, pageSize) => {
		const query = { page, pageSize, query: nameFilter, sortBy };
		const { json } = await client.send({ ...CLASS_LIST, likelyCauses, query });
		return toPage(toObject(json));
	};
}

/**
 * Reads the service's own first page. A service may reject page sizes: then the usual ones are tried, the nearest first.
 * @returns the page, and the page size that the service accepted; throws the first error if it accepts none
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
			if (!mayBeRefusedSize(error)) break;
		}
	}
	throw firstError;
}

/**
 * Reads the page with a number; where the service rejects its size, the page with this number in a size that it accepts.
 * @throws ServiceError if the service rejects the number, or every size
 */
export async function readNumberedPage(readPage: ReadPage, page: number, pageSize: number) {
	const read = async (size: number) => ({ ...(await readPage(page, size)), pageSize: size });
	return await read(pageSize).catch(async (error: unknown) => {
		const accepted = mayBeRefusedSize(error) && (await readFirstPage(readPage, pageSize)).pageSize;
		if (!accepted || accepted === pageSize) throw error;
		return await read(accepted);
	});
}

/** Whether the service may have refused a request because of its page size. */
function mayBeRefusedSize(error: unknown): boolean {
	return error instanceof ServiceError && ['rejected', 'missing'].includes(error.failure.fate);
}

/** Whether the service may have refused a page because it comes after the last one. */
export function mayBePastTheEnd(error: unknown): error is ServiceError {
	return error instanceof ServiceError && PAST_THE_END.includes(error.failure.status);
}

/** The error of a response that cannot be, or be part of, the class list. */
export function unclearListError(message: string, advice: string): ServiceError {
	return new ServiceError({ message, advice, fate: 'unclear' });
}

function toPage(body: IDataObject): ClassPage {
	// Go writes an empty list so.
	const data = body.data === null && !saysNo(body) ? [] : body.data;
	if (!Array.isArray(data)) {
		throw unclearListError('The response contains no list of classes', CHECK_BASE_URL);
	}
	const classes = (data as unknown[]).filter(isObject);
	const total = Number(body.totalRecords ?? NaN);
	return Number.isInteger(total) ? { classes, total } : { classes };
}
