import type { IDataObject } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import type { ServiceRequest } from '../transport/http';
import { toObject } from '../values/json';
import { omitUndefined } from '../values/omitUndefined';
import { eachItem } from './eachItem';
import type { Endpoint, Execute } from './operation';

/** The request of one item. Fields that are undefined are left out of body and output. */
export interface ItemRequest {
	/** The class that the request's path names, if it names one. */
	classId?: string;
	body: IDataObject & { email: string };
	/** The output item, evaluated when the request is sent. Fields that the service returns are added to it. */
	output: () => IDataObject;
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
			perform: async (send) => {
				const fields = omitUndefined(output());
				return [{ ...toObject(await send(request)), ...fields }];
			},
		};
	});
}

/** Addresses a request to an endpoint, for one class if its path names one. */
export function addressTo({ path, ...rest }: Endpoint, classId?: string): ServiceRequest {
	if (classId === undefined) return { ...rest, path };
	return { ...rest, path: path.replace('{id}', () => encodeURIComponent(classId)) };
}
