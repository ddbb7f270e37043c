import type { INodeProperties } from 'n8n-workflow';
import { parseOptionalText } from '../values/text';

/** Limits a class list by name; the service does it. */
export const nameFilter: INodeProperties = {
	displayName: 'Name Contains',
	name: 'query',
	type: 'string',
	default: '',
	description: 'Only classes whose name contains this text',
};

/** Reads it from the value of the collection `filters`; throws InvalidValueError for anything but text. */
export function readNameFilter(filters: unknown): string | undefined {
	const { query } = (filters ?? {}) as { query?: unknown };
	return parseOptionalText(query, nameFilter.displayName);
}
