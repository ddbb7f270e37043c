import { isPlainObject } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { CHECK_BASE_URL } from '../transport/advice';
import type { Client } from '../transport/client';
import type { ServiceRequest } from '../transport/request';
import { ServiceError } from '../transport/serviceError';
import { toObject } from '../values/json';

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

export interface ClassPage {
	classes: IDataObject[];
	/** How many classes there are in all, if the service reports it. */
	total?: number;
}

/** Reads one page, without a number the service's own first one; throws ServiceError if the response is not a list. */
export async function readPage(
	client: Pick<Client, 'send'>,
	{ nameFilter, ...paging }: ListQuery & { page?: number },
	endpoint = CLASS_LIST,
): Promise<ClassPage> {
	const { json } = await client.send({ ...endpoint, query: { ...paging, query: nameFilter } });
	const { data, totalRecords } = toObject(json);
	if (!Array.isArray(data)) {
		throw listError('The response contains no list of classes', CHECK_BASE_URL);
	}
	const total = typeof totalRecords === 'number' ? totalRecords : undefined;
	return { classes: data.filter(isPlainObject) as IDataObject[], total };
}

/** The ID of a class as text; undefined if it has none, or a number that JavaScript has rounded. */
export function idOf({ id }: IDataObject): string | undefined {
	return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : undefined;
}

/** The error of a list that was returned, but cannot be used. */
export function listError(message: string, advice?: string): ServiceError {
	return new ServiceError({ message, advice, outcome: 'notProcessed' });
}
