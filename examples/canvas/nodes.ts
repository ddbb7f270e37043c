import mapValues from 'lodash/mapValues';
import { createHash } from 'node:crypto';

import type { Workflow, WorkflowNode } from '../../test/n8n/workflows';

/** A node without its name and place. */
export type Step = Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters'> &
	Record<string, unknown>;

/** One of n8n's own nodes. */
export const step = (
	type: string,
	typeVersion: number,
	parameters: object,
	settings: object = {},
): Step => ({ type: `n8n-nodes-base.${type}`, typeVersion, ...settings, parameters });

/** A switch with an output for each value of `next`: by one expression, since n8n evaluates a rule for each output, each time. */
export const switchOn = (outputs: string[]): Step =>
	step('switch', 3.2, {
		mode: 'expression',
		numberOutputs: outputs.length,
		output: `={{ ${JSON.stringify(outputs)}.indexOf($json.next) }}`,
	});

/** Fields by name. */
export type Fields = Record<string, [type: string, value: string | boolean]>;

/** The fields of an object, by their types. */
export const fields = (types: Record<string, string>, object = '$json'): Fields =>
	mapValues(types, (type, name): [string, string] => [type, `={{ ${object}.${name} }}`]);

/** The values that a node gives to fields or columns, as n8n's editor writes them. */
const mapping = (values: Fields, more: object) => ({
	mappingMode: 'defineBelow',
	value: mapValues(values, ([, value]) => value),
	matchingColumns: [],
	schema: Object.entries(values).map(([id, [type]]) => ({
		id,
		displayName: id,
		required: false,
		defaultMatch: false,
		display: true,
		...(type !== 'any' && { type }),
		...more,
		removed: false,
	})),
});

/** The values that a node gives to a sub-workflow. */
export const inputs = (values: Fields) => ({
	...mapping(values, { canBeUsedToMatch: true }),
	attemptToConvertTypes: false,
	convertFieldsToString: true,
});

type Condition = [keyName: string, condition: string, keyValue: string];

/** A node for the rows of a data table. `columns` are written. */
export function rows(
	operation: 'get' | 'update' | 'upsert',
	table: string,
	filters: Condition[],
	columns?: Fields,
	matchType = 'allConditions',
): Step {
	return step(
		'dataTable',
		1.1,
		{
			resource: 'row',
			operation,
			dataTableId: { __rl: true, mode: 'name', value: table },
			matchType,
			filters: {
				conditions: filters.map(([keyName, is, keyValue]) => ({
					keyName,
					condition: is,
					keyValue,
				})),
			},
			...(columns
				? { columns: mapping(columns, { readOnly: false }), options: {} }
				: { returnAll: true }),
		},
		operation === 'get' ? { alwaysOutputData: true, executeOnce: true } : {},
	);
}

/** A node that adds a row to a data table. */
export const insertRow = (table: string, columns: Fields): Step =>
	step('dataTable', 1.1, {
		resource: 'row',
		operation: 'insert',
		dataTableId: { __rl: true, mode: 'name', value: table },
		columns: mapping(columns, { readOnly: false }),
		options: {},
	});

/** A node that runs a compiled module. */
export const compiled = (jsCode: string): Step => step('code', 2, { jsCode });

/** A node for at most so many rows, those with the first dates in a column first. */
export const firstRows = (
	limit: number | string,
	orderByColumn: string,
	{ parameters, ...more }: Step,
): Step => ({
	...more,
	parameters: {
		...parameters,
		returnAll: false,
		limit,
		orderBy: true,
		orderByColumn,
		orderByDirection: 'ASC',
	},
});

/** A node that creates a data table. */
export const table = (tableName: string, columns: Record<string, string>): Step =>
	step('dataTable', 1.1, {
		resource: 'table',
		operation: 'create',
		tableName,
		columns: { column: Object.entries(columns).map(([name, type]) => ({ name, type })) },
		options: { createIfNotExists: true },
	});

export const note = (width: number, height: number, content: string, more: object = {}): Step =>
	step('stickyNote', 1, { ...more, width, height, content });

export const enrollment = (operation: string, parameters: object, settings: object = {}): Step => ({
	type: 'n8n-nodes-class-enrollment.classEnrollment',
	typeVersion: 1,
	...settings,
	parameters: { resource: 'student', operation, ...parameters },
});

/** Puts nodes on a canvas. Each line is a chain of names; `Name#1` is the second output of a node. */
export function workflow(
	name: string,
	steps: Record<string, [x: number, y: number, step: Step]>,
	lines: string[],
): Workflow {
	const connections: Record<string, { main: object[][] }> = {};
	for (const line of lines) {
		const names = line.split(' > ');
		names.slice(1).forEach((target, index) => {
			const [from, output = '0'] = names[index]!.split('#');
			const node = target.split('#')[0]!;
			if (!steps[from!] || !steps[node]) throw new Error(`No such node: ${line}`);
			const { main } = (connections[from!] ??= { main: [] });
			while (main.length <= Number(output)) main.push([]);
			main[Number(output)]!.push({ node, type: 'main', index: 0 });
		});
	}
	const nodes = Object.entries(steps).map(([title, [x, y, { type, typeVersion, ...rest }]]) => ({
		id: idOf(title),
		name: title,
		type,
		typeVersion,
		position: [x, y] as [number, number],
		...rest,
	}));
	// A failure must stay, since Retry needs it.
	const settings = { executionOrder: 'v1', saveDataErrorExecution: 'all' };
	return { name, nodes, connections, settings };
}

/** An ID that is always the same for the same text. */
export function idOf(text: string): string {
	const hex = createHash('sha256').update(text).digest('hex');
	return hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
