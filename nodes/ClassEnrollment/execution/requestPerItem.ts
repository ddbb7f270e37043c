import type { IDataObject } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import type { ServiceRequest } from '../transport/http';
import { toObject } from '../values/json';
import { omitUndefined } from '../values/omitUndefined';
import { eachItem } from './eachItem';
import type { Endpoint, Execute } from './operation';

/** The request of one item. Fields that are undefined are left out of body and output. */
export interface ItemRequest {
	/** The class in the request's path, if any. */
	classId?: string;
	body: IDataObject & { email: string };
	/**
	 * Returns the output item. Fields that the service returns are added to it.
	 * @param sentAt when the request was sent, in milliseconds since 1970
	 */
	output: (sentAt: number) => IDataObject;
}

/**
 * The operation that sends one request about a student for each input item.
 * @param readRequest reads an item's parameters; throws InvalidValueError if one of them cannot be used
 */
export function requestPerItem(readRequest: (parameters: ItemParameters) => ItemRequest): Execute {
	return eachItem((parameters, run) => {
		const { classId, body, output } = readRequest(parameters);
		const request = { ...addressTo(run.request, classId), body: omitUndefined(body) };
		const student = body.email.toLowerCase();
		return {
			change: { request: `${request.method} ${request.path}`, student, body },
			subject: student,
			perform: async (client) => {
				const { json, sentAt } = await client.send(request);
				return [{ ...toObject(json), ...omitUndefined(output(sentAt)) }];
			},
		};
	});
}

/** Builds the request for an endpoint, with the class ID filled in if its path has one. */
export function addressTo({ path, ...rest }: Endpoint, classId?: string): ServiceRequest {
	if (classId === undefined) return { ...rest, path };
	return { ...rest, path: path.replace('{id}', () => encodeURIComponent(classId)) };
}
