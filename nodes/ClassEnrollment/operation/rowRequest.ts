import type { IDataObject } from 'n8n-workflow';
import type { Change, Receipt } from '../journal/journal';
import type { Client } from '../transport/client';
import { omitUndefined } from '../values/omitUndefined';
import { toObject } from '../values/json';
import type { Endpoint, Operation, OperationRun } from './operation';

/** The request of a row: it reads from the service, or changes something there. */
export type RowRequest = ReadRequest | WriteRequest;

/** Reads from the service; returns the JSON of the row's output items. */
export type ReadRequest = (client: Client) => Promise<IDataObject[]>;

/** A change in the service. Undefined values are left out of body and output. */
export interface WriteRequest {
	/** The class in the endpoint's path, in the place of `{id}`. */
	classId?: string;
	/** The student. Changes for the same student keep their order. */
	email: string;
	/** The classes in the body. In a retry, each counts by itself. */
	classIds?: string[];
	/** Further fields of the student in the body. */
	values?: IDataObject;
}

/**
 * Makes the output item of a write. Fields that the service returned are added to it, but never in the place of one of these.
 * @param values the values that were sent; in a retry, by the attempt that succeeded
 * @param sentAt the time of sending, in milliseconds since 1970
 */
export type WriteOutput = (
	request: WriteRequest,
	values: IDataObject,
	sentAt: number,
) => IDataObject;

/** The result of a write. */
interface WriteResult {
	/** In milliseconds since 1970. */
	sentAt: number;
	response: IDataObject;
}

/**
 * Returns a row's change for the journal; undefined if it only reads.
 * @param service identifies the service and the credential (`NamedClient`)
 */
export function changeOf(
	{ operation, parametersHash }: OperationRun,
	request: RowRequest,
	itemIndex: number,
	service: string,
): Change | undefined {
	if (typeof request === 'function') return undefined;
	const { classId, email, classIds, values = {} } = request;
	const { method, isOnceOnly } = operation.endpoint;
	const student = email.toLowerCase();
	// Without a class (a magic link), there is one target, too.
	const ids = classIds ?? [classId ?? ''];
	// By item, too: two magic links for one student are both meant.
	const about = isOnceOnly ? `${student}\n${itemIndex}` : student;
	return {
		itemIndex,
		parametersHash,
		// Sorted, as the order changes nothing.
		targets: ids.map((id) => `${service} ${id}\n${about}`).sort(),
		values: omitUndefined(values),
		isAddition: method === 'POST' && !isOnceOnly,
	};
}

/**
 * Sends the request of a row, or one request for a batch of rows of the same class.
 * @returns the argument of `toOutput`: a `WriteResult`, or the JSON of the items that were read
 * @throws ServiceError unless it succeeds
 */
export async function sendRequest(
	client: Client,
	endpoint: Endpoint,
	requests: RowRequest[],
	isBatch: boolean,
): Promise<unknown> {
	if (typeof requests[0] === 'function') return await requests[0](client);
	const writes = requests as WriteRequest[];
	const path = endpoint.path.replace('{id}', () => encodeURIComponent(writes[0]!.classId!));
	const bodies = writes.map(({ email, classIds, values }): IDataObject => {
		return { email, ...(classIds && { classes: classIds.map((id) => ({ id })) }), ...values };
	});
	const body = isBatch ? { students: bodies } : bodies[0]!;
	const { json, sentAt } = await client.send({ ...endpoint, path, body });
	// Of a batch, each row gets the whole response.
	return { sentAt, response: toObject(json) } satisfies WriteResult;
}

/** Returns the JSON of a row's output items. */
export function toOutput(
	{ output }: Operation,
	request: RowRequest,
	{ values, result }: Receipt,
): IDataObject[] {
	if (typeof request === 'function') return result as IDataObject[];
	const { sentAt, response } = result as WriteResult;
	const json = output!(request, values, sentAt);
	// Nothing of the response in the place of the node's own, even if that is empty: `name` may be the name of the class.
	for (const key in response) if (!(key in json)) json[key] = response[key];
	return [omitUndefined(json)];
}
