import isEmpty from 'lodash/isEmpty';
import memoize from 'lodash/memoize';
import pickBy from 'lodash/pickBy';
import type { IDataObject } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import { toObject } from '../values/json';
import { omitUndefined } from '../values/omitUndefined';
import { eachRow, type RowHandler } from './eachRow';
import type { Execute } from './operation';
import { rowPerItem } from './row';

/** What a row asks the service to change. Values that are undefined are left out of body and output. */
export interface RowChange {
	/** The class in the endpoint's path, in the place of `{id}`. */
	classId?: string;
	/** The student. Changes for the same student keep their order. */
	email: string;
	/** The classes in the body. In a retry, each counts by itself. */
	classIds?: string[];
	/** What else the body says about the student. */
	values?: IDataObject;
	/**
	 * Makes the output item. Fields that the service returned are added to it.
	 * @param values those that were sent; in a retry, by the try that succeeded
	 * @param sentAt when they were sent, in milliseconds since 1970
	 */
	output: (values: IDataObject, sentAt: number) => IDataObject;
}

/** What came of a request: when it was sent, in milliseconds since 1970, and what the service returned, if anything. */
interface Sent {
	sentAt: number;
	response?: IDataObject;
}

/** How an operation divides the items into rows, and changes many of them with one request. */
interface Batches<Source> extends Pick<
	RowHandler<Source, RowChange, Sent>,
	'divide' | 'read' | 'words'
> {
	/** Makes the body of a request from those of its rows. */
	join?: (bodies: IDataObject[]) => IDataObject;
}

/**
 * An operation that changes something with one request per input item. A retry does not repeat what was done.
 * @param read reads an item's parameters; throws InvalidValueError if one of them cannot be used
 */
export function changePerItem(read: (parameters: ItemParameters) => RowChange): Execute {
	return changePerBatch({ divide: rowPerItem, read });
}

/** The same with one request per batch of rows. */
export function changePerBatch<Source>({ join, ...rows }: Batches<Source>): Execute {
	return eachRow<Source, RowChange, Sent>(({ operation: { endpoint }, parametersHash }) => {
		const pathFor = memoize((classId?: string) => fillPath(endpoint.path, classId));
		// One text for all rows, since comparing texts takes longer than everything else about a row.
		const destinationFor = memoize((service: string) =>
			memoize((classId?: string) => `${service} ${endpoint.method} ${pathFor(classId)}`),
		);
		return {
			...rows,
			changeOf: ({ classId, email, classIds, values = {} }, itemIndex, service) => ({
				itemIndex,
				destination: destinationFor(service)(classId),
				email: email.toLowerCase(),
				classIds,
				values,
				mayBeRepeated: endpoint.method === 'POST' && !endpoint.isOnceOnly,
				parametersHash,
			}),
			perform: async (client, changes) => {
				const bodies = changes.map(toBody);
				const body = join ? join(bodies) : bodies[0];
				const path = pathFor(changes[0].classId);
				const { json, sentAt } = await client.send({ ...endpoint, path, body });
				const response = toObject(json);
				const shown = join ? pickBy(response, isSimple) : response;
				return isEmpty(shown) ? { sentAt } : { sentAt, response: shown };
			},
			toOutput: ({ output }, { response, sentAt }, values) => [
				omitUndefined({ ...response, ...output(values, sentAt) }),
			],
		};
	});
}

function toBody({ email, classIds, values }: RowChange): IDataObject {
	return { email, ...(classIds && { classes: classIds.map((id) => ({ id })) }), ...values };
}

/** Lists and objects make no sense for one row of many. */
const isSimple = (value: unknown) => typeof value !== 'object';

/** Puts the class, percent-encoded, into a path; throws Error if it is missing: that would be another endpoint. */
function fillPath(path: string, classId?: string): string {
	return path.replace('{id}', () => {
		if (classId === undefined) throw new Error(`There is no class for ${path}`);
		return encodeURIComponent(classId);
	});
}
