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

/** What a row asks the service to change. Fields that are undefined are left out of body and output. */
export interface RowChange {
	/** By name, the value for each placeholder in the endpoint's path. */
	path?: Record<string, string>;
	/** Whom it is about, such as a student, as the body says it. Changes with the same subject keep their order. */
	subject: Record<string, string>;
	/** What else the body says. Of a list, such as classes, each entry counts by itself in a retry. */
	body?: IDataObject;
	/**
	 * Makes the output item. Fields that the service returned are added to it.
	 * @param sent what the body said besides subject and lists; in a retry, that of the try that succeeded
	 * @param sentAt when it was sent, in milliseconds since 1970
	 */
	output: (sent: IDataObject, sentAt: number) => IDataObject;
}

/** What came of a request: when it was sent, in milliseconds since 1970, and what the service returned, if anything. */
interface Sent {
	sentAt: number;
	response?: IDataObject;
}

/** How an operation divides the items into rows, and changes many of them with one request. */
interface Batches extends Pick<RowHandler<RowChange, Sent>, 'divide' | 'words'> {
	/** Makes the body of a request from those of its rows. */
	join?: (bodies: IDataObject[]) => IDataObject;
}

/**
 * An operation that changes something with one request per input item. A retry does not repeat what was done.
 * @param read reads an item's parameters; throws InvalidValueError if one of them cannot be used
 */
export function changePerItem(read: (parameters: ItemParameters) => RowChange): Execute {
	return changePerBatch({ divide: rowPerItem(read) });
}

/** The same with one request per batch of rows. */
export function changePerBatch({ join, ...rows }: Batches): Execute {
	return eachRow<RowChange, Sent>(({ operation: { endpoint }, parametersHash }) => {
		// Filling a path takes longer than everything else about a row of many.
		const pathOf = memoize(
			({ path }: RowChange) => fillPath(endpoint.path, path),
			({ path = {} }) => Object.values(path).join('\n'),
		);
		return {
			...rows,
			changeOf: (row, itemIndex, service) => ({
				itemIndex,
				destination: `${service} ${endpoint.method} ${pathOf(row)}`,
				subject: Object.values(row.subject).join(' ').toLowerCase(),
				body: row.body ?? {},
				mayBeRepeated: endpoint.method === 'POST' && !endpoint.isOnceOnly,
				parametersHash,
			}),
			perform: async (client, changes) => {
				const bodies = changes.map(({ subject, body }) => ({ ...subject, ...body }));
				const body = join ? join(bodies) : bodies[0];
				const { json, sentAt } = await client.send({ ...endpoint, path: pathOf(changes[0]), body });
				const response = toObject(json);
				const shown = join ? pickBy(response, isSimple) : response;
				return isEmpty(shown) ? { sentAt } : { sentAt, response: shown };
			},
			toOutput: ({ output }, { response, sentAt }, sent) => [
				omitUndefined({ ...response, ...output(sent, sentAt) }),
			],
		};
	});
}

/** Lists and objects make no sense for one row of many. */
const isSimple = (value: unknown) => typeof value !== 'object';

/** Puts each value, percent-encoded, in the place of its placeholder; throws Error if one has no value. */
function fillPath(path: string, values: Record<string, string> = {}): string {
	return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
		const value = values[name];
		if (value === undefined) throw new Error(`There is no value for ${placeholder} in ${path}`);
		return encodeURIComponent(value);
	});
}
