import type { INodeProperties } from 'n8n-workflow';
import { parseClassId, parseClassIds } from '../values/classId';
import { propertyHint } from './builderHint';
import type { ItemParameters } from './parameters';

/** One class, chosen from a searchable list or given by its ID. */
export const classField: INodeProperties = {
	displayName: 'Class',
	name: 'classId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'Choose a class from the list, or specify its ID',
	...propertyHint(
		'A class name is not accepted. If only the name is known, find the ID with Class: Get Many.',
	),
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a class...',
			typeOptions: { searchListMethod: 'searchClasses', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3f2b8c1e-5a7d-4e9b-8c6f-1d2e3f4a5b6c',
		},
	],
};

/** Several classes, chosen from a list or returned by an expression. */
export const classesField: INodeProperties = {
	displayName: 'Class Names or IDs',
	name: 'classIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getClasses' },
	default: [],
	required: true,
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	...propertyHint('Class names are not accepted. Find the IDs with Class: Get Many.'),
	hint: 'With an expression: class IDs separated by commas, or the classes from Get Many',
};

/** Reads the ID of an item's class; throws InvalidValueError if there is none. */
export function readClassId({ get }: ItemParameters): string {
	return parseClassId(get(classField.name), classField.displayName);
}

/** Reads the IDs of an item's classes, each once; throws InvalidValueError if one of them is missing. */
export function readClassIds({ get }: ItemParameters): string[] {
	return parseClassIds(get(classesField.name), classesField.displayName);
}
