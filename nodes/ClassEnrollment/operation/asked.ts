import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Change, Done } from '../journal/journal';
import type { Client } from '../transport/client';
import { toObject } from '../values/json';
import type { Endpoint, OperationRun } from './operation';

/** What a row asks for: to read something, or to change it. */
export type Asked = Reading | Writing;

/** Reads from the service; returns the JSON of the row's output items. */
export type Reading = (client: Client) => Promise<IDataObject[]>;

/** What a row asks the service to change. Values that are undefined are left out of body and output. */
export interface Writing {
	/** The class in the endpoint's path, in the place of `{id}`. */
	classId?: string;
	/** The student. Changes for the same student keep their order. */
	email: string;
	/** The classes in the body. In a retry, each counts by itself. */
	classIds?: string[];
	/** What else the body says about the student. */
	values?: IDataObject;
	/**
	 * Makes the output item. Fields that the service returned are added to it, but never in the place of one of these.
	 * @param values those that were sent; in a retry, by the attempt that succeeded
	 * @param sentAt when they were sent, in milliseconds since 1970
	 */
	output: (values: IDataObject, sentAt: number) => IDataObject;
}

/** What came of a request: when it was sent, in milliseconds since 1970, and what the service returned. */
interface WriteResult {
	sentAt: number;
	response: IDataObject;
}

/**
 * Returns what the journal needs to know of a row's change; undefined if it only reads.
 * @param service the name of the service that it is sent to
 */
export function toChange(
	{ operation, parametersHash }: OperationRun,
	asked: Asked,
	itemIndex: number,
	service: string,
): Change | undefined {
	if (typeof asked === 'function') return undefined;
	const { classId, email, classIds, values = {} } = asked;
	const { method, path, isOnceOnly } = operation.endpoint;
	const student = email.toLowerCase();
	// Sorted, as the order changes nothing. Without a class (a magic link), there is one target, too.
	const ids = [...(classIds ?? [classId ?? ''])].sort();
	// By item, too: two magic links for one student are both meant.
	const about = isOnceOnly ? `${student}\n${itemIndex}` : student;
	return {
		itemIndex,
		email: student,
		targets: ids.map((id) => `${service} ${method} ${path} ${id}\n${about}`),
		values: omitBy(values, isUndefined),
		isOverwritable: method === 'POST' && !isOnceOnly,
		parametersHash,
	};
}

/**
 * Does what a row asks for, or in a batch what several rows of one class ask to change, with one request.
 * @returns what `toOutput` needs of it: a `WriteResult`, or the JSON of the items that were read
 * @throws ServiceError unless it succeeds
 */
export async function perform(
	client: Client,
	endpoint: Endpoint,
	asked: Asked[],
	isBatch: boolean,
): Promise<unknown> {
	if (typeof asked[0] === 'function') return await asked[0](client);
	const writings = asked as Writing[];
	const path = endpoint.path.replace('{id}', () => encodeURIComponent(writings[0]!.classId!));
	const bodies = writings.map(({ email, classIds, values }): IDataObject => {
		return { email, ...(classIds && { classes: classIds.map((id) => ({ id })) }), ...values };
	});
	const body = isBatch ? { students: bodies } : bodies[0]!;
	const { json, sentAt } = await client.send({ ...endpoint, path, body });
	// Of a batch, each row gets the whole response.
	return { sentAt, response: toObject(json) } satisfies WriteResult;
}

/** Makes the JSON of a row's output items from what was said about the student, and what came of it. */
export function toOutput(asked: Asked, { values, result }: Done): IDataObject[] {
	if (typeof asked === 'function') return result as IDataObject[];
	const { sentAt, response } = result as WriteResult;
	const own = asked.output(values, sentAt);
	// Not even where the node says nothing: a name may be that of the class.
	const others = omitBy(response, (_, key) => key in own);
	return [{ ...others, ...omitBy(own, isUndefined) }];
}
