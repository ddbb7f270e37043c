import type { INodeProperties } from 'n8n-workflow';
import { getAll, getAllFields, getAllOption } from './getAll';

export const classProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [getAllOption],
		default: 'getAll',
		displayOptions: { show: { resource: ['class'] } },
	},
	...getAllFields,
];

export const classOperations = { getAll };
