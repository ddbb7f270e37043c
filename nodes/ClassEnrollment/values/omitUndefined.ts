import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

/** Returns an object without the entries that are undefined; the same object if there are none, as of most students. */
export function omitUndefined(object: IDataObject): IDataObject {
	for (const key in object) if (object[key] === undefined) return omitBy(object, isUndefined);
	return object;
}
