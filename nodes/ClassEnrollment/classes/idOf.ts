import type { IDataObject } from 'n8n-workflow';

/** The ID of a class as text; undefined if it has none. */
export function idOf({ id }: IDataObject): string | undefined {
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
