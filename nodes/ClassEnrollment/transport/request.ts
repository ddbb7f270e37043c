import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

/** A request relative to the Base URL. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST' | 'DELETE'>;
	/** Relative to the Base URL, with every part percent-encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Whether a second time changes nothing more, as HTTP uses the word. Omitted for a read. */
	isIdempotent?: boolean;
	/** The usual causes of a rejection, for the error's description. */
	likelyCauses: string;
}

/** Whether a request changes something. */
export function isWrite({ method }: ServiceRequest): boolean {
	return method !== 'GET';
}
