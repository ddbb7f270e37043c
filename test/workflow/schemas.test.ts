import Ajv from 'ajv';
import type { IDataObject, INodeParameters, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { loadPackage } from './engine';
import { jsonOf, useService } from './fixture';

/** Where n8n looks for the output schemas of the node's version 1. */
const FOLDER = resolve(__dirname, '../../dist/nodes/ClassEnrollment/__schema__/v1.0.0');

const { student, classes } = useService();

/** Each operation, with the parameters besides the required ones that bring out every field it has. */
const OPERATIONS: Array<[schema: string, everything: INodeParameters]> = [
	['class/getAll', {}],
	[
		'student/addToClass',
		{ name: 'Student', accessExpiration: 'date', expirationDate: '2030-01-31T00:00:00Z' },
	],
	[
		'student/addToClasses',
		{
			name: 'Student',
			accessExpiration: 'duration',
			durationAmount: 12,
			durationUnit: 'months',
		},
	],
	[
		'student/addManyToClass',
		{
			studentsFrom: 'json',
			studentsJson:
				'[{"email": "student@example.com", "name": "Student", "expirationDate": "2030-01-31"}]',
		},
	],
	['student/removeFromClass', {}],
	['student/removeFromClasses', {}],
	['student/sendMagicLink', { redirectUrl: 'https://example.com/welcome' }],
];

interface OutputSchema {
	type: 'object';
	properties: Record<string, object>;
	required: string[];
}

function readSchema(name: string): OutputSchema {
	const text = readFileSync(join(FOLDER, `${name}.json`), 'utf8');
	// The version is n8n's own addition to JSON Schema.
	const { version, ...schema } = JSON.parse(text) as OutputSchema & { version: number };
	expect(version).toBe(1);
	return schema;
}

async function outputOf(name: string, parameters: INodeParameters): Promise<IDataObject[]> {
	const [resource, operation] = name.split('/') as [string, string];
	const { items, error } = await (resource === 'class'
		? classes(parameters)
		: student(operation, parameters));
	expect(error).toBeUndefined();
	expect(items).not.toEqual([]);
	return jsonOf(items);
}

function violationsOf(schema: OutputSchema, json: IDataObject) {
	const ajv = new Ajv({
		allErrors: true,
		formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
	});
	ajv.validate({ ...schema, additionalProperties: false }, json);
	return ajv.errors ?? [];
}

/** The operations that the built node offers, such as `class/getAll`. */
async function offered(): Promise<string[]> {
	const { type } = (await loadPackage()).getNode('classEnrollment');
	const choices = (type as INodeType).description.properties.filter(
		({ name }) => name === 'operation',
	);
	return choices.flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(
			({ value }) => `${displayOptions!.show!.resource![0]}/${value}`,
		),
	);
}

describe('output schemas', () => {
	it('are there for every operation and for nothing else', async () => {
		const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.map((file) => file.replaceAll(sep, '/').replace(/\.json$/, ''));
		expect(files.sort()).toEqual((await offered()).sort());
		expect(files).toEqual(OPERATIONS.map(([name]) => name).sort());
	});

	describe.each(OPERATIONS)('%s', (name, everything) => {
		it('describes every field of the output, in its order', async () => {
			const schema = readSchema(name);
			for (const json of await outputOf(name, everything)) {
				expect(violationsOf(schema, json)).toEqual([]);
				expect(Object.keys(json)).toEqual(Object.keys(schema.properties));
			}
		});

		it('requires the fields that are always there', async () => {
			const schema = readSchema(name);
			for (const json of await outputOf(name, {})) {
				expect(violationsOf(schema, json)).toEqual([]);
				expect(Object.keys(json)).toEqual(schema.required);
			}
		});
	});
});
