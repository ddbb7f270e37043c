import isEmpty from 'lodash/isEmpty';
import type { IDataObject } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import { isWrite } from '../transport/fate';
import type { ServiceRequest } from '../transport/http';
import { ServiceError, TRY_LATER } from '../transport/serviceError';
import { toObject } from '../values/json';
import { omitUndefined } from '../values/omitUndefined';
import { eachItem } from './eachItem';
import type { Endpoint, Execute } from './operation';

/** The request of one item. Fields that are undefined are left out of query, body and output. */
export interface ItemRequest {
	/** By name, the value for each placeholder in the endpoint's path. */
	path?: Record<string, string>;
	query?: IDataObject;
	body?: IDataObject;
	/** What the request is about, such as a student: requests with the same subject keep the order of the items. */
	subject?: string;
	/**
	 * Makes the output item.
	 * @param response the fields that the service returned; none, if a write was answered without a body
	 * @param sentAt when the request was sent, in milliseconds since 1970
	 */
	output: (response: IDataObject, sentAt: number) => IDataObject;
}

/**
 * An operation that sends one request per input item. Every method but GET makes a change, which a retry does not
 * repeat. A read that is answered with nothing is an error.
 * @param readRequest reads an item's parameters; throws InvalidValueError if one of them cannot be used
 */
export function requestPerItem(readRequest: (parameters: ItemParameters) => ItemRequest): Execute {
	return eachItem((parameters, run) => {
		const { path, query, body, subject, output } = readRequest(parameters);
		const request: ServiceRequest = {
			...buildRequest(run.request, path),
			...(query && { query: omitUndefined(query) }),
			...(body && { body: omitUndefined(body) }),
		};
		const change = { request: `${request.method} ${request.path}`, subject, body };
		return {
			change: isWrite(request) ? change : undefined,
			subject,
			perform: async (client) => {
				const { json, sentAt } = await client.send(request);
				if (!isWrite(request) && isEmpty(toObject(json))) throw emptyResponseError();
				return [omitUndefined(output(toObject(json), sentAt))];
			},
		};
	});
}

/**
 * Builds the request for an endpoint. Each value is percent-encoded into its placeholder in the path.
 * @throws Error if a placeholder has no value
 */
export function buildRequest(
	{ path, ...rest }: Endpoint,
	values: Record<string, string> = {},
): ServiceRequest {
	const fill = (placeholder: string, name: string) => {
		const value = values[name];
		if (value === undefined) throw new Error(`There is no value for ${placeholder} in ${path}`);
		return encodeURIComponent(value);
	};
	return { ...rest, path: path.replace(/\{(\w+)\}/g, fill) };
}

function emptyResponseError(): ServiceError {
	return new ServiceError({
		message: 'The response contains nothing',
		advice: TRY_LATER,
		fate: 'done',
		status: 200,
		mayHaveTakenEffect: false,
		failureCause: 'temporarily-unavailable',
	});
}
