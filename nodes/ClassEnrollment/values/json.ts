import { isPlainObject, mapKeys } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

/**
 * Reads text as JSON; undefined if it is not JSON.
 * @param rewrite changes each text in it, and each key
 */
export function parseJson(text: string, rewrite?: (text: string) => string): unknown {
	const revive = (key: string, value: unknown) => {
		// A copy of the object would have it as its prototype.
		if (key === '__proto__') return undefined;
		if (!rewrite) return value;
		if (isPlainObject(value)) return mapKeys(value as object, (_, name) => rewrite(name));
		return typeof value === 'string' ? rewrite(value) : value;
	};
	try {
		return JSON.parse(text, revive);
	} catch {
		return undefined;
	}
}

/** Returns the fields of a JSON value; none if it is not an object. */
export function toObject(json: unknown): IDataObject {
	return isPlainObject(json) ? (json as IDataObject) : {};
}
