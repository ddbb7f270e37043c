import type { Resource } from '../execution/description';
import * as classOperations from './class';
import * as studentOperations from './student';

const classResource: Resource = {
	name: 'Class',
	value: 'class',
	operations: Object.values(classOperations),
	defaultOperation: classOperations.getAll,
};

export const studentResource: Resource = {
	name: 'Student',
	value: 'student',
	operations: Object.values(studentOperations),
	defaultOperation: studentOperations.addToClass,
};

export const resources = [classResource, studentResource];
