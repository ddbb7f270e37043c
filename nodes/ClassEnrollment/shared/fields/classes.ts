import type { INodeProperties } from 'n8n-workflow';
import type { ItemParameters } from '../operation';
import { readClassId, readClassIds } from '../values/classId';

const ONE_CLASS = 'Class';
const SEVERAL_CLASSES = 'Class Names or IDs';

/** One class, chosen from a searchable list or given by its ID. */
export function classField(operations: string[]): INodeProperties {
	return {
		displayName: ONE_CLASS,
		name: 'classId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
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
		displayOptions: { show: { resource: ['student'], operation: operations } },
	};
}

/** Several classes, chosen from a list or given by an expression. */
export function classesField(operations: string[]): INodeProperties {
	return {
		displayName: SEVERAL_CLASSES,
		name: 'classIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getClasses' },
		default: [],
		required: true,
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		hint: 'An expression may give a list of IDs, a list of classes, or IDs separated by commas',
		displayOptions: { show: { resource: ['student'], operation: operations } },
	};
}

/** Reads the class of an item; throws InvalidValueError where there is none. */
export function readClassIdOf({ get }: ItemParameters): string {
	return readClassId(get('classId'), ONE_CLASS);
}

/** Reads the classes of an item, each once; throws InvalidValueError where one of them is missing. */
export function readClassIdsOf({ get }: ItemParameters): string[] {
	return readClassIds(get('classIds'), SEVERAL_CLASSES);
}
