import type { IDataObject } from 'n8n-workflow';

/** Leaves out the fields without a value, so that they are neither sent nor shown. */
export function omitUndefined(fields: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
