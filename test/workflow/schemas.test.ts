import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jsonOf, OPERATIONS, useService } from './fixture';

/** Where n8n looks for the output schemas of the node's version 1. */
const FOLDER = resolve(__dirname, '../../dist/nodes/ClassEnrollment/__schema__/v1.0.0');
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const fixture = useService();

// That there is none for anything else is in unit/contract.test.ts.

test.each(OPERATIONS)('the schema of $name has its fields in their order', async (operation) => {
	const { resource, operation: value, everything } = operation;
	const text = readFileSync(join(FOLDER, resource, `${value}.json`), 'utf8');
	// The version is n8n's own addition to JSON Schema.
	const { version, ...schema } = JSON.parse(text) as Record<string, object>;
	expect(version).toBe(1);
	const isDateTime = (value: string) => DATE_TIME.test(value);
	const ajv = new Ajv({ allErrors: true, formats: { 'date-time': isDateTime } });

	for (const [parameters, fields] of [
		[{}, schema.required],
		[everything, Object.keys(schema.properties!)],
	] as const) {
		const { items, error } = await fixture.run(operation, parameters);
		expect(error).toBeUndefined();
		expect(items).not.toEqual([]);
		for (const json of jsonOf(items)) {
			ajv.validate({ ...schema, additionalProperties: false }, json);
			expect(ajv.errors ?? []).toEqual([]);
			expect(Object.keys(json)).toEqual(fields);
		}
		fixture.enroll();
	}
});
