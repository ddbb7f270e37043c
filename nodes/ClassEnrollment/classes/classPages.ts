import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import type { ServiceRequest } from '../transport/request';
import { CHECK_BASE_URL } from '../transport/response';
import { ServiceError } from '../transport/serviceError';
import { saysNo } from '../transport/successBody';
import { isObject, toObject } from '../values/json';

// Where a service rejects a page size, it usually allows one of these.
const USUAL_PAGE_SIZES = [100, 50, 25, 20, 10, 5, 1];
/** The statuses with which a service may refuse a page after the last one. */
const PAST_THE_END: unknown[] = [400, 404, 422];

/** The service's class list (test/service/openapi.yaml). */
export const CLASS_LIST: ServiceRequest = {
	method: 'GET',
	path: '/classe',
	likelyCauses: CHECK_BASE_URL,
};

export interface ClassPage {
	classes: IDataObject[];
	/** How many classes there are in all, if the service reports it. */
	total?: number;
	/** How many classes were requested. */
	pageSize: number;
	/** Why the service refused it, if it may come after the last one. It is then without classes. */
	refusal?: ServiceError;
}

/** Reads one page of the class list; without a number the service's own first page. */
export type ReadPage = (page: number | undefined, pageSize: number) => Promise<ClassPage>;

/** Returns a function that reads one page of the class list. It throws a ServiceError if the response is not a list. */
export function createPageReader(
	client: Pick<Client, 'send'>,
	{ nameFilter, sortBy }: { nameFilter?: string; sortBy?: string } = {},
	endpoint = CLASS_LIST,
): ReadPage {
	return async (page, pageSize) => {
		const query = { page, pageSize, query: nameFilter, sortBy };
		const { json } = await client.send({ ...endpoint, query });
		const body = toObject(json);
		// Go writes an empty list so.
		const data: unknown = body.data === null && !saysNo(body) ? [] : body.data;
		if (!Array.isArray(data)) {
			throw unclearListError('The response contains no list of classes', CHECK_BASE_URL);
		}
		const classes = data.filter(isObject);
		const total = Number(body.totalRecords ?? NaN);
		return { classes, total: Number.isInteger(total) ? total : undefined, pageSize };
	};
}

/**
 * Reads the service's own first page. A service may reject page sizes: then the usual ones are tried, the nearest first.
 * @returns the page, in the size that the service accepted; throws the first error if it accepts none
 */
export async function readFirstPage(readPage: ReadPage, pageSize: number): Promise<ClassPage> {
	let firstError: unknown;
	const nearest = sortBy([pageSize, ...USUAL_PAGE_SIZES], (size) => Math.abs(size - pageSize));
	for (const size of uniq(nearest)) {
		try {
			return await readPage(undefined, size);
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
	return await readPage(page, pageSize).catch(async (error: unknown) => {
		if (!mayBeRefusedSize(error)) throw error;
		const { pageSize: accepted } = await readFirstPage(readPage, pageSize);
		if (accepted === pageSize) throw error;
		return await readPage(page, accepted);
	});
}

/** Reads a page that may come after the last one. */
export async function readLaterPage(readPage: ReadPage, page: number, pageSize: number) {
	return await readPage(page, pageSize).catch((error: unknown): ClassPage => {
		if (!(error instanceof ServiceError)) throw error;
		if (!PAST_THE_END.includes(error.failure.status)) throw error;
		return { classes: [], pageSize, refusal: error };
	});
}

/** Whether the service may have refused a request because of its page size. */
function mayBeRefusedSize(error: unknown): boolean {
	return error instanceof ServiceError && ['rejected', 'missing'].includes(error.failure.fate);
}

/** The ID of a class as text; undefined if it has none. */
export function idOf({ id }: IDataObject): string | undefined {
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** The error of a response that cannot be, or be part of, the class list. */
export function unclearListError(message: string, advice: string): ServiceError {
	return new ServiceError({ message, advice, fate: 'unclear' });
}
