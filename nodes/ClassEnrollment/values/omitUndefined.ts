import type { IDataObject } from 'n8n-workflow';

/** Leaves out the fields without a value, so that they are neither sent nor shown. */
export function omitUndefined(fields: IDataObject): IDataObject {
	const kept: IDataObject = {};
	for (const name of Object.keys(fields)) {
		const value = fields[name];
		// Assigning this field would replace the prototype.
		if (value !== undefined && name !== '__proto__') kept[name] = value;
	}
	return kept;
}
