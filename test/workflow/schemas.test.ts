import Ajv from 'ajv';
import type { IDataObject, INodeParameters, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadPackage } from './engine';
import { byId, jsonOf, PYTHON, RUST, useService } from './fixture';

/** Where n8n finds the output schemas of the node's version 1. */
const FOLDER = resolve(__dirname, '../../dist/nodes/ClassEnrollment/__schema__/v1.0.0');

interface OutputSchema {
	type: 'object';
	properties: IDataObject;
	required: string[];
}

/** Parameters that bring out every field, by operation. */
const ALL_GIVEN: Record<string, INodeParameters> = {
	'student/addToClass': {
		name: 'Student',
		accessExpiration: 'date',
		expirationDate: '2030-01-31T00:00:00Z',
	},
	'student/addToClasses': {
		name: 'Student',
		accessExpiration: 'duration',
		durationAmount: 1,
		durationUnit: 'months',
	},
	'student/addManyToClass': {
		studentsFrom: 'json',
		studentsJson: JSON.stringify([
			{ email: 'student@example.com', name: 'Student', expirationDate: '2030-01-31' },
		]),
	},
	'student/sendMagicLink': { redirectUrl: 'https://example.com/welcome' },
};

/** Parameters that bring out only the fields that are always there. */
const LEAST_GIVEN: Record<string, INodeParameters> = {
	'student/addToClass': { classId: byId(PYTHON.id), email: 'student@example.com' },
	'student/addToClasses': { classIds: [PYTHON.id, RUST.id], email: 'student@example.com' },
	'student/addManyToClass': { classId: byId(PYTHON.id) },
	'student/removeFromClass': { classId: byId(PYTHON.id), email: 'student@example.com' },
	'student/removeFromClasses': { classIds: [PYTHON.id, RUST.id], email: 'student@example.com' },
	'student/sendMagicLink': { email: 'student@example.com' },
};

const ajv = new Ajv({
	formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
	allErrors: true,
});
// n8n's own schemas count their changes by it.
ajv.addKeyword('version');
