import type { Resource } from '../execution/description';
import * as classOperations from './class';
import * as studentOperations from './student';

export const resources: Resource[] = [
	{
		name: 'Class',
		value: 'class',
		operations: Object.values(classOperations),
		defaultOperation: classOperations.getAll.value,
	},
	{
		name: 'Student',
		value: 'student',
		operations: Object.values(studentOperations),
		defaultOperation: studentOperations.addToClass.value,
	},
];
