import type { IDataObject } from 'n8n-workflow';

/** Drops the fields that have no value, so that they are neither sent nor shown. */
export function given(fields: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
