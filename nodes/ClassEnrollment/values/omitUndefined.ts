import type { IDataObject } from 'n8n-workflow';

/** Leaves out the fields without a value, so that they are neither sent nor shown. */
export function omitUndefined(fields: IDataObject): IDataObject {
	const kept: IDataObject = {};
	for (const name of Object.keys(fields)) {
		if (fields[name] !== undefined) kept[name] = fields[name];
	}
	return kept;
}
