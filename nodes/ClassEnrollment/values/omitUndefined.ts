import type { IDataObject } from 'n8n-workflow';

/** Leaves out the fields without a value, so that they are neither sent nor shown. */
export function omitUndefined(fields: IDataObject): IDataObject {
	const kept: IDataObject = {};
	for (const name of Object.keys(fields)) {
		const value = fields[name];
		if (value !== undefined) kept[name] = value;
	}
	return kept;
}
