import type { IDataObject } from 'n8n-workflow';
import type { Change, Receipt, Reply } from '../journal/journal';
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
	const { method, isIdempotent = false } = operation.endpoint;
	const student = email.toLowerCase();
	// Without a class (a magic link), there is one target, too.
	const ids = classIds ?? [classId ?? ''];
	// By item, too: two magic links for one student are both meant.
	const about = isIdempotent ? student : `${student}\n${itemIndex}`;
	return {
		itemIndex,
		parametersHash,
		// Sorted, as the order changes nothing.
		targets: ids.map((id) => `${service} ${id}\n${about}`).sort(),
		values: omitUndefined(values),
		isRemoval: method === 'DELETE',
	};
}

/**
 * Sends the request of a row, or one request for a batch of rows of the same class.
 * @returns the reply; of a read, the JSON of its output items
 * @throws ServiceError unless it succeeds
 */
export async function sendRequest(
	client: Client,
	endpoint: Endpoint,
	requests: RowRequest[],
	isBatch: boolean,
): Promise<Reply> {
	if (typeof requests[0] === 'function') return { json: await requests[0](client) };
	const writes = requests as WriteRequest[];
	const path = endpoint.path.replace('{id}', () => encodeURIComponent(writes[0]!.classId!));
	const bodies = writes.map(({ email, classIds, values }): IDataObject => {
		return { email, ...(classIds && { classes: classIds.map((id) => ({ id })) }), ...values };
	});
	const body = isBatch ? { students: bodies } : bodies[0]!;
	return await client.send({ ...endpoint, path, body });
}

/** Returns the JSON of a row's output items. */
export function toOutput(
	{ output }: Operation,
	request: RowRequest,
	{ values, reply }: Receipt,
): IDataObject[] {
	if (typeof request === 'function') return reply.json as IDataObject[];
	const json = output!(request, values, reply.sentAt!);
	const fields = toObject(reply.json);
	// Nothing of the reply in the place of the node's own, even if that is empty: `name` may be the name of the class.
	for (const key in fields) if (!(key in json)) json[key] = fields[key];
	return [omitUndefined(json)];
}
