import Ajv from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { jsonOf, OPERATIONS, useService } from './fixture';
import type { TestedOperation } from './operations';

/** Where n8n looks for the output schemas of the node's version 1. */
const FOLDER = resolve(__dirname, '../../dist/nodes/ClassEnrollment/__schema__/v1.0.0');

const fixture = useService();

interface OutputSchema {
	type: 'object';
	properties: Record<string, object>;
	required: string[];
}

function readSchema({ resource, operation }: TestedOperation): OutputSchema {
	const text = readFileSync(join(FOLDER, resource, `${operation}.json`), 'utf8');
	// The version is n8n's own addition to JSON Schema.
	const { version, ...schema } = JSON.parse(text) as OutputSchema & { version: number };
	expect(version).toBe(1);
	return schema;
}

async function outputOf(operation: TestedOperation, parameters: INodeParameters) {
	const { items, error } = await fixture.run(operation, parameters);
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

describe('output schemas', () => {
	it('are there for every operation and for nothing else', () => {
		const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.map((file) => file.replace(sep, ' ').replace(/\.json$/, ''));
		expect(files.sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
	});

	describe.each(OPERATIONS)('$name', (operation) => {
		it('describes every field of the output, in its order', async () => {
			const schema = readSchema(operation);
			for (const json of await outputOf(operation, operation.everything)) {
				expect(violationsOf(schema, json)).toEqual([]);
				expect(Object.keys(json)).toEqual(Object.keys(schema.properties));
			}
		});

		it('requires the fields that are always there', async () => {
			const schema = readSchema(operation);
			for (const json of await outputOf(operation, {})) {
				expect(violationsOf(schema, json)).toEqual([]);
				expect(Object.keys(json)).toEqual(schema.required);
			}
		});
	});
});
