import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A node without its name and position. */
export interface Step {
	type: string;
	typeVersion: number;
	parameters: object;
	[setting: string]: unknown;
}

/** One of n8n's own nodes, with settings such as On Error. */
function base(type: string, typeVersion: number, parameters: object, settings: object = {}): Step {
	return { type: `n8n-nodes-base.${type}`, typeVersion, ...settings, parameters };
}

/** Our node with an operation on students. */
export const student = (operation: string, parameters: object, settings: object = {}): Step => ({
	type: 'n8n-nodes-class-enrollment.classEnrollment',
	typeVersion: 1,
	...settings,
	parameters: { resource: 'student', operation, ...parameters },
});

/** Our node, listing all classes. */
export const listClasses: Step = {
	type: 'n8n-nodes-class-enrollment.classEnrollment',
	typeVersion: 1,
	parameters: { resource: 'class', operation: 'getAll', returnAll: true, filters: {}, options: {} },
};

/** A value by ID, as the editor saves it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

export const manualTrigger = base('manualTrigger', 1, {});

/** A note on the canvas, in Markdown. */
export const note = (content: string, size: object, color?: number): Step =>
	base('stickyNote', 1, { ...size, ...(color && { color }), content });

/**
 * The address for the shop. n8n makes up its path when the file is imported: without a path and an ID, it takes a random
 * one.
 */
export const webhook = (parameters: object): Step =>
	base('webhook', 2.1, {
		httpMethod: 'POST',
		path: '',
		...parameters,
		responseMode: 'responseNode',
	});

/** Adds `signature` to the item: the HMAC of the body, or of a text. */
export const sign = (type: string, encoding: string, value?: string): Step =>
	base('crypto', 2, {
		action: 'hmac',
		...(value ? { value } : { binaryData: true }),
		type,
		dataPropertyName: 'signature',
		encoding,
	});

/** Adds the body to the item as the text that the shop sent. */
export const bodyAsText = base('extractFromFile', 1, {
	operation: 'text',
	destinationKey: 'text',
	options: { encoding: 'utf8', keepSource: 'json' },
});

/** An item with these fields. */
export const set = (fields: Record<string, string>): Step =>
	base('set', 3.4, {
		assignments: {
			assignments: Object.entries(fields).map(([name, value]) => ({
				id: idOf(name),
				name,
				type: name.startsWith('is') ? 'boolean' : 'string',
				value,
			})),
		},
		options: {},
	});

/** Runs one of the files here. */
export const code = (file: string): Step =>
	base('code', 2, { jsCode: readFileSync(join(__dirname, `${file}.cjs`), 'utf8').trimEnd() });

const isTrue = (expression: string) => ({
	options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
	combinator: 'and',
	conditions: [
		{
			id: idOf(expression),
			leftValue: expression,
			rightValue: '',
			operator: { type: 'boolean', operation: 'true', singleValue: true },
		},
	],
});

/** Outputs an item where the expression is true, else on the second output. */
export const check = (expression: string, settings: object = {}): Step =>
	base('if', 2.2, { conditions: isTrue(expression), options: {} }, settings);

/** Outputs an item where the first of these expressions is true, else on the last output, which has a name alone. */
export const choose = (
	outputs: Record<string, string>,
	otherwise: string,
	settings: object = {},
): Step =>
	base(
		'switch',
		3.2,
		{
			rules: {
				values: Object.entries(outputs).map(([outputKey, expression]) => ({
					conditions: isTrue(expression),
					renameOutput: true,
					outputKey,
				})),
			},
			options: { fallbackOutput: 'extra', renameFallbackOutput: otherwise },
		},
		settings,
	);

/** Answers the shop with JSON. */
export const answer = (
	responseBody: string,
	responseCode: string | number,
	settings: object = {},
) =>
	base(
		'respondToWebhook',
		1.4,
		{ respondWith: 'json', responseBody, options: { responseCode } },
		settings,
	);

export const wait = (seconds: number) => base('wait', 1.1, { amount: seconds, unit: 'seconds' });

/** Creates a data table if it does not exist. */
export const createTable = (tableName: string, columns: Record<string, string>): Step =>
	base('dataTable', 1.1, {
		resource: 'table',
		operation: 'create',
		tableName,
		columns: { column: Object.entries(columns).map(([name, type]) => ({ name, type })) },
		options: { createIfNotExists: true },
	});

type Condition = [column: string, value: string, condition?: 'eq' | 'ilike'];

interface RowOptions {
	values?: Record<string, string>;
	/** Whether one of the conditions is enough. */
	any?: boolean;
	[setting: string]: unknown;
}

/** Does something with the rows of a data table that meet the conditions. */
export function rows(
	table: string,
	operation: string,
	conditions: Condition[],
	{ values, any, ...settings }: RowOptions = {},
): Step {
	const parameters = {
		resource: 'row',
		operation,
		dataTableId: { __rl: true, mode: 'name', value: table },
		matchType: any ? 'anyCondition' : 'allConditions',
		filters: {
			conditions: conditions.map(([keyName, keyValue, condition = 'eq']) => ({
				keyName,
				condition,
				keyValue,
			})),
		},
		...(operation === 'get' && { returnAll: true }),
		...(values && { columns: columnsOf(values), options: {} }),
	};
	return base('dataTable', 1.1, parameters, settings);
}

function columnsOf(value: Record<string, string>) {
	const schema = Object.keys(value).map((id) => ({
		id,
		displayName: id,
		required: false,
		defaultMatch: false,
		display: true,
		type: /At$|Since$/.test(id) ? 'dateTime' : 'string',
		readOnly: false,
		removed: false,
	}));
	return { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
}

/** An ID that is always the same for the same text. */
export function idOf(text: string): string {
	const hex = createHash('sha256').update(text).digest('hex');
	return hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
