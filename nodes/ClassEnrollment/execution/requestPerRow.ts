import isEmpty from 'lodash/isEmpty';
import memoize from 'lodash/memoize';
import pickBy from 'lodash/pickBy';
import type { IDataObject } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import { isWrite } from '../transport/request';
import { ServiceError, TRY_LATER } from '../transport/serviceError';
import { toObject } from '../values/json';
import { omitUndefined } from '../values/omitUndefined';
import { eachRow, type RowHandler } from './eachRow';
import type { Execute } from './operation';

/** The request of one row. Fields that are undefined are left out of query, body and output. */
export interface RowRequest {
	/** By name, the value for each placeholder in the endpoint's path. */
	path?: Record<string, string>;
	query?: IDataObject;
	body?: IDataObject;
	/** What the request is about, such as a student, in upper or lower case. Requests with the same subject keep their order. */
	subject: string;
	/**
	 * Makes the output item. Fields that the service returned are added to it.
	 * @param body what was sent; in a retry, that of the try that succeeded
	 * @param sentAt when it was sent, in milliseconds since 1970
	 */
	output: (body: IDataObject, sentAt: number) => IDataObject;
}

/** What came of a request: when it was sent, in milliseconds since 1970, and what the service returned, if anything. */
interface Sent {
	sentAt: number;
	response?: IDataObject;
}

const EMPTY = {
	message: 'The response is empty',
	advice: TRY_LATER,
	fate: 'done',
	status: 200,
} as const;

/** How an operation puts many rows into one request. */
export interface ManyRows extends Required<
	Pick<RowHandler<unknown, unknown>, 'readBatching' | 'words'>
> {
	/** Makes the body of a request from those of its rows. */
	join: (bodies: IDataObject[]) => IDataObject;
}

/**
 * An operation that sends one request per input item, or per batch of rows. Every method but GET makes a change, which a
 * retry does not repeat. A read that is answered with nothing is an error.
 * @param readRequest reads a row's parameters; throws InvalidValueError if one of them cannot be used
 */
export function requestPerRow(
	readRequest: (parameters: ItemParameters) => RowRequest,
	{ join, ...many }: Partial<ManyRows> = {},
): Execute {
	return eachRow<RowRequest, Sent>(({ operation: { request: endpoint } }) => {
		// Filling a path takes longer than everything else about a row of many.
		const pathOf = memoize(
			({ path }: RowRequest) => fillPath(endpoint.path, path),
			({ path = {} }) => Object.values(path).join('\n'),
		);
		const toChange = (row: RowRequest, itemIndex: number, service: string) => ({
			itemIndex,
			request: `${service} ${endpoint.method} ${pathOf(row)}`,
			subject: row.subject.toLowerCase(),
			body: row.body,
			mayBeRepeated: endpoint.method === 'POST' && !endpoint.isOnceOnly,
		});
		return {
			...many,
			read: readRequest,
			changeOf: isWrite(endpoint) ? toChange : undefined,
			perform: async (client, requests) => {
				const [first] = requests;
				const { json, sentAt } = await client.send({
					...endpoint,
					path: pathOf(first),
					query: first.query,
					body: join ? join(requests.map(({ body }) => body!)) : first.body,
				});
				const response = toObject(json);
				if (!isWrite(endpoint) && isEmpty(response)) throw new ServiceError(EMPTY);
				const shown = join ? pickBy(response, isSimple) : response;
				return isEmpty(shown) ? { sentAt } : { sentAt, response: shown };
			},
			toOutput: ({ output }, { response, sentAt }, body) => [
				omitUndefined({ ...response, ...output(body, sentAt) }),
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
