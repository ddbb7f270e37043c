import type { IDataObject } from 'n8n-workflow';

/** A class as the editor's lists show it. A class without a name goes by its ID. */
export function classChoice({ id, name }: IDataObject): { name: string; value: string } {
	const value = String(id);
	return { name: typeof name === 'string' && name.trim() !== '' ? name : value, value };
}
