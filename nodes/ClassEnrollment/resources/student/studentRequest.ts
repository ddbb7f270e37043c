import type { IDataObject } from 'n8n-workflow';
import type { Execute } from '../../execution/operation';
import { requestPerItem } from '../../execution/requestPerItem';
import type { ItemParameters } from '../../fields/parameters';

/** A request about one student. */
export interface StudentRequest {
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
 * An operation that changes something about one student per input item. The changes to a student keep the order of the
 * items.
 * @param readRequest reads an item's parameters; throws InvalidValueError if one of them cannot be used
 */
export function studentRequest(
	readRequest: (parameters: ItemParameters) => StudentRequest,
): Execute {
	return requestPerItem((parameters) => {
		const { classId, body, output } = readRequest(parameters);
		return {
			...(classId === undefined ? {} : { path: { id: classId } }),
			body,
			subject: body.email.toLowerCase(),
			output: (response, sentAt) => ({ ...response, ...output(sentAt) }),
		};
	});
}
