import type { IDataObject } from 'n8n-workflow';

/** Reads text as JSON; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
	try {
		// Some servers begin with a byte order mark.
		return JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch {
		return undefined;
	}
}

/** Returns the fields of a JSON value; none if it is not an object. */
export function toObject(json: unknown): IDataObject {
	return isObject(json) ? json : {};
}

/** Whether a JSON value is an object, and not an array. */
export function isObject(json: unknown): json is IDataObject {
	return typeof json === 'object' && json !== null && !Array.isArray(json);
}
