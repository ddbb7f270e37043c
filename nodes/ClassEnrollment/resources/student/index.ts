import type { INodeProperties } from 'n8n-workflow';
import { addManyToClass, addManyToClassFields, addManyToClassOption } from './addManyToClass';
import { addToClass, addToClassFields, addToClassOption } from './addToClass';
import { addToClasses, addToClassesFields, addToClassesOption } from './addToClasses';
import { removeFromClass, removeFromClassFields, removeFromClassOption } from './removeFromClass';
import {
	removeFromClasses,
	removeFromClassesFields,
	removeFromClassesOption,
} from './removeFromClasses';
import { sendMagicLink, sendMagicLinkFields, sendMagicLinkOption } from './sendMagicLink';

export const studentProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			addManyToClassOption,
			addToClassOption,
			addToClassesOption,
			removeFromClassOption,
			removeFromClassesOption,
			sendMagicLinkOption,
		],
		default: 'addToClass',
		displayOptions: { show: { resource: ['student'] } },
	},
	...addManyToClassFields,
	...addToClassFields,
	...addToClassesFields,
	...removeFromClassFields,
	...removeFromClassesFields,
	...sendMagicLinkFields,
];

export const studentOperations = {
	addManyToClass,
	addToClass,
	addToClasses,
	removeFromClass,
	removeFromClasses,
	sendMagicLink,
};
