import type { IDataObject } from 'n8n-workflow';

/**
 * Reads text as JSON; undefined if it is not JSON.
 * @param rewrite changes each text in it
 */
export function parseJson(text: string, rewrite?: (text: string) => string): unknown {
	const revive = (_: string, value: unknown) =>
		rewrite && typeof value === 'string' ? rewrite(value) : value;
	try {
		return JSON.parse(text, revive);
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
