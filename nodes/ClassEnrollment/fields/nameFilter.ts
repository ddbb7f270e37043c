import type { INodeProperties } from 'n8n-workflow';

/** Limits a class list by name; the service does it. */
export const nameFilter: INodeProperties = {
	displayName: 'Name Contains',
	name: 'query',
	type: 'string',
	default: '',
	description: 'Only classes whose name contains this text',
};
